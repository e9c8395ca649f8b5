"""Careers become manuscripts: voice, order, wording and dates differ from person to person, facts stay marked.

A duty of a career is a verb phrase in base form, without subject and full stop: "reconcile daily cash balances".
In it `{Java}` mentions a skill by its canonical name, `[claims|billing]` leaves a choice of words and `<20-60>` a
number to the writer; what is written in the past ("Reconciled ...") or as a whole sentence is accepted too.
"""
