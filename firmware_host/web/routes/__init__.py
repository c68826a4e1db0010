"""The routes, a module a group."""
