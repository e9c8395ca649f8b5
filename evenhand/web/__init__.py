"""The screening application: pages and an API over the workflows. It computes nothing itself."""
