"""Receipts: everything held and why, what counted, what would have changed it, in words and letters people can read."""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import replace
from io import BytesIO

import pypdfium2
import pytest

from evenhand.applicants.certificate import certificate_letter
from evenhand.applicants.corrections import correct
from evenhand.applicants.counterfactual import variants
from evenhand.applicants.erasure import certificate_of, erase
from evenhand.applicants.receipt import Receipt, build_receipt
from evenhand.applicants.receipt_letter import NOT_COUNTED, receipt_letter
from evenhand.applicants.rights import everything_of, find_people, make_archive, make_receipt
from evenhand.errors import Forbidden, UsageError
from evenhand.explain.run import explain
from evenhand.ledger.recording import Recorder
from evenhand.mining.corrections import CorrectionInput
from evenhand.records import Demand, Job
from evenhand.records.event import commitment
from evenhand.rendering.fonts import Setter, letter_name
from evenhand.rendering.letter import Letter, LetterParagraph, LetterSection, LetterTable, Pairs
from evenhand.rendering.letter_pdf import letter_pdf
from evenhand.screening.candidate_list import Viewer, screen
from evenhand.screening.service import ingest_files
from evenhand.search.criteria import Criteria
from evenhand.search.feature_extraction import extract_features
from evenhand.search.service import FullRanking, Service
from evenhand.search.visibility import CONTACT_ONLY, OPEN, Visibility, blind
from evenhand.settings import Settings
from evenhand.text.wording import duration, ordinal
from evenhand.web.rendering import letter_html
from tests.screening.applicants import ASHA, BORIS, CLARA, FIVE, JAVA_JOB, Taken, take_in

JOB = replace(
    JAVA_JOB,
    demands=(Demand(("java",), True, 36), Demand(("kubernetes", "docker"), True), Demand(("python",), False)),
    degree="master",
)


def viewer(visibility: Visibility = OPEN) -> Viewer:
    return Viewer("ann", visibility, lambda job: True)


def receipt_of(service: Service, taken: Taken, name: str) -> Receipt:
    return build_receipt(service, service.store.applications.get(taken.ids[name]))


def words_of(letter: Letter) -> str:
    """All of it as plain text, in the order of the page."""
    return letter_html(letter)


def section(letter: Letter, heading: str) -> LetterSection:
    return next(each for each in letter.sections if each.heading == heading)


def table(letter: Letter, heading: str) -> LetterTable:
    return next(block for block in section(letter, heading).blocks if isinstance(block, LetterTable))


def pdf_text(data: bytes) -> str:
    document = pypdfium2.PdfDocument(data)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def test_points_rank_and_parts_are_those_of_the_list(service: Service) -> None:
    taken = take_in(service, *FIVE, job=JOB)
    receipt = receipt_of(service, taken, "Boris")
    with service.screener(taken.job, ranker="best") as screener:
        listed = screener.screen(Criteria(job=taken.job)).listed
    own = next(each for each in listed if each.entry.application == taken.ids["Boris"])
    assert (receipt.rank.rank, receipt.rank.total) == (own.result.rank, 5)
    assert receipt.parts == own.result.score.parts
    assert receipt.rank.score == pytest.approx(sum(part.value for part in receipt.parts))


def test_applicants_are_told_what_models_guess_and_why(service: Service) -> None:
    taken = take_in(service, *FIVE, job=JOB)
    receipt = receipt_of(service, taken, "Boris")
    (said,) = receipt.models
    (predicted,) = explain(
        service.store.documents.get(service.store.applications.get(taken.ids["Boris"]).document), "occupation"
    )
    assert (said.title, said.label) == ("Occupation", predicted.target)
    assert "because of" in said.why[0]
    (_, told) = section(receipt_letter(receipt), "What models predicted, and why").blocks
    assert isinstance(told, LetterParagraph)
    assert said.why[0] in told.words
    without = replace(service, settings=replace(service.settings, page_models=""))
    assert receipt_of(without, taken, "Boris").models == ()


def test_what_would_have_changed_is_really_scored_again(service: Service) -> None:
    taken = take_in(service, *FIVE, job=JOB)
    receipt = receipt_of(service, taken, "Boris")
    boris = service.store.applications.get(taken.ids["Boris"])
    profile, text = service.store.applications.profile(boris.id), service.store.documents.text(boris.document)
    assert profile is not None
    whole = FullRanking.take(service, taken.job)
    assert whole.score(extract_features(text, profile)).value == receipt.rank.score
    said = {each.words: each for each in receipt.differences}
    # Boris has 30 months of Java of 36, no Kubernetes or Docker, no Python, a bachelor's degree.
    assert set(said) == {
        "shown 3 years of java (2 years 6 months now)",
        "mentioned kubernetes or docker in your latest job",
        "mentioned python in your latest job",
        "stated a master's degree",
        "called your latest job “Java Developer”",
    }
    degree = said["stated a master's degree"]
    again = whole.score(extract_features(text, replace(profile, highest_degree="master"))).value
    assert receipt.rank.score is not None
    assert degree.points == pytest.approx(again - receipt.rank.score)
    # Education is 5 of the 94 points that a job without licences gives; a level below takes a third of it.
    assert degree.points == pytest.approx(500 / 94 / 3, abs=0.01)
    assert [each.points for each in receipt.differences] == sorted(
        (each.points for each in receipt.differences), reverse=True
    )


def test_a_skill_that_is_supposed_stands_in_the_latest_job(service: Service) -> None:
    taken = take_in(service, BORIS, job=JOB)
    boris = service.store.applications.get(taken.ids["Boris"])
    profile, text = service.store.applications.profile(boris.id), service.store.documents.text(boris.document)
    assert profile is not None
    [found] = [each for each in variants(profile, text, JOB) if "kubernetes" in each.words]
    assert "finance department kubernetes" in " ".join(found.text.split())
    added = next(skill for skill in found.profile.skills if skill.name == "kubernetes")
    assert found.text[added.evidence[0].start : added.evidence[0].end] == "kubernetes"
    assert (added.months, added.last_used) == (30, "2022-06")
    assert found.profile.positions[0].skills == ("java", "kubernetes")
    # Everything behind it has moved along.
    university = found.profile.education[0].university
    assert university is not None
    assert found.text[university.evidence.start : university.evidence.end] == "Anna University"
    assert text == boris_text()


def boris_text() -> str:
    return BORIS.text.rstrip("\n")


def test_the_rank_with_more_points_is_the_one_in_the_list(service: Service) -> None:
    taken = take_in(service, *FIVE, job=JAVA_JOB)
    whole = FullRanking.take(service, taken.job)
    order = [whole.ordered.keys[row] for row in whole.ordered.rows]
    scores = [whole.rank(id).score or 0.0 for id in order]
    last = order[-1]
    assert whole.rank_with(last, scores[0] + 1) == 1
    assert whole.rank_with(last, (scores[0] + scores[1]) / 2) == 2
    assert whole.rank_with(last, scores[-1]) == 5
    assert whole.rank_with(order[0], scores[0] + 1) == 1
    assert whole.rank_with(order[0], scores[-1] - 1) == 5


def test_nothing_is_missing_where_all_is_there(service: Service) -> None:
    job = Job("Java in Chennai", "Software Developer", (Demand(("java",), True),), degree="bachelor")
    taken = take_in(service, ASHA, job=job)
    receipt = receipt_of(service, taken, "Asha")
    assert receipt.differences == ()
    letter = receipt_letter(receipt)
    blocks = section(letter, "What would have changed the result most").blocks
    assert blocks == (
        LetterParagraph(
            "None of the changes we try (skills, their durations, degree, title) would have given more points."
        ),
    )


def test_staff_by_role_and_not_by_name(service: Service, settings: Settings) -> None:
    store = service.store
    user = store.accounts.add("rita", name="Rita Recruiter", role="recruiter", actor="ann").id
    taken = take_in(service, *FIVE)
    recorder = Recorder(store, settings)
    screen(service, recorder, Viewer(user, OPEN, lambda job: True), Criteria(job=taken.job))
    screen(service, recorder, Viewer(user, OPEN, lambda job: True), Criteria(job=taken.job, text="python"))
    store.decisions.decide([taken.ids["Boris"]], "reject", actor=user, reason="No licence.")
    store.notes.add(taken.ids["Boris"], "Called him", actor=user)
    letter = receipt_letter(receipt_of(service, taken, "Boris"))
    assert "Rita" not in words_of(letter)
    assert "rita" not in words_of(letter)
    [decision] = table(letter, "Decisions, and their reasons").rows
    assert decision[1:] == ("a recruiter", "New → Rejected; nobody had opened your resume before", "No licence.")
    [seen] = table(letter, "Who has accessed it").rows
    assert seen[:3] == ("shown in a list", "a recruiter", "twice")
    lists = table(letter, "Your rank in lists shown to people").rows
    assert [row[4] for row in lists] == ["all applications", "filtered by a search"]
    assert [row[2] for row in lists] == ["5", "5"]
    [note] = table(letter, "Notes and corrections").rows
    assert note[:3] == ("Note", "Called him", "a recruiter")
    short = section(letter, "In short").blocks[0]
    assert isinstance(short, LetterParagraph)
    reason = "The reason given: “No licence”."
    assert short.words.endswith(f"by a recruiter: Rejected. {reason} Nobody had opened your resume before.")


def test_rank_then_and_now(service: Service, settings: Settings) -> None:
    taken = take_in(service, *FIVE)
    screen(service, Recorder(service.store, settings), viewer(), Criteria(job=taken.job))
    before = receipt_of(service, taken, "Boris").rank.rank
    boris = service.store.applications.get(taken.ids["Boris"])
    wanted = CorrectionInput("position.dates", {"start": "2012-01", "end": "present"}, entry=0)
    correct(service, boris, wanted, actor="ann")
    receipt = receipt_of(service, taken, "Boris")
    [shown] = receipt.record.shown
    assert shown.rank == before
    assert receipt.rank.rank != before
    [put] = receipt.corrections
    assert (put.field, put.old["start"], put.new["start"]) == ("position.dates", "2020-01", "2012-01")
    letter = receipt_letter(receipt)
    said = section(letter, "Your rank in lists shown to people").blocks[0]
    assert isinstance(said, LetterParagraph)
    assert said.words.endswith(f"Today it stands {ordinal(receipt.rank.rank or 0)} of 5.")


def test_facts_come_with_the_words_of_the_resume(service: Service) -> None:
    taken = take_in(service, BORIS)
    rows = table(receipt_letter(receipt_of(service, taken, "Boris")), "What was read from your resume").rows
    assert rows[0] == ("Name", "Boris Novak", "Boris Novak", "1")
    assert ("Dates (job 1)", "2020-01 to 2022-06", "Jan 2020 - Jun 2022", "1") in rows
    assert ("E-mail", "boris.novak@example.org", "boris.novak@example.org", "1") in rows
    assert ("University (study 1)", "Anna University", "Anna University", "1") in rows
    assert ("Skill", "java", "Java", "1") in rows


def test_how_long_and_what_did_not_count(service: Service) -> None:
    taken = take_in(service, BORIS)
    held = section(receipt_letter(receipt_of(service, taken, "Boris")), "What we hold, why, and how long").blocks
    assert held[-1] == LetterParagraph("No erasure date is set. You can ask for erasure at any time.", tone="warn")
    service.store.retention.set_rule("new", 30, actor="ann")
    letter = receipt_letter(receipt_of(service, taken, "Boris"))
    last = section(letter, "What we hold, why, and how long").blocks[-1]
    assert isinstance(last, LetterParagraph)
    assert last.words.startswith("It is kept until ")
    assert "30 days after" in last.words
    for word in ("name", "gender", "age", "photo", "address"):
        assert any(word in sentence for sentence in NOT_COUNTED)
    service.store.retention.hold(taken.ids["Boris"], "case 7", actor="ann")
    last = section(receipt_letter(receipt_of(service, taken, "Boris")), "What we hold, why, and how long").blocks[-1]
    assert isinstance(last, LetterParagraph)
    assert "legal hold" in last.words
    assert "case 7" not in last.words


def test_the_page_is_alone_escaped_and_without_scripts(service: Service) -> None:
    evil = replace(BORIS, words="<script>alert(1)</script> reports")
    taken = take_in(service, evil)
    service.store.notes.add(taken.ids["Boris"], "<img src=x onerror=alert(2)>", actor="ann")
    page = letter_html(receipt_letter(receipt_of(service, taken, "Boris")))
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(2)&gt;" in page
    assert "http://" not in page.replace("http-equiv", "")
    assert 'src="' not in page
    assert "href=" not in page
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


def test_the_pdf_says_the_same(service: Service) -> None:
    taken = take_in(service, *FIVE, job=JOB)
    receipt = receipt_of(service, taken, "Boris")
    data = letter_pdf(receipt_letter(receipt))
    text = " ".join(pdf_text(data).split())
    for words in (
        "Your application for Java Developer",
        f"{receipt.rank.score:.1f} of 100 possible points",
        "mentioned kubernetes or docker in your latest job",
        "Boris Novak",
        "What you can do",
    ):
        assert words in text
    assert data == letter_pdf(receipt_letter(receipt))  # the same bytes


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Željko Łukasz Ångström", "Željko Łukasz Ångström"),
        ("Nguyễn Thị Hương", "Nguyễn Thị Hương"),
        ("Юлія Шевченко", "Юлія Шевченко"),
        ("Ελένη Παπαδοπούλου", "Ελένη Παπαδοπούλου"),
        ("გიორგი", "გიორგი"),
        ("שרה כהן", "שרה"),
        ("สมชาย", "สมชาย"),
    ],
)
def test_names_in_other_letters_are_drawn_with_a_font_that_travels_along(name: str, drawn: str) -> None:
    data = letter_pdf(Letter("k", "Title", Pairs((("For", name),)), (), "foot"))
    assert drawn in pdf_text(data)
    assert b"/FontFile2" in data
    setter = Setter()
    setter.markup(name)
    assert not setter.borrowed
    assert not setter.unknown


def test_arabic_is_joined_and_turned() -> None:
    setter = Setter()
    markup, is_shaped = setter.markup("اسم: محمد عبد الله (Ada)")
    assert is_shaped
    # Words that run from the right stand in the order in which they are drawn, from the left.
    assert markup.split() == ["الله", "عبد", "محمد", "اسم:", "(Ada)"]
    assert not setter.unknown
    assert letter_pdf(Letter("k", "t", Pairs((("For", "محمد"),)), (), "f")).startswith(b"%PDF")


def test_letters_without_a_font_are_said_and_not_boxes() -> None:
    letter = Letter("k", "t", Pairs((("For", "王小明 Իրինա"),)), (LetterSection("s", (LetterParagraph("তামিল"),)),), "f")
    text = " ".join(pdf_text(letter_pdf(letter)).split())
    assert "[U+738B U+5C0F U+660E]" in text
    assert "[U+053B U+0580 U+056B U+0576 U+0561]" in text
    assert letter_name("王") in text
    assert "U+09A4 BENGALI LETTER TA" in text
    assert "font of your own computer" in text
    assert "could not be drawn" in text


def test_a_cell_longer_than_a_page(service: Service) -> None:
    table = LetterTable(("a", "b"), (("x", "word " * 5_000), ("y", "short")), (0.3, 0.7))
    data = letter_pdf(Letter("k", "t", Pairs((("For", "Ada"),)), (LetterSection("s", (table,)),), "f"))
    assert "the archive has the rest" in " ".join(pdf_text(data).split())


def test_who_sees_applicants_masked_gets_no_receipt(service: Service, settings: Settings) -> None:
    taken = take_in(service, BORIS)
    boris = service.store.applications.get(taken.ids["Boris"])
    recorder = Recorder(service.store, settings)
    for visibility in (CONTACT_ONLY, blind()):
        with pytest.raises(Forbidden, match="masked for you"):
            make_receipt(service, recorder, viewer(visibility), boris, form="pdf")
    assert [event.kind for event in service.store.ledger.events(kinds=["denial", "receipt"])] == ["denial", "denial"]
    make_receipt(service, recorder, viewer(), boris, form="pdf")
    [event] = service.store.ledger.events(kinds=["receipt"])
    assert event.body["what"] == "receipt pdf"
    assert [each.kind for each in service.store.ledger.of_application(boris.id)][-1] == "receipt"


def test_the_archive_holds_everything(service: Service, settings: Settings) -> None:
    taken = take_in(service, *FIVE)
    boris = service.store.applications.get(taken.ids["Boris"])
    service.store.decisions.decide([boris.id], "reject", actor="ann", reason="No licence")
    correct(service, boris, CorrectionInput("name", "Boris Nowak"), actor="ann", reason="Misspelt")
    recorder = Recorder(service.store, settings)
    screen(service, recorder, viewer(), Criteria(job=taken.job))
    file = BytesIO()
    make_archive(service, recorder, viewer(), [boris], file, html=letter_html)
    archive = zipfile.ZipFile(file)
    assert sorted(archive.namelist()) == [
        *("README.txt", "decisions.json", "document.json", "form.json", "ledger.json", "original.txt"),
        *("profile.json", "reading.json", "receipt.html", "receipt.json", "receipt.pdf", "remarks.json", "text.txt"),
    ]
    assert archive.read("original.txt") == BORIS.text.encode()
    assert json.loads(archive.read("profile.json"))["name"] == "Boris Nowak"
    assert json.loads(archive.read("reading.json"))["name"] == "Boris Novak"
    assert json.loads(archive.read("receipt.json"))["name"] == "Boris Nowak"
    assert json.loads(archive.read("decisions.json"))[0]["reason"] == "No licence"
    kept = json.loads(archive.read("ledger.json"))
    assert hashlib.sha256((kept["salt"] + boris.id).encode()).hexdigest() == kept["seal"]
    kinds = [event["kind"] for event in kept["events"]]
    assert kinds == ["ingest", "decision", "correction", "ranking"]
    for event in kept["events"]:
        for name, opened in event["opened"].items():
            assert commitment(opened["salt"], opened["value"]) == event["body"]["sealed"][name]
    assert kept["events"][1]["opened"]["reason"]["value"] == "No licence"
    [line] = kept["events"][3]["body"]["listed"]  # of five, her own
    assert line["value"][0] == kept["seal"]
    others = [service.store.ledger.seal_of("application", taken.ids[name]) for name in ("Asha", "Clara")]
    assert not any(str(other) in file.getvalue().decode("latin-1") for other in others)
    assert service.store.ledger.events(kinds=["receipt"])[-1].body["what"] == "archive"


def test_all_applications_of_a_person_in_one_archive(service: Service, settings: Settings) -> None:
    first, second = take_in(service, BORIS), take_in(service, BORIS, ASHA)
    both = everything_of(service, service.store.applications.get(first.ids["Boris"]))
    assert [each.id for each in both] == [first.ids["Boris"], second.ids["Boris"]]
    file = BytesIO()
    recorder = Recorder(service.store, settings)
    make_archive(service, recorder, viewer(), both, file, html=letter_html)
    names = zipfile.ZipFile(file).namelist()
    assert [name for name in names if name.endswith("receipt.pdf")] == [f"{each.id}/receipt.pdf" for each in both]


def test_finding_people(service: Service) -> None:
    first, second = take_in(service, *FIVE), take_in(service, BORIS)
    by_name = find_people(service, "boris  NOVAK")
    assert {each.application for each in by_name} == {first.ids["Boris"], second.ids["Boris"]}
    assert {each.where for each in by_name} == {"name"}
    [clara] = find_people(service, "clara.weber@example.org")
    assert (clara.application, clara.where, clara.name) == (first.ids["Clara"], "e-mail", "Clara Weber")
    assert [each.where for each in find_people(service, "trading screens")] == ["text"]
    assert [each.where for each in find_people(service, "clara.txt")] == ["file name"]
    assert find_people(service, "Nobody Here") == []
    with pytest.raises(UsageError, match="at least 3"):
        find_people(service, " a ")


def test_people_are_found_by_what_they_typed_into_a_form(service: Service, settings: Settings) -> None:
    from pathlib import Path
    from tempfile import TemporaryDirectory

    job = service.store.jobs.add(JAVA_JOB)
    with TemporaryDirectory() as folder:
        path = CLARA.write(Path(folder))
        forms = {path.name: {"full name": "Klara Wéber", "phone": "+49 30 555-0142"}}
        ingest_files(service, [path], job, total=1, forms=forms, as_of="2026-01")
    assert [each.where for each in find_people(service, "KLARA WÉBER")] == ["form"]
    assert [each.where for each in find_people(service, "0305550142"[1:])] == ["form"]


def test_the_certificate_in_words(service: Service) -> None:
    taken = take_in(service, *FIVE)
    service.store.backups.add("tape 2", actor="ann")
    done = erase(service, [taken.ids["Boris"]], actor="ann", reason="Asked for it")
    letter = certificate_letter(certificate_of(done))
    text = " ".join(pdf_text(letter_pdf(letter)).split())
    for words in ("1 application erased", "tape 2", "unknown", "The person requested it", done.id):
        assert words in text
    assert "Boris" not in letter_html(letter)
    unfinished = replace(done, finished=None, certificate={**done.certificate, "signature": None})
    assert "was cut off" in letter_html(certificate_letter(certificate_of(unfinished)))


def test_months_in_words() -> None:
    assert [duration(months) for months in (0, 1, 12, 13, 30, 36)] == [
        "0 months",
        "1 month",
        "1 year",
        "1 year 1 month",
        "2 years 6 months",
        "3 years",
    ]
    assert [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 13, 21, 1_002)] == [
        *("1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "1,002nd")
    ]
