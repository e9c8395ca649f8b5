"""Words that decide whether a capitalised word is the applicant's name, all as `folding.fold` writes them."""

from __future__ import annotations


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


MONTHS = _words(
    "january february march april may june july august september october november december jan feb mar apr"
    " jun jul aug sep sept oct nov dec"
)
WEEKDAYS = _words("monday tuesday wednesday thursday friday saturday sunday")

PLACES = _words(
    "ada adobe alexandria amazon apache athens atlanta austin avon berlin bloomberg boeing bosch boston"
    " brazil bristol cadence carolina cassandra charlotte chelsea chester chile china cisco cleveland columbia"
    " columbus cuba dakota dallas dell deloitte delta denver devon django dublin durham ebay eclipse florence"
    " florida hamilton harvard havana heroku hilton holland houston hudson india indiana intel jackson java"
    " jenkins jira johnson jordan julia kafka kent kenya kingston lancaster leeds lexington lima lincoln"
    " lisbon london lotus madison madrid malta maven maya memphis mercedes meta milan montana morgan mysore"
    " nevada newton nike nile norfolk oracle orlando oxford pascal perl peru philips plano portland princeton"
    " python quincy raleigh reno richmond rio rome rust salem san santa scala selenium sharp sheffield siemens"
    " splunk springfield stanford stanley sydney tableau target tesla texas turkey valencia venice verizon"
    " vermont victoria vienna virginia visa warsaw washington watson wellington"
)
"""Names that are places, employers or products."""

COMMON = MONTHS | WEEKDAYS | PLACES | _words(
    "abbey amber angel archer art ash asher aspen autumn baker banks barber bay beach bean bear bell berry"
    " best bill bird bishop black blaze bliss bloom blue bond booker booth branch brand bridge bridges bright"
    " brook brooks brown buck bud burns bush butler candy cane carol carpenter case cash castle chance chapel"
    " charity chase chef cherry chip church clay clerk cliff coach colt cook copper coral cotton court craft"
    " crane cross crystal curry daisy dale dash dawn day dean destiny diamond dick don dove drew duke dusty"
    " eagle earl early east easter ebony eden ember emerald english faith farmer fern field fields finch"
    " fisher flint flora flower ford forest foster fountain fox french frost gage garden gardener gem gene"
    " genesis georgia german ginger glass glen glory gold golden good gore grace grant graves gray green grey"
    " guy hall harbor harmony hart harvest haven hawk hay hazel heart heath heather herb hill hills holiday"
    " holly honor hood hope hopper hunt hunter ice innocent iris irish ivory ivy jack jade jasmine jasper"
    " jersey jet jewel joy judge justice keen king knight lake lamb lance land lane lark laurel law lawn lea"
    " legend leo liberty light lily lime link little lock long lord love lucky major man marina mark marks"
    " mars marsh marshal mason masters max maxim may mercury mercy merit mile miles mill mills miracle mission"
    " moon moor moss motto neon noble noel north nova oak ocean olive opal orange oscar page paris park parks"
    " patience peace pearl penny pepper phoenix piper plum pope porter potter power powers precious price"
    " pride prince prior prosper queen quest rain ranger raven ray reed reign rice rich ridge river rivers"
    " robin rock rocky rod roman rook rose rosemary rowan royal ruby rush rusty sage salt sand sandy savannah"
    " scarlet scout serenity sergeant shell shepherd shields shine short silver singer skip sky small snow"
    " solo song south spark sparks spencer spring star steel sterling stone storm story strange street strong"
    " summer summers sun sunny swan swift tanner temple tiger tower town trinity true trust unique usher"
    " valentine van victor victory violet ward warden water waters weeks wells west white wild wilder will"
    " willow wing winner winter winters wise wolf wood woods worth york young"
)  # fmt: skip
"""A part of a name that is one of these is masked alone only where nothing but a name can stand."""

PARTICLES = _words(
    "al bin ibn abu abd ben bint da das de del della den der di do dos du el het la las le les lo los mac mc"
    " ten ter van von vom zu zum zur san santa saint st e y and bte binti"
)
"""Never masked alone, whatever the name is."""

TITLES = _words(
    "mr mrs ms miss mister sir madam dr doctor prof professor er engr eng ca adv adoc shri smt kum sri herr"
    " frau mme mlle dipl ing jr sr ii iii iv esq phd mba md msc bsc ma ba bs bcom mcom mca bca btech mtech be"
    " me llb llm jd cpa cfa cma pmp rn lpn np pe eit cissp ccna itil csm acca aca shrm cp phr sphr dds dvm edd"
    " pharmd psyd mph msw lcsw mpa bba bsn msn aprn fnp crna cna pa rd cfp cia cisa"
)
"""What stands before or behind a name and is no part of it."""

NO_NAMES = _words(
    "resume resumes cv curriculum vitae vita biodata bio data profile profiles application applicant"
    " candidate confidential name full first last middle surname given page contact personal details"
    " information cover letter final updated update latest new copy draft version ver vers signed doc docx pdf"
    " txt rtf odt html file scan years year yrs exp experience experienced fresher naukri indeed linkedin"
    " internship email mail mobile phone telephone tel cell ph fax address website web github skype green card"
    " holder citizen visa mob whatsapp"
)

OCCUPATIONS = _words(
    "accountant accounting actor actuary administration administrative administrator advisor advocate agent"
    " aide analyst analytics architect artist assembler assistant associate attendant attorney auditor banker"
    " barista bartender biologist bookkeeper broker business buyer captain caregiver carpenter cashier"
    " chairman chef chemist chief clerk clinical coach coder commander compliance computer concierge"
    " construction consultant consulting contractor controller coordinator copywriter counsel counselor"
    " creative customer data dba dentist designer developer development devops digital director dispatcher"
    " driver economist editor educator electrician employee engineer engineering estimator executive expert"
    " faculty fellow finance financial firefighter fitness foreman freelance freelancer functional generalist"
    " graduate graphic growth guard handler handyman head health hr human implementation information inspector"
    " instructor intern internship inventory investigator it java journalist keeper laborer labourer junior"
    " lab laboratory lawyer lead leader leadership lecturer legal librarian lieutenant linguist logistics"
    " machinist maintenance management manager manufacturing marketer marketing mechanic medical member mentor"
    " merchant midwife mobile mover musician network nurse nursing nutritionist officer operations operator"
    " owner painter paralegal paramedic partner pharmacist phlebotomist photographer picker physician physicist pilot"
    " planner plumber police postdoc postdoctoral president principal processor procurement producer product"
    " production professional professor program programmer project purchasing qa quality realtor receptionist"
    " recruiter relations representative research researcher resources retail risk safety sales scheduler"
    " scholar science scientist seamstress secretary security senior server service services site social"
    " software solution solutions specialist staff statistician storekeeper strategist superintendent strategy"
    " student supervisor supply support surgeon surveyor system systems tax teacher teaching team tech"
    " technical technician technologist technology teller test tester therapist trader trainee trainer"
    " translator tutor underwriter undergraduate ux ui veterinarian vice volunteer waiter waitress warehouse"
    " web welder worker writer"
)
"""A short line with one of these is what someone does, not who or where someone is."""

HEADINGS = _words(
    "about accomplishments achievements activities additional affiliations awards background career"
    " certificates certification certifications competencies contact core courses coursework declaration"
    " education educational employment experience expertise extracurricular goal highlights history hobbies"
    " honors interests key knowledge languages licenses major memberships military objective objectives"
    " overview patents portfolio presentations projects publications qualifications references"
    " responsibilities scholastic skill skills strengths summary synopsis technologies tools trainings"
    " training work"
)

COUNTRIES = (
    "Argentina Australia Austria Bahrain Bangladesh Belgium Brasil Brazil Bulgaria Canada Chile China"
    " Colombia Croatia Czech_Republic Denmark Deutschland Egypt England España Finland France Germany Ghana"
    " Greece Hong_Kong Hungary India Indonesia Iran Ireland Israel Italia Italy Japan Jordan Kenya Kuwait"
    " Lebanon Malaysia Mexico Morocco México Nepal Netherlands New_Zealand Nigeria Norway Oman Pakistan Peru"
    " Philippines Poland Polska Portugal Qatar Romania Russia Saudi_Arabia Scotland Serbia Singapore Slovakia"
    " South_Africa South_Korea Spain Sri_Lanka Sweden Switzerland Taiwan Thailand Tunisia Turkey U.A.E. U.K."
    " U.S.A. UAE UK USA Ukraine United_Arab_Emirates United_Kingdom United_States United_States_of_America"
    " Vietnam Wales"
)
"""As they are written behind a city; "_" is a space."""
