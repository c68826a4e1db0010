"""Matches of Boggle, its larger trays and its variants: rounds, challenges, totals, a winner."""
