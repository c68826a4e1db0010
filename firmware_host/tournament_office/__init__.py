"""The referees' desk of a tournament: its pages, and what several referees do on them at once."""
