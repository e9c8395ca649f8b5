"""The people of the sample resumes. All are invented; addresses are example.com/.org, phones are 555-01xx."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Job:
    title: str
    employer: str
    place: str
    dates: str
    duties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Study:
    degree: str
    school: str
    dates: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    title: str
    contact: tuple[str, ...]
    profile: str
    jobs: tuple[Job, ...]
    studies: tuple[Study, ...]
    skills: tuple[tuple[str, str], ...]  # heading, comma-separated list
    languages: str = ""
    certificates: tuple[str, ...] = ()


ILSE = Person(
    name="Ilse Varga-Lindholm",
    title="Senior Data Engineer",
    contact=("Westhaven", "(206) 555-0117", "ilse.varga@example.com", "example.com/ilse"),
    profile=(
        "Data engineer with nine years of building pipelines that other teams can rely on. Moved three companies "
        "from nightly batch jobs to streams with contracts, tests and owners. Happiest when a dashboard is boring "
        "because the numbers are simply right."
    ),
    jobs=(
        Job(
            "Senior Data Engineer",
            "Northmoor Freight Systems",
            "Westhaven",
            "Mar 2021 – Present",
            (
                "Lead a team of four that owns 140 pipelines on Airflow and Spark, moving 2.3 TB a day from 60 depots.",
                "Replaced nightly loads of shipment events by Kafka streams; the arrival forecast is now 4 minutes "
                "old instead of 19 hours.",
                "Introduced data contracts checked in CI; incidents caused by changed source tables fell from 31 to 5 "
                "a year.",
                "Cut warehouse cost by 38% by rewriting the 20 most expensive dbt models and by partitioning fact "
                "tables.",
            ),
        ),
        Job(
            "Data Engineer",
            "Brightquay Mutual",
            "Karlsmark",
            "Aug 2017 – Feb 2021",
            (
                "Built the claims data mart (PostgreSQL, Python, dbt) used by 220 actuaries and case workers.",
                "Wrote a reconciliation service that compares ledgers of five countries every hour and explains each "
                "difference.",
                "Trained 25 analysts in SQL window functions, version control and code review.",
            ),
        ),
        Job(
            "Junior Software Developer",
            "Pellworth Instruments",
            "Karlsmark",
            "Sep 2015 – Jul 2017",
            (
                "Developed the import of laboratory measurements in Java and Oracle; 40 device types, no lost record "
                "in two years.",
                "Automated regression tests of the measuring software with Jenkins, saving two tester days a release.",
            ),
        ),
    ),
    studies=(
        Study(
            "M.Sc. Computer Science",
            "Technical University of Karlsmark",
            "2013 – 2015",
            "Grade 1.4; thesis on incremental view maintenance",
        ),
        Study("B.Sc. Applied Mathematics", "University of Westhaven", "2010 – 2013"),
    ),
    skills=(
        ("Languages", "Python, SQL, Scala, Java, Bash"),
        ("Data", "Apache Spark, Apache Kafka, Airflow, dbt, PostgreSQL, Snowflake, Parquet"),
        ("Operations", "Docker, Kubernetes, Terraform, Jenkins, Grafana, AWS (S3, Glue, Lambda)"),
    ),
    languages="German (native), Swedish (native), English (C2)",
    certificates=("Certified Kubernetes Application Developer, 2022", "AWS Solutions Architect – Associate, 2020"),
)

TOMAS = Person(
    name="Tomas Okonjo-Reyes",
    title="Product Designer",
    contact=("Port Ellery", "(415) 555-0162", "tomas@example.org", "example.org/tomas"),
    profile=(
        "Designer of tools for people under pressure: dispatchers, nurses, cashiers. I start with a day on site, "
        "end with a measured result, and write front-end code where it keeps the design honest."
    ),
    jobs=(
        Job(
            "Senior Product Designer",
            "Lumen & Tide",
            "Port Ellery",
            "Jan 2022 – Present",
            (
                "Redesigned the emergency dispatch screen of 14 counties; time to first unit fell from 71 to 52 "
                "seconds.",
                "Run weekly usability tests with dispatchers; 90 findings, 83 shipped.",
                "Own the design system: 64 accessible components (WCAG 2.2 AA), used by nine teams.",
            ),
        ),
        Job(
            "UX Designer",
            "Corvane Health",
            "San Alder",
            "May 2018 – Dec 2021",
            (
                "Designed the medication round on tablets for 31 hospitals; documentation errors down 27%.",
                "Introduced diary studies and a research library that 120 colleagues search every month.",
                "Paired with engineers in React and TypeScript to build the prototype that won the tender.",
            ),
        ),
        Job(
            "Interaction Designer",
            "Studio Halfmoon",
            "San Alder",
            "Jul 2015 – Apr 2018",
            (
                "Shipped 22 web and kiosk projects for museums, transit and retail.",
                "Built ticket machines with large type and speech output, tested with 40 blind passengers.",
            ),
        ),
    ),
    studies=(
        Study("M.Des. Interaction Design", "Alder Institute of Art", "2013 – 2015"),
        Study("B.A. Psychology", "Port Ellery College", "2009 – 2013"),
    ),
    skills=(
        ("Design", "Figma, Prototyping, Design systems, Service blueprints"),
        ("Research", "Usability testing, Diary studies, Survey design, SUS"),
        ("Code", "HTML, CSS, TypeScript, React, Storybook"),
    ),
    languages="English (native), Spanish (native), Portuguese (B2)",
)

MINA = Person(
    name="Mina Castellan",
    title="Project Manager, Infrastructure",
    contact=("14 Quarry Lane, Oldbridge", "(312) 555-0138", "mina.castellan@example.com"),
    profile=(
        "Project manager with eleven years in rail and water projects of up to 48 million. Delivers on the date that "
        "was promised, and says early when a date cannot be kept."
    ),
    jobs=(
        Job(
            "Senior Project Manager",
            "Halden Rail Works",
            "Oldbridge",
            "Feb 2019 – Present",
            (
                "Led the renewal of 46 km of track and nine stations; finished two weeks early and 3% under budget.",
                "Manage 11 contractors and 160 people on site; 700 days without a lost-time accident.",
                "Negotiated night possessions with operators, so that not one peak-hour train was cancelled.",
            ),
        ),
        Job(
            "Project Manager",
            "Greywater Utilities",
            "Marlow Falls",
            "Jun 2014 – Jan 2019",
            (
                "Built two pumping stations and 18 km of main, 31 million, from tender to hand-over.",
                "Set up earned-value reporting in MS Project and Power BI for a portfolio of 24 projects.",
            ),
        ),
        Job(
            "Site Engineer",
            "Tarn & Sons Construction",
            "Marlow Falls",
            "Sep 2012 – May 2014",
            ("Supervised concrete works of a bridge with four spans; checked 2,100 test results.",),
        ),
    ),
    studies=(Study("M.Eng. Civil Engineering", "University of Marlow Falls", "2007 – 2012", "With distinction"),),
    skills=(
        ("Planning", "MS Project, Primavera P6, Earned value, Critical path"),
        ("Contracts", "NEC4, FIDIC, Tendering, Claims"),
        ("Software", "Power BI, AutoCAD, Excel, SharePoint"),
    ),
    languages="English (native), Italian (C1)",
    certificates=("PMP, 2016", "PRINCE2 Practitioner, 2015", "NEBOSH General Certificate, 2013"),
)

JONAS = Person(
    name="Jonas Ferreira-Dahl",
    title="Clinical Research Coordinator",
    contact=("Elmsford", "(617) 555-0109", "jonas.dahl@example.org"),
    profile=(
        "Registered nurse and research coordinator with seven years in oncology and cardiology trials, phases I to "
        "III. Known for clean data and for patients who stay until the last visit."
    ),
    jobs=(
        Job(
            "Clinical Research Coordinator",
            "Elmsford University Hospital",
            "Elmsford",
            "Apr 2020 – Present",
            (
                "Coordinate eight oncology trials with 210 patients; screening, consent, visits, adverse events.",
                "Entered and cleaned 48,000 data points in Medidata Rave; query rate 1.1% against 4.6% on average.",
                "Prepared the site for two inspections; no critical finding.",
            ),
        ),
        Job(
            "Study Nurse",
            "Harrow Cardiac Institute",
            "Elmsford",
            "Sep 2017 – Mar 2020",
            (
                "Recruited 96 patients for a heart failure trial in nine months, first of 14 sites.",
                "Took and shipped 3,400 blood samples by protocol; deviation rate below 0.5%.",
            ),
        ),
        Job(
            "Registered Nurse, Intensive Care",
            "St. Brannoc Hospital",
            "Weller",
            "Oct 2014 – Aug 2017",
            ("Cared for ventilated patients on a ward with 18 beds; mentor of six new nurses.",),
        ),
    ),
    studies=(
        Study("M.Sc. Clinical Research", "Elmsford University", "2018 – 2020"),
        Study("B.Sc. Nursing", "Weller College of Health", "2011 – 2014"),
    ),
    skills=(
        ("Trials", "ICH-GCP E6, Informed consent, IRB submissions, Source documentation"),
        ("Systems", "Medidata Rave, REDCap, Epic, Oracle Clinical"),
        ("Clinical", "Phlebotomy, ECG, Vital signs, RECIST basics"),
    ),
    languages="English (native), Portuguese (C1)",
    certificates=("CCRC, 2021", "Basic Life Support, 2024"),
)

PRIYA = Person(
    name="Priya Halvorsen",
    title="Financial Accountant",
    contact=("Stonegate", "(503) 555-0174", "priya.halvorsen@example.com"),
    profile=(
        "Accountant with eight years in manufacturing and retail groups. Closes the month in three working days and "
        "explains every line of it."
    ),
    jobs=(
        Job(
            "Group Accountant",
            "Fennick Tools Group",
            "Stonegate",
            "Jan 2020 – Present",
            (
                "Consolidate 12 companies in four currencies under IFRS; close shortened from nine to three days.",
                "Introduced SAP S/4HANA for fixed assets; 26,000 items moved without a difference.",
                "Contact of the auditors; three years without an adjustment.",
            ),
        ),
        Job(
            "Accountant",
            "Marrow & Pine Stores",
            "Stonegate",
            "Sep 2016 – Dec 2019",
            (
                "Kept the general ledger of 38 shops and the monthly VAT returns.",
                "Built the stock valuation in Excel and Power Query; two days of work became ten minutes.",
            ),
        ),
    ),
    studies=(Study("B.Sc. Accounting and Finance", "Stonegate University", "2013 – 2016", "First class"),),
    skills=(
        ("Accounting", "IFRS, US GAAP, Consolidation, Fixed assets, VAT"),
        ("Systems", "SAP S/4HANA, Oracle NetSuite, Excel, Power Query, SQL"),
    ),
    languages="English (native), Norwegian (B2), Hindi (B2)",
    certificates=("ACCA, 2019",),
)

LEO = Person(
    name="Leo Adeyemi-Strand",
    title="Front-End Developer",
    contact=("Brackwater", "(720) 555-0151", "leo@example.com", "example.com/leo"),
    profile=(
        "Front-end developer, five years, with a weakness for fast pages. My largest site loads in 0.9 seconds on a "
        "five-year-old phone."
    ),
    jobs=(
        Job(
            "Front-End Developer",
            "Wickerby Travel",
            "Brackwater",
            "Oct 2021 – Present",
            (
                "Rebuilt the booking path in TypeScript and Vue 3; conversion up 12%, bundle down from 910 to 240 kB.",
                "Brought accessibility from 61 to 100 points in Lighthouse and wrote 340 end-to-end tests in "
                "Playwright.",
            ),
        ),
        Job(
            "Web Developer",
            "Quill & Anchor Agency",
            "Brackwater",
            "Aug 2019 – Sep 2021",
            (
                "Delivered 17 shops and magazines with WordPress, PHP and JavaScript.",
                "Set up GitLab CI for all projects; a release takes six minutes instead of an afternoon.",
            ),
        ),
    ),
    studies=(Study("B.Sc. Media Informatics", "Brackwater University of Applied Sciences", "2016 – 2019"),),
    skills=(
        ("Front end", "TypeScript, JavaScript, Vue, HTML, CSS, Vite"),
        ("Around it", "Node.js, PHP, MySQL, Playwright, GitLab CI, Figma"),
    ),
    languages="English (native), Norwegian (C1)",
)

AGNIESZKA = Person(
    name="Agnieszka Wiśniowska",
    title="Główna księgowa",
    contact=("Łódź", "(202) 555-0186", "a.wisniowska@example.org"),
    profile=(
        "Księgowa z dziesięcioletnim doświadczeniem w spółkach produkcyjnych. Zamykam miesiąc w cztery dni robocze, "
        "a każdą różnicę potrafię wyjaśnić."
    ),
    jobs=(
        Job(
            "Główna księgowa",
            "Fabryka Łożysk Żuraw",
            "Łódź",
            "03.2019 – obecnie",
            (
                "Kieruję zespołem sześciu osób i odpowiadam za sprawozdania finansowe spółki.",
                "Wdrożyłam elektroniczny obieg faktur; czas zatwierdzania skrócił się z dziewięciu do dwóch dni.",
                "Trzy badania biegłego rewidenta bez zastrzeżeń.",
            ),
        ),
        Job(
            "Samodzielna księgowa",
            "Przędza i Światło",
            "Pabianice",
            "09.2014 – 02.2019",
            (
                "Prowadziłam księgi rachunkowe, rozliczenia VAT i CIT oraz środki trwałe.",
                "Przygotowałam przeniesienie danych do systemu SAP; 14 tysięcy pozycji bez różnic.",
            ),
        ),
    ),
    studies=(Study("Magister, finanse i rachunkowość", "Wyższa Szkoła Handlowa w Zgierzu", "2009 – 2014"),),
    skills=(("Umiejętności", "SAP, Excel, Power Query, MSSF, ustawa o rachunkowości, SQL"),),
    languages="polski (ojczysty), angielski (C1), niemiecki (B1)",
)

VICTOR = Person(
    name="Victor Sandoval-Kray",
    title="IT Support Technician",
    contact=("Grafton", "(404) 555-0125", "victor.sk@example.com"),
    profile="Support technician with four years at the service desk of a logistics company with 900 employees.",
    jobs=(
        Job(
            "IT Support Technician",
            "Pallister Logistics",
            "Grafton",
            "Jun 2020 – Present",
            (
                "Solve 35 tickets a day by phone, remote session and on site; 92% at first contact.",
                "Installed 400 notebooks with Windows 11 and wrote the guide that the whole desk uses.",
            ),
        ),
        Job(
            "Shop Assistant, Electronics",
            "Bellhaven Stores",
            "Grafton",
            "Mar 2018 – May 2020",
            ("Advised customers on computers and networks; best seller of the branch in 2019.",),
        ),
    ),
    studies=(Study("Diploma, Computer Systems", "Grafton Technical College", "2016 – 2018"),),
    skills=(("Skills", "Windows 11, Active Directory, Microsoft 365, Jira Service Management, PowerShell basics"),),
    languages="English (native), Spanish (B1)",
)

HANNA = Person(
    name="Hanna Brandt-Osei",
    title="Warehouse Team Leader",
    contact=("Millbrook", "(513) 555-0193", "hanna.bo@example.org"),
    profile="Team leader with twelve years in warehousing, from picker to head of a shift with 45 people.",
    jobs=(
        Job(
            "Warehouse Team Leader",
            "Orrin Distribution",
            "Millbrook",
            "May 2017 - Present",
            (
                "Lead 45 people in two halls; 11,000 parcels a day, error rate 0.2%.",
                "Planned the move to a new hall; shipping stopped for one day only.",
            ),
        ),
        Job(
            "Forklift Driver",
            "Castor Paper Mill",
            "Millbrook",
            "Feb 2012 - Apr 2017",
            ("Loaded 30 trucks a day; five years without an accident.",),
        ),
    ),
    studies=(Study("Vocational Diploma, Warehouse Logistics", "Millbrook Trade School", "2009 - 2012"),),
    skills=(("Skills", "SAP EWM, Shift planning, Forklift licence, Lean basics, Excel"),),
    languages="English (native), Twi (native)",
)

PEOPLE = (ILSE, TOMAS, MINA, JONAS, PRIYA, LEO, AGNIESZKA, VICTOR, HANNA)
