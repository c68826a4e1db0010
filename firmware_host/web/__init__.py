"""The pages of the table: display, players, referee."""
