"""Word lists on paper: a photo of a page → the words that were written on it."""
