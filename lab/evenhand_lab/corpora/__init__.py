"""Resumes whose truth is known: careers sampled first, documents written from them; and readers of labelled sets."""
