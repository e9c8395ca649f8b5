"""The search index: one document per application, in step with the store, rebuilt when its version is another."""
