"""One module a version of the schema, in order; none is ever changed."""
