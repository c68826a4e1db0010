"""Devices behind small Protocols, real and simulated."""
