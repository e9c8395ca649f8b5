"""The candidate page: text to the character, facts that lead to it, nothing that runs, nothing of others."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import evenhand
from evenhand.screening.candidate_text import place_id, placed_facts
from evenhand.screening.service import ingest_files
from evenhand.search.visibility import pseudonym
from evenhand.web.access import BLIND
from tests.screening.applicants import AS_OF, ASHA
from tests.web.house import House

pytest_plugins = ["tests.web.house_fixtures"]

SAMPLES = Path(evenhand.__file__).parent / "samples"
VOID = {"br", "img", "input", "link", "meta", "hr", "rect", "circle", "line", "use", "path"}
PAYLOAD = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg onload=alert(3)>"


class Page(HTMLParser):
    """What a browser would make of a page: ids, links, scripts, handlers, and the text of the resume."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.links: list[str] = []
        self.scripts: list[dict[str, str | None]] = []
        self.handlers: list[str] = []
        self.tags: list[str] = []
        self.words: list[str] = []
        self.resume: list[str] = []
        self._inside = 0
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.handlers += [name for name in given if name.startswith("on") or name == "style"]
        if tag == "script":
            self.scripts.append(given)
        if given.get("id"):
            self.ids.append(given["id"] or "")
        if given.get("href"):
            self.links.append(given["href"] or "")
        if tag not in VOID and (self._inside or given.get("id") == "resume-text"):
            self._inside += 1

    def handle_endtag(self, tag: str) -> None:
        if self._inside and tag not in VOID:
            self._inside -= 1

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self._inside:
            self.resume.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def get(house: House, who: str, path: str, **cookies: str) -> str:
    client = house.browser(who)
    for name, value in cookies.items():
        client.cookies.set(name, value)
    answer = client.get(path)
    assert answer.status_code == 200
    return str(answer.text)


def take_in_sample(house: House, name: str) -> str:
    """The application of one of the sample resumes, for the house's job."""
    known = {each.id for each in house.store.applications.of_job(house.job)}
    ingest_files(house.context.service, [SAMPLES / name], house.job, total=1, as_of=AS_OF)
    [new] = [each.id for each in house.store.applications.of_job(house.job) if each.id not in known]
    return new


def take_in_text(house: House, folder: Path, text: str, name: str = "odd.txt") -> str:
    known = {each.id for each in house.store.applications.of_job(house.job)}
    path = folder / name
    path.write_text(text)
    ingest_files(house.context.service, [path], house.job, total=1, as_of=AS_OF)
    [new] = [each.id for each in house.store.applications.of_job(house.job) if each.id not in known]
    return new


@pytest.mark.parametrize(
    "name", ["project-manager.docx", "designer-side-bar.pdf", "web-developer.html", "support-hidden-keywords.pdf"]
)
def test_the_shown_text_is_the_documents_text_to_the_character(house: House, name: str) -> None:
    """White space included: between lines stand the tabs and line ends of the text, and nothing else is added."""
    id = take_in_sample(house, name)
    page = Page(get(house, "bo", f"/applications/{id}"))
    document = house.store.documents.get(house.store.applications.get(id).document)
    assert "".join(page.resume) == document.text
    assert len(page.ids) == len(set(page.ids))
    facts = [link for link in page.links if re.match(r"#p\d+-\d+$", link)]
    assert len(facts) > 10
    assert {link[1:] for link in facts} <= set(page.ids)
    for piece in document.hidden:
        assert piece.text.split(maxsplit=1)[0] in page.text
        assert piece.text not in document.text


@pytest.mark.parametrize("name", ["data-engineer.pdf", "research-coordinator.odt"])
def test_every_fact_of_the_profile_is_a_link(house: House, name: str) -> None:
    id = take_in_sample(house, name)
    html = get(house, "bo", f"/applications/{id}")
    profile = house.store.applications.profile(id)
    assert profile
    linked = {place for found in re.findall(r'<a class="fact[^>]* data-at="([^"]+)"', html) for place in found.split()}
    assert {place_id(each) for fact in placed_facts(profile) for each in fact.places} == linked
    assert "page 1, found by a pattern, 100 % sure" in html


def test_the_score_the_rank_and_the_must_haves(house: House) -> None:
    """Asha has 40 months of Java of 36 asked for: January 2020 to April 2023."""
    text = Page(get(house, "bo", f"/applications/{house.ids['Asha']}")).text
    assert re.search(r"\d+\.\d of 100 (1st|2nd|3rd|4th|5th) of 5 for this job 1 of 1 must-haves met", text)
    java = (
        "java ✓ met 3 years 4 months of 3 years required · 1 job Software Developer, Initech Ltd 2020-01 to 2023-04, "
        "3 years 4 months"
    )
    assert java in text
    assert "python – not mentioned" in text
    boris = Page(get(house, "bo", f"/applications/{house.ids['Boris']}")).text
    assert "java ↓ too short 2 years 6 months of 3 years required" in boris
    clara = Page(get(house, "bo", f"/applications/{house.ids['Clara']}")).text
    assert "java ✗ missing 3 years required" in clara


def test_nothing_that_a_stranger_wrote_runs(house: House, tmp_path: Path) -> None:
    """In the text, the file's name, a note, a tag, a reason, the form, the search in the address."""
    id = take_in_text(
        house,
        tmp_path,
        f"{PAYLOAD}\nJava {PAYLOAD}\n\nEXPERIENCE\n\n{PAYLOAD}, Initech Ltd\nJan 2020 - Apr 2023\n- Java\n",
        name="<img src=x onerror=alert(4)>.txt",
    )
    house.store.notes.add(id, PAYLOAD, actor=PAYLOAD)
    house.store.notes.add_tag(id, PAYLOAD[:60], actor="bo")
    house.store.decisions.decide([id], "reject", actor="bo", reason=PAYLOAD)
    house.store.watchlist.add("no_hire", f"Initech {PAYLOAD}")
    refused = house.browser("bo").get(f"/applications/{id}", params={"q": PAYLOAD})
    assert refused.status_code == 422  # it is no search
    assert Page(refused.text).handlers == []
    answer = house.browser("bo").get(f"/applications/{id}", params={"city": PAYLOAD})
    assert answer.status_code == 200
    page = Page(answer.text)
    assert all(set(script) == {"type", "src"} for script in page.scripts)
    assert page.handlers == []
    assert "img" not in page.tags
    assert page.text.count("<script>alert(1)</script>") >= 4
    assert "<img src=x onerror=alert(4)>.txt" in page.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_form_data_are_shown_as_typed_and_inert(house: House, tmp_path: Path) -> None:
    path = tmp_path / "form.txt"
    path.write_text(ASHA.text.replace("Asha", "Usha"))
    form = {"name": PAYLOAD, "salary": {"expected": 5, "why": PAYLOAD}}
    known = {each.id for each in house.store.applications.of_job(house.job)}
    ingest_files(house.context.service, [path], house.job, total=1, as_of=AS_OF, forms={path.name: form})
    [id] = [each.id for each in house.store.applications.of_job(house.job) if each.id not in known]
    if not house.store.applications.form(house.store.applications.get(id).candidate):
        pytest.fail("the form did not arrive")
    page = Page(get(house, "bo", f"/applications/{id}"))
    assert page.handlers == []
    assert "salary › expected 5" in page.text
    assert PAYLOAD.split(maxsplit=1)[0] in page.text
    blind = Page(get(house, "bo", f"/applications/{id}", **{BLIND: "1"}))
    assert "salary" not in blind.text


def test_what_only_a_form_states_is_marked_so_wherever_it_is_shown(house: House, tmp_path: Path) -> None:
    path = tmp_path / "bare.txt"
    path.write_text("Bea Fennel\nbea@example.org\n\nSkills\nJava, Python\n")
    form = {"highest_degree": "Master of Science", "location": "Leeds, UK", "experience": "5 years 6 months"}
    ingest_files(house.context.service, [path], house.job, total=1, as_of=AS_OF, forms={path.name: form})
    [id] = [each.id for each in house.store.applications.of_job(house.job) if each.file == str(path)]
    page = Page(get(house, "bo", f"/applications/{id}")).text
    for marked in ("Experience: 5 years 6 months", "master's degree", "Leeds"):
        assert f"{marked} (stated by the applicant)" in page
    listed = Page(get(house, "bo", f"/jobs/{house.job}?city=Leeds")).text
    assert "Leeds (stated by the applicant)" in listed
    assert "Experience: 5 years 6 months (stated by the applicant)" in listed
    assert "Leeds 1 stated by the applicant 1" in listed
    other = next(other for other in house.ids.values() if other != id)
    compared = Page(get(house, "bo", f"/jobs/{house.job}/compare?a={id}&a={other}")).text
    assert "master's degree (stated by the applicant)" in compared
    answer = house.browser("bo").get(f"/api/v1/applications/{id}").json()
    assert answer["facts"]["stated"] == ["degree", "city", "total_months"]
    blind = Page(get(house, "bo", f"/applications/{id}", **{BLIND: "1"})).text
    assert "master's degree (stated by the applicant)" in blind
    assert "Leeds" not in blind


def test_a_blind_lens_hides_who_it_is_everywhere(house: House) -> None:
    id = house.ids["Asha"]
    house.store.notes.add(id, "Spoke to Asha Rao", actor=house.people["bo"].id)
    html = get(house, "bo", f"/applications/{id}", **{BLIND: "1"})
    assert f"<title>{pseudonym(id)}" in html
    for secret in ("Asha", "Rao", "asha.rao@example.org", "Chennai", "asha.txt"):
        assert secret not in html
    assert "Spoke to [name]" in html
    assert "".join(Page(html).resume).startswith("[name]")
    client = house.browser("bo")
    client.cookies.set(BLIND, "1")
    refused = client.get(f"/applications/{id}/original")
    assert refused.status_code == 403
    masked = client.get(f"/applications/{id}/masked-text")
    assert masked.headers["content-disposition"] == f'attachment; filename="resume-{id}-masked.txt"'
    assert "Asha" not in masked.text
    assert "Software Developer" in masked.text


def test_auditors_see_no_contact_data_and_change_nothing(house: House) -> None:
    id = house.ids["Asha"]
    html = get(house, "di", f"/applications/{id}")
    assert "Asha Rao" in html
    assert "example.org" not in html
    for action in ("Shortlist", "Add tag", "Add note"):
        assert action not in html
    client = house.browser("di")
    assert client.get(f"/applications/{id}/original").status_code == 403
    assert "example.org" not in client.get(f"/applications/{id}/masked-text").text
    for path, data in (("tags", {"tag": "x"}), ("notes", {"text": "x"}), ("flags/set-aside", {"flag": "x"})):
        assert client.post(f"/applications/{id}/{path}", data=data).status_code == 403
    assert house.store.notes.tags([id]) == {}


def test_what_is_not_ones_own_does_not_exist(house: House) -> None:
    id = house.ids["Asha"]
    stranger = house.browser("cy")
    before = house.store.ledger.count(kinds=["denial"])
    paths = ["", "/original", "/masked-text", f"/difference/{house.ids['Boris']}"]
    for path in paths:
        assert stranger.get(f"/applications/{id}{path}").status_code == 404
    assert stranger.post(f"/applications/{id}/notes", data={"text": "x"}).status_code == 404
    assert stranger.get("/applications/nobody").status_code == 404
    assert house.store.ledger.count(kinds=["denial"]) == before + 6
    assert house.visitor().get(f"/applications/{id}").status_code == 303
    assert house.store.notes.of_application(id) == []


def test_the_original_leaves_as_an_attachment_and_on_record(house: House) -> None:
    id = house.ids["Asha"]
    answer = house.browser("bo").get(f"/applications/{id}/original")
    assert answer.content == ASHA.text.encode()
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == f'attachment; filename="resume-{id}.txt"'
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].endswith("; sandbox")
    [event] = house.store.ledger.events(kinds=["export"])
    assert (event.job, event.body["what"], event.body["count"]) == (house.job, "original file", 1)
    page = Page(get(house, "bo", f"/applications/{id}"))
    assert "Downloaded: original file Bo Carden" in page.text


def test_tags_notes_and_flags(house: House) -> None:
    id = house.ids["Asha"]
    client = house.browser("bo")
    where = f"/applications/{id}"
    added = client.post(f"{where}/tags?q=java", data={"tag": " call   back "})
    assert (added.status_code, added.headers["location"]) == (303, f"{where}?q=java#remarks")
    assert client.post(f"{where}/notes", data={"text": "line one\nline two"}).status_code == 303
    assert client.post(f"{where}/notes", data={"text": "  "}).status_code == 422
    html = get(house, "bo", where)
    assert "call back" in html
    assert "line one\nline two" in html
    [key] = re.findall(r'name="tag" value="(\w{64})"', html)
    [note] = house.store.notes.of_application(id)
    assert client.post(f"{where}/tags/remove", data={"tag": key}).status_code == 303
    assert client.post(f"{where}/tags/remove", data={"tag": key}).status_code == 404
    assert client.post(f"{where}/notes/{note.id}/remove").status_code == 303
    assert (house.store.notes.tags([id]), house.store.notes.of_application(id)) == ({}, [])

    house.store.watchlist.add("no_hire", "Initech Limited")
    html = get(house, "bo", where)
    found = re.search(r'On the no-hire list.*?name="flag" value="(\w{64})"', html, re.DOTALL)
    assert found
    flag = found[1]
    assert client.post(f"{where}/flags/set-aside", data={"flag": flag, "reason": ""}).status_code == 422
    assert client.post(f"{where}/flags/set-aside", data={"flag": "0" * 64, "reason": "x"}).status_code == 404
    done = client.post(f"{where}/flags/set-aside", data={"flag": flag, "reason": "another Initech"})
    assert done.headers["location"] == f"{where}#flags"
    text = Page(get(house, "bo", where)).text
    assert "Dismissed: another Initech" in text
    assert "Flag dismissed: no hire another Initech Bo Carden" in text
    assert client.post(f"{where}/flags/bring-back", data={"flag": flag}).status_code == 303
    assert "Dismissed: another" not in Page(get(house, "bo", where)).text


def test_scripts_get_json_instead_of_a_page(house: House) -> None:
    id = house.ids["Asha"]
    client = house.browser("bo")
    answer = client.post(f"/applications/{id}/tags", data={"tag": "x"}, headers={"accept": "application/json"})
    assert json.loads(answer.text) == {"application": id}


def test_decisions_are_offered_by_status_and_told_in_the_history(house: House) -> None:
    id = house.ids["Boris"]
    client = house.browser("bo")
    html = get(house, "bo", f"/applications/{id}?q=java")
    assert (html.count('value="shortlist"'), html.count('value="reject"'), html.count('value="offer"')) == (1, 1, 0)
    fields = dict(re.findall(r'name="(application|next|seen)" value="([^"]*)"', html))
    assert fields["next"] == f"/applications/{id}?q=java"
    made = client.post(f"/jobs/{house.job}/decisions", data={**fields, "action": "shortlist", "reason": "good"})
    assert (made.status_code, made.headers["location"]) == (303, f"/applications/{id}?q=java")
    html = get(house, "bo", f"/applications/{id}")
    assert "New → Shortlisted for Interview good Bo Carden" in Page(html).text
    assert (html.count('value="shortlist"'), html.count('value="offer"')) == (0, 1)
    [batch] = re.findall(r'name="batch" value="(\w+)"', html)
    client.post(f"/jobs/{house.job}/undo", data={"batch": batch, "next": f"/applications/{id}"})
    html = get(house, "bo", f"/applications/{id}")
    assert "<s>New → Shortlisted for Interview</s>" in html
    assert "undone" in html
    [decision] = house.store.ledger.events(kinds=["decision"])
    seen = house.store.ledger.get(decision.body["seen"])
    assert (seen.kind, str(seen.sequence)) == ("ranking", fields["seen"])


def test_the_way_through_the_list_one_came_from(house: House) -> None:
    """The list is those with Java, in the order of the page: each knows who stands before and behind."""
    listed = re.findall(r'data-application="(\w+)"', get(house, "bo", f"/jobs/{house.job}?skill=java"))
    listed = list(dict.fromkeys(listed))
    assert len(listed) == 3
    html = get(house, "bo", f"/applications/{listed[1]}?skill=java")
    assert f'rel="prev" href="/applications/{listed[0]}?skill=java"' in html
    assert f'rel="next" href="/applications/{listed[2]}?skill=java"' in html
    assert "2 of 3 in this list" in Page(html).text
    outside = Page(get(house, "bo", f"/applications/{house.ids['Clara']}?skill=java")).text
    assert "not in the list you came from" in outside
    assert re.search(r"of 5 for this job", outside)
    assert house.browser("bo").get(f"/applications/{listed[0]}?q=%22unfinished").status_code == 422


def test_two_texts_side_by_side(house: House) -> None:
    asha, boris = house.ids["Asha"], house.ids["Boris"]
    html = get(house, "bo", f"/applications/{asha}/difference/{boris}")
    assert "<del>Asha Rao\nChennai" in html
    assert "<ins>Boris Novak\nPrague" in html
    other = house.store.jobs.add(house.store.jobs.get(house.job).requirements)
    path = Path(house.context.settings.data) / "secret.txt"
    path.write_text(ASHA.text.replace("payroll", "secret"))
    ingest_files(house.context.service, [path], other, total=1, as_of=AS_OF)
    [hidden] = house.store.applications.of_job(other)
    assert house.browser("bo").get(f"/applications/{asha}/difference/{hidden.id}").status_code == 404
    assert house.browser("bo").get(f"/applications/{asha}/difference/{asha}").status_code == 422
    assert house.browser("di").get(f"/applications/{asha}/difference/{hidden.id}").status_code == 200
    text = Page(get(house, "bo", f"/applications/{asha}")).text
    assert "that you do not see" not in text
    assert hidden.id not in get(house, "bo", f"/applications/{asha}")


def test_a_very_long_resume_makes_no_very_long_page(house: House, tmp_path: Path) -> None:
    work = "".join(
        f"Java Developer, Initech {number} Ltd\nJan 2001 - Apr 2003\n- Java, Python and SQL in project {number}\n\n"
        for number in range(700)
    )
    id = take_in_text(house, tmp_path, f"Long Story\n\nEXPERIENCE\n\n{work}")
    html = get(house, "bo", f"/applications/{id}")
    assert len(html) < 1_000_000
    assert "of this long resume are not shown" in html
    assert 'href="?all=1#resume-text"' in html
    whole = get(house, "bo", f"/applications/{id}?all=1")
    assert len(whole) < 3_000_000
    document = house.store.documents.get(house.store.applications.get(id).document)
    assert "".join(Page(whole).resume) == document.text


def test_looking_is_on_record(house: House) -> None:
    id = house.ids["Asha"]
    get(house, "bo", f"/applications/{id}")
    ranking, view = house.store.ledger.events(kinds=["ranking", "view"])[-2:]
    assert (view.kind, view.job, view.body["what"], view.body["seen"]) == (
        "view",
        house.job,
        "candidate",
        ranking.sequence,
    )
    assert house.store.ledger.unsealed([view.actor]) == {view.actor: house.people["bo"].id}
    assert view.body["subjects"] == [house.store.ledger.seal_of("application", id)]
