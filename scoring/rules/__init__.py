"""The games of the rulebooks, one module a family."""
