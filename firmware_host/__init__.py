"""The service: rounds, composition and command line; the only room that knows all others."""
