"""Photos of a Swoggle board that players wrote on: which letter stands on which square."""
