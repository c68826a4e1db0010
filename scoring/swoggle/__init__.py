"""The game of Swoggle: words written on a board of squares, so many letters as the die shows."""
