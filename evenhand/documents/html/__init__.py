"""Web pages to Draft: parsed as a browser does, styled by a small cascade, walked block by block."""
