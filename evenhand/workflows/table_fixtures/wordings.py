"""How people word the labels of their tables. Each list is dealt out to five folds: none of them sees another's."""

from __future__ import annotations

from collections.abc import Mapping

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
