"""The phrases that the terminal has for a person in a chair."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PlayWords:
    """The phrases of one language; names in braces are filled in."""

    waiting_room: str
    patient: str
    comes_in: str
    choose: str
    others_please: tuple[str, ...]
    no_such_number: str
    years: str
    male: str
    female: str
    unknown: str
    welcome: str
    help: str
    you: str
    roles: dict[str, str]
    unknown_command: str
    near_command: str
    needs: str
    physical: str
    closing: str
    report_begins: str
    report_begins_exam: str
    hand_in: str
    closed: str
    yes: tuple[str, ...]
    report_time_over: str
    no_editor: str
    parts: dict[str, str]
    report_empty: str
    chart: str
    nothing_known: str
    complaint: str
    said: str
    denied: str
    signs: str
    results: str
    abnormal: str
    reference_range: str
    notes: str
    no_notes: str
    noted: str
    differential: str
    no_differential: str
    hint_ask: str
    hint_examine: str
    no_hint: str
    took_back: str
    nothing_to_take_back: str
    saved: str
    left: str
    resumed: str
    not_in_exam: str
    time_left: str
    time_over: str
    marks: str
    missed: str
    facts_missed: str
    examinations_missed: str
    unremarkable_missed: str
    within_reach: str
    never_within_reach: str
    linked: str
    hit: str
    extra: str
    not_found: str
    others: str
    nothing: str
    separator: str
    comma: str
    listed: str
    top_at_once: str
    top_since: str
    not_top: str
    stop: str
    unlisted_again: str
    never_listed: str
    run_is_in: str
    npc_welcome: dict[str, str]
    npc_help: dict[str, str]
    card: str
    background: str
    way_of_speaking: str
    emotion: str
    history: str
    suggestion: str
    leave: str
    chief_welcome: str
    record_has: str
    report_says: str
    grade: str
    grade_menu: str
    analysis: str
    letters_of: str
    agreement: str
    checklist: str
    gave_out: str
    still_waiting: str
    being_marked: str
    not_marked: str
    watch_keys: str
    paused: str
    goes_on: str
