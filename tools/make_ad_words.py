"""Counts how common words are in job ads, for evenhand/mining/lexicons/ad_words.tsv.

    python tools/make_ad_words.py DATA

DATA holds the folders jobs-monster-1000 and linkedin-seniority. The same data give the same bytes. Nothing of anyone is
kept: only in how many ads the root of a word stands, for roots of one ad in two hundred and of at least five.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from evenhand.mining.lexicon.ad_words import RARE_SHARE, root
from evenhand.text.tokens import tokenise
from make_background import read_ads

OUT = Path(__file__).resolve().parent.parent / "evenhand" / "mining" / "lexicons" / "ad_words.tsv"
MIN_ADS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    ads = read_ads(parser.parse_args().data)
    counts: Counter[str] = Counter()
    for ad in ads:
        counts.update({root(word) for word in tokenise(ad).words if word[0].isalpha() and "@" not in word})
    least = max(MIN_ADS, RARE_SHARE * len(ads))
    common = sorted(word for word, count in counts.items() if count >= least and len(word) < 30)
    lines = [f"ads counted\t{len(ads)}", *(f"{word}\t{counts[word]}" for word in common)]
    OUT.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{OUT.name}: {len(common)} rows")


if __name__ == "__main__":
    main()
