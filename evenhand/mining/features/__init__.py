"""What the models look at: the 37 published features with their six sets, and our own sets beyond them."""
