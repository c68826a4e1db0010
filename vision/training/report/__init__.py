"""How well trays are read: a command that measures it and writes the page about it."""
