"""What pages show, worked out before the template: labels, addresses, lengths of bars, pieces of text."""
