"""The pages of a tournament as files: a folder that any web server, or a stick, can carry."""
