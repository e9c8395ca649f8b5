"""Who may work here: passwords, one-time links, single sign-on."""
