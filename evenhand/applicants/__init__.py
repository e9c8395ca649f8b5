"""What applicants have a right to: receipt, correction, erasure, retention."""
