"""What a machine finds out about itself, once it stands where it will stay."""
