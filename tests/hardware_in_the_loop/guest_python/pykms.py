"""In place of the preview windows that nobody looks at."""


class _Formats:
    def __getattr__(self, name: str) -> str:
        return name


PixelFormat = _Formats()
