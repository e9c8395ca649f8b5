"""Rich Text Format to Draft: a tokenizer, the state of a group, and the machine that runs control words."""
