"""Many trays and one station: what a tray tells, what the station keeps of it and orders."""
