"""The terminal's phrases in English."""

from __future__ import annotations

from hospital.play.phrases import PlayWords

ENGLISH = PlayWords(
    waiting_room="Waiting room",
    patient="Patient",
    comes_in="Before you: {who}.",
    choose="Whom do you see? A number, Enter for the first, m for others: ",
    others_please=("m", "more", "o", "others"),
    no_such_number="There are numbers 1 to {n}, and m for others; /quit leaves.",
    years="{age} years",
    male="male",
    female="female",
    unknown="not stated",
    welcome="You are the doctor: what you type is said to the patient. Besides:\n"
    "/examine abdomen   /order CBC   /chart   /report at the end   /help for all",
    help="""\
any words              are said to the patient
/examine abdomen       a physical examination: of a region, or a sign
/order x-ray, CBC      tests and images, by their names
/chart                 what is known so far
/notes [TEXT]          your private notes; with a text, adds it
/differential [A, B]   your private list of guesses, likeliest first
/hint                  what to ask or order next; it is counted
/undo                  take back your last turn; it is counted
/report [edit]         end the consultation and write the report; edit: in
                       your own editor
/save                  says where the visit is kept, as it is after every line
/quit                  leave; "hospital play --resume" goes on
Tab                    completes commands and names of examinations
Arrow up               brings back what you typed""",
    you="doctor",
    roles={
        "doctor": "Doctor",
        "patient": "Patient",
        "examiner": "Examiner",
        "chief_physician": "Chief physician",
    },
    unknown_command="There is no command {command}; /help lists them.",
    near_command="There is no command {command}; did you mean {near}?",
    needs="Say what, as in: {example}",
    physical="Physical examination: {what}",
    closing="Thank you, that is all I need to know.",
    report_begins="The report, in five parts. Enter ends each; an empty one is left out.\n"
    "/undo takes you back to the patient, /quit keeps what you have for later.",
    report_begins_exam="The report, in five parts. Enter ends each; an empty one is left out.",
    hand_in="Hand it in? Enter: yes; 1 to 5: change a part. ",
    closed="The consultation is over; /undo takes you back to the patient.",
    yes=("", "y", "yes"),
    report_time_over="The time is over. What you have written is handed in.",
    no_editor="No editor was used: set EDITOR, or write it here.",
    parts={
        "symptoms": "Symptoms",
        "examinations": "Auxiliary examinations",
        "diagnosis": "Diagnosis",
        "rationale": "Rationale",
        "treatment": "Treatment plan",
    },
    report_empty="The report is empty. Write at least a diagnosis, or /quit to leave it for later.",
    chart="Chart",
    complaint="Complaint",
    nothing_known="Nothing yet.",
    said="Says",
    denied="Negatives",
    signs="Signs",
    results="Results",
    abnormal="abnormal",
    reference_range="reference {range}",
    notes="Notes",
    no_notes="No notes yet; /notes TEXT adds one.",
    noted="Noted.",
    differential="Differential",
    no_differential="No list yet; /differential NAME, NAME, … sets it, likeliest first.",
    hint_ask="Ask about: {what}",
    hint_examine="Think of: {what}",
    no_hint="Nothing stands out so far. Ask openly for the course of the illness.",
    took_back="Taken back.",
    nothing_to_take_back="There is nothing to take back.",
    saved="Kept in {path}",
    left="The visit is kept. To go on:",
    resumed="Going on where you left.",
    not_in_exam="Not in an examination.",
    time_left="{minutes} min left",
    time_over="The time is over. Write the report now.",
    marks="Marks by {judge}",
    missed="What was missed",
    facts_missed="Never asked: {items}",
    examinations_missed="Never ordered, and abnormal: {items}",
    unremarkable_missed="Never ordered, and unremarkable: {n}",
    within_reach="Within reach: what came out put the diagnosis first, by rule, from turn {turn} "
    "on.",
    never_within_reach="Within reach: by rule, what came out never put the diagnosis first.",
    linked="Diagnoses by ICD-10",
    hit="right: {name}",
    extra="not in the record: {name}",
    not_found="missed: {name}",
    others="Others on this case",
    nothing="nothing",
    separator="; ",
    comma=", ",
    listed="Your list: the diagnosis came onto it in turn {turn}, at place {place} of {of}",
    top_at_once="Your list: the diagnosis came onto it in turn {turn}, and at once to the top",
    top_since="it was at the top from turn {turn} on",
    not_top="it was at place {place} in the end",
    stop=".",
    unlisted_again="your last list had it no more",
    never_listed="Your list: the diagnosis never stood on it.",
    run_is_in="The visit is in {path}",
    npc_welcome={
        "patient": "You are the patient. Answer the doctor in your own words, from your card.",
        "examiner": "You are the examiner. Report what is on record for what is requested.",
    },
    npc_help={
        "patient": """\
Plain text    answers the doctor
/card         your card
/suggest      what the grounded patient would say
/end [words]  take your leave, which ends the consultation
/undo         take back your last answer
/quit         leave; "hospital play --resume" goes on""",
        "examiner": """\
Plain text    reports results to the doctor
/card         all results on record
/suggest      what the grounded examiner would report
/undo         take back your last reply
/quit         leave; "hospital play --resume" goes on""",
    },
    card="Your card",
    background="Background",
    way_of_speaking="Way of speaking",
    emotion="Mood",
    history="History",
    suggestion="It might be said so:",
    leave="Thank you, doctor. Goodbye.",
    chief_welcome="You are the chief physician. Grade each part of the report against the record: "
    "A (agrees) to D (nothing in common); - abstains.",
    record_has="The record",
    report_says="The report",
    grade="{part}: A, B, C, D or -? ",
    grade_menu="A, B, C or D; - abstains.",
    analysis="Why (Enter: nothing): ",
    letters_of="{part}: {letters}",
    agreement="The same letter in {same} of {of}, one letter apart in {near}.",
    checklist="Checklist: {points} of {of} points",
    still_waiting="(no answer yet; Ctrl-C leaves, and nothing is lost)",
    being_marked="{judge} is marking …",
    gave_out="{role}: no answer came ({why})",
    not_marked="{judge} did not mark the visit ({why}). To have it marked:",
    watch_keys="Space pauses, q leaves.",
    paused="Paused. Space goes on, q leaves.",
    goes_on="On.",
)
