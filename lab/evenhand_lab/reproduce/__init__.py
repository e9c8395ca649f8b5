"""Published experiments, run again by `evenhand reproduce NAME`."""
