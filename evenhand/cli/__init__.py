"""The command line. It asks and shows; it computes nothing."""
