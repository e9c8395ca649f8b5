"""How the lexicons of the miner are made: hand-written sources beside this file, and registry packages."""
