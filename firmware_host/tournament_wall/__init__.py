"""What everybody in the hall may see of a tournament: the wall, phones, a feed, an overlay."""
