"""Resumes as PDF files in many designs."""
