"""How outcomes by group are measured and what they cannot tell, in the words of the report."""

from __future__ import annotations

from evenhand.audit.outcomes.counting import MINIMUM

METHOD = (
    "The selection rate of a group is the share of its people who {chosen}. The impact ratio is that rate "
    "divided by the highest rate of any group. A scoring rate is the share of a group that scored above the "
    "median of all scores; ties at the median are not above. These are the definitions of Local Law 144 of "
    "New York City. Where nobody was selected there is no ratio.",
    "Intervals hold 95%: Wilson's for rates, Newcombe's for differences, Katz's on the logarithm for ratios. "
    "p is Fisher's exact test, two-sided, against the group with the highest rate; what is judged is p after "
    "Holm's correction for all pairs of groups, since which one is the highest is seen only afterwards.",
    "A concern is a ratio below four fifths that chance would rarely give and that two changed outcomes would"
    " not undo (Uniform Guidelines, 29 CFR 1607.4 D and question 21). Clear is only what has its whole "
    f"interval above four fifths. Groups of fewer than {MINIMUM} people are never a concern and never clear.",
    "Within bands, people are compared only with people of the same band; the ratios of all bands are put "
    "together after Mantel and Haenszel, with the interval of Greenland and Robins.",
)
LIMITS = (
    "A difference of rates does not tell its cause, and no difference does not prove that everybody is "
    "treated alike: two wrongs can balance.",
    "The group with the highest rate is the measure for all others. Of many small groups one will be high by "
    "chance, so ratios in tables of many groups look worse than they are.",
    "Only people who applied and who said which group they belong to are counted. Who never applied is not "
    "here, nor who was erased since.",
    "Groups are what people said of themselves, or what the table given says; none was guessed.",
    "Every finding is tested by itself: of twenty about nothing, one may be a concern by chance.",
)
