"""What the tables of one made-up resume are written with: its wordings, its dates, and the two forms of table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from evenhand_lab.corpora.career import Career, CareerJob
from evenhand_lab.corpora.lexicon import chance, weighted
from evenhand_lab.corpora.manuscript import TextRun, Words
from evenhand_lab.corpora.writing.dates import write_month

# How people word the labels of their tables. Each list is dealt out to five folds: none of them sees
# another's.


_TEXT = """
[degree]
Degree; Qualification; Course; Examination; Exam; Degree/Course; Class; Program; Education; Exam Passed;
Academic Qualification; Degree / Class; Examination Passed; Course/Degree; Educational Qualification;
Standard; Name of the Course; Qualifications; Degree/Exams; Title of Degree
[university]
University; Institute; College; School/College; Board/University; Institution; University/Board;
Name of the Institution; School; Board / Institute; College/University; Name of College; Institute/Board;
College / School; Board or University; University/Institute; Name of Institute; Board; School / University;
Institution Name
[year]
Year; Year of Passing; Passing Year; Year of Completion; Passed Out; Graduation Year; Session; Batch;
Year of Pass; Month & Year; Passing out Year; Academic Year; Year Passed; YOP; Completed in; Pass-out Year;
Year of Graduation; Period of Study; Completion; Year(s)
[performance]
Percentage; Marks; Grade; Result; CGPA; Percentage/CGPA; Performance; % of Marks; Aggregate; GPA; Marks (%);
Score; Percentage (%); Class/Division; CGPA/%; Division; Aggregate %; Marks Obtained; %age; Percent
[specialization]
Specialization; Stream; Branch; Discipline; Major; Subject; Field of Study; Specialisation; Subjects;
Department; Main Subjects; Field; Branch/Stream; Area; Major Subject
[employer]
Organization; Employer; Company; Organisation; Company Name; Name of the Company; Employer Name; Firm;
Name of Organization; Name of Employer; Company / Client; Organization Name; Employed at; Workplace;
Name of the Organisation
[designation]
Designation; Position; Role; Title; Job Title; Post; Position Held; Designation Held; Job Role; Post Held;
Role / Designation; Position/Title; Current Designation; Worked as; Last Designation
[period]
Period; Duration; Dates; Tenure; Work Period; Employment Dates; Time Period; From - To; Period of Service;
Date; Time Frame; Years; Service Period; Duration (From-To); Period of Employment
[from]
From; Start; Start Date; Joining Date; From Date; Date of Joining; Since; Joined; Worked From; Begin
[to]
To; End; End Date; Relieving Date; To Date; Date of Leaving; Until; Left; Worked Till; Till
[length]
Duration; Experience; Total; Length; No. of Years; Months; Total Experience; Years of Service; Tenure; Time
[number]
S.No; Sl. No.; No.; Sr. No; #; S No; Serial No.; Nr.; SNo; Sr.No.
[place]
Location; City; Place; Country; State; Current Location; Town; Base; Site; Residence
[duties]
Responsibilities; Description; Roles & Responsibilities; Role Description; Key Responsibilities; Duties;
Job Profile; Nature of Work; Contribution; Main Tasks
[leaving]
Reason for Leaving; Remarks; Reason of Leaving; Reason; Comments
[technologies]
Technologies; Environment; Technology; Tools; Technologies Used; Tools Used; Software; Platform; Tech Stack;
Software Used
[name]
Name; Full Name; Name in Full; Candidate Name; Applicant
[birth]
Date of Birth; DOB; D.O.B; Birth Date; Born; Date of birth; Birthday; D.O.B.; Date Of Birth; Birthdate
[gender]
Gender; Sex
[nationality]
Nationality; Citizenship; Nationality/Citizenship; Citizen of; Nation
[marital]
Marital Status; Civil Status; Marital status; Family Status; Status
[languages]
Languages Known; Languages; Language Known; Linguistic Abilities; Known Languages; Languages Spoken;
Language Proficiency; Mother Tongue; Languages known; Language
[address]
Address; Permanent Address; Present Address; Current Address; Residential Address; Mailing Address;
Communication Address; Postal Address; Home Address; Correspondence Address
[phone]
Phone; Mobile; Contact No; Mobile No; Telephone; Phone Number; Cell; Contact Number; Mobile Number; Tel.
[email]
Email; E-mail; Email ID; E-Mail ID; Mail; Email Address; E-mail id; Mail ID; Email Id; E-mail Address
[parent]
Father's Name; Father Name; Mother's Name; Name of Father; Father’s Name; Husband's Name; Spouse; Guardian;
Father's name; Parents
[passport]
Passport No; Passport Number; Passport; Passport Details; Passport No.
[hobbies]
Hobbies; Interests; Hobbies & Interests; Personal Interests; Leisure
[project]
Project; Project Name; Project Title; Name of Project; Project #1; Title of Project; Projects; Title;
Project name; Assignment
[client]
Client; Customer; Client Name; End Client; Client / Customer; Name of Client; Clients; End Customer;
Customer Name; Client Organization
[team]
Team Size; Size of Team; Team; Team size; Team Strength
[course]
Course; Subject; Module; Paper; Course Title
[credits]
Credits; Credit Hours; ECTS; Units; Credit
[skill]
Skill; Technology; Tool; Skills; Competency; Skill Name; Area; Software; Technology / Tool; Expertise
[experience]
Experience; Years; Years of Experience; Exp.; Level; Proficiency; Duration; Experience (Years);
Expertise Level; Rating
[certificate]
Certification; Certificate; Course; Name of Certification; Training; Certifications; Title; Program;
License; Award
[issuer]
Issued by; Issuer; Organization; Authority; Provider; Institute; Issuing Body; Conducted by; Vendor; From
[event]
Event; Activity; Achievement; Title; Details; Description; Award; Programme; Competition; Topic
[language]
Language; Languages; Language Known; Tongue; Languages Known
[read]
Read; Reading; Can Read; Reads; To Read
[write]
Write; Writing; Can Write; Writes; To Write
[speak]
Speak; Speaking; Can Speak; Spoken; To Speak
[education heading]
Educational Qualification; Education; Academic Details; Academic Qualifications; Academics
[experience heading]
Work Experience; Employment History; Employment Details; Experience Summary; Career Path
[skills heading]
Technical Skills; Skills; Skill Set; Expertise; Competencies
[projects heading]
Projects; Project Details; Key Projects; Project Summary; Assignments
[certifications heading]
Certifications; Trainings; Courses; Licenses; Certificates
[activities heading]
Activities; Achievements; Awards; Honours; Events
[skill groups]
Languages; Databases; Operating Systems; Tools; Frameworks; Web Technologies; Programming Languages; RDBMS;
IDE; Application Servers; Scripting; Cloud; Testing Tools; Version Control; Methodologies; Reporting Tools;
Packages; ERP; Platforms; Domain Knowledge; Web Servers; Operating System; Database; Other Skills;
Build Tools; Office; Technical Skills; Soft Skills; Hardware; Networking; Middleware; Software;
Design Tools; Libraries; Monitoring; Technologies; Modules; Utilities; Protocols; Management Tools
[courses]
Calculus I; Linear Algebra; Classical Mechanics; Organic Chemistry; Data Structures; Operating Systems;
Statistics; Microeconomics; Financial Accounting; Thermodynamics; Digital Logic; English Composition;
World History; Algorithms; Quantum Physics; Marketing Principles; Business Law; Anatomy; Cell Biology;
Numerical Methods; Database Systems; Macroeconomics; Psychology; Fluid Mechanics; Genetics;
Corporate Finance; Computer Networks; Ethics
[pastimes]
reading; cricket; music; travelling; chess; cooking; swimming; yoga; gardening; photography; cycling;
painting; football; hiking; dancing; surfing the net; badminton; movies
[traits]
Hardworking; Team player; Self motivated; Good listener; Quick learner; Flexible; Punctual; Creative;
Friendly; Optimistic; Customer service; Time management; Problem solving; Conflict resolution;
Event planning; Budgeting; Public speaking; Negotiation; Data entry; Cash handling; Media relations;
Project oversight; Staff training; Inventory control; Strategic planning; Writing and editing;
Vendor relations; Scheduling
"""


def _listed(text: str) -> dict[str, tuple[str, ...]]:
    lists = {}
    for part in text.split("\n[")[1:]:
        name, _, items = part.partition("]")
        lists[name] = tuple(item.strip() for item in items.replace("\n", " ").split(";"))
    return lists


WORDINGS: Mapping[str, tuple[str, ...]] = _listed(_TEXT)
SKILL_GROUPS = WORDINGS["skill groups"]
COURSES = WORDINGS["courses"]
PASTIMES = WORDINGS["pastimes"]
TRAITS = WORDINGS["traits"]


FOLDS = 5
Row = tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class MadeTable:
    """`section` is the type of its lines; `is_grid` whether its rows are records."""

    section: str
    rows: tuple[Row, ...]
    is_grid: bool
    bold_header: bool = False


@dataclass(frozen=True, slots=True)
class Maker:
    """What the tables of one resume are written from; wordings are those of its fold, so that others never see them."""

    rng: Random
    career: Career
    fold: int
    dates: str
    joint: str
    present: str

    def word(self, name: str) -> str:
        options = WORDINGS[name]
        own = options[self.fold :: FOLDS]
        return self.rng.choice(own or options)

    def header(self, names: Sequence[str]) -> Row:
        case = self.rng.choice((str, str, str, str.upper, str.title, str.capitalize))
        return tuple((TextRun(case(self.word(name))),) if name else () for name in names)

    def period(self, start: int, end: int | None) -> Words:
        last = self.present if end is None else write_month(end, self.dates, is_end=True)
        return (TextRun(write_month(start, self.dates) + self.joint + last, "date"),)


def plain(text: str) -> Words:
    return (TextRun(text),)


def grid(maker: Maker, section: str, fields: Sequence[tuple[str, list[Words]]], *, fixed: bool = False) -> MadeTable:
    """Columns of (name of the wording, cells): in any order, with a header mostly, with a running number at times."""
    columns = list(fields)
    if not fixed:
        maker.rng.shuffle(columns)
    if chance(maker.rng, 0.12):
        count = len(columns[0][1])
        columns.insert(0, ("number", [plain(f"{place + 1}{maker.rng.choice(('', '.'))}") for place in range(count)]))
    rows: list[Row] = list(zip(*(cells for _, cells in columns), strict=True))
    if chance(maker.rng, 0.82) or columns[0][0] == "number" or len(rows) < 2:
        rows.insert(0, maker.header([name for name, _ in columns]))
    if chance(maker.rng, 0.06):
        rows.insert(0, (plain(maker.word(f"{section} heading")), *((),) * (len(columns) - 1)))
    return MadeTable(section, tuple(rows), True, chance(maker.rng, 0.5))


def keys(maker: Maker, section: str, facts: Sequence[tuple[str, Words]]) -> MadeTable:
    """Label and value: in two columns, with a column of colons, or two pairs beside each other."""
    rng = maker.rng
    colon = rng.choice(("", "", ":", " :"))
    case = rng.choice((str, str, str.upper, str.title))
    pairs = [(plain(case(maker.word(name)) + colon), value) for name, value in facts]
    form = weighted(rng, {"two": 6.0, "colons": 2.0, "pairs": 1.0, "before": 1.0})
    rows: list[Row]
    if form == "colons":
        rows = [(plain(case(maker.word(name))), plain(":"), value) for name, value in facts]
    elif form == "before":
        rows = [(plain(case(maker.word(name))), (TextRun(": "), *value)) for name, value in facts]
    elif form == "pairs" and len(pairs) >= 4:
        half = (len(pairs) + 1) // 2
        rows = [
            (*left, *(right if right else ((), ())))
            for left, right in zip(pairs[:half], [*pairs[half:], None][:half], strict=True)
        ]
    else:
        rows = list(pairs)
    return MadeTable(section, tuple(rows), False)


def duty(job: CareerJob) -> str:
    duties = [duty for project in job.projects for duty in project.duties] + list(job.duties)
    return "; ".join(duties[:3]).replace("{", "").replace("}", "") or "daily business"
