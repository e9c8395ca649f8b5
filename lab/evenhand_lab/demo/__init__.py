"""The invented company of `evenhand demo`."""
