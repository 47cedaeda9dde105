//! When it is: now, before, again and again, or years ago.

use std::{ops::Range, sync::LazyLock};

use super::{
    SURE, Signal,
    facts::time,
    language::{self, About},
    pattern::{Hit, PatternSet},
    signals::{Found, Meaning, overlap},
    text::Text,
};

/// Times, of triggers.toml.
pub(super) struct TimeWords {
    long_ago: PatternSet<()>,
    habit: PatternSet<()>,
    this_minute: PatternSet<()>,
}

static TIMES: LazyLock<TimeWords> = LazyLock::new(|| {
    let triggers = &*language::TRIGGERS;
    TimeWords {
        long_ago: PatternSet::of(&triggers.long_ago),
        habit: PatternSet::of(&triggers.habit),
        this_minute: PatternSet::of(&triggers.this_minute),
    }
});

/// Compiles the lexicons, which otherwise happens in the first turn.
pub(super) fn prepare() {
    LazyLock::force(&TIMES);
}

/// Whether the turn speaks of years ago.
pub(crate) fn tells_of_long_ago(text: &Text<'_>) -> bool {
    TIMES.long_ago.is_match(text)
}

/// Where in the turn which times are spoken of.
pub(super) struct Times {
    this_minute: Vec<Range<usize>>,
    long_ago: Vec<Range<usize>>,
    pub habit: Vec<Range<usize>>,
    past: Vec<Range<usize>>,
    /// Anywhere in the turn: an earlier day, or again and again.
    pub earlier: bool,
}

impl Times {
    pub fn of(text: &Text<'_>) -> Self {
        let hits =
            |set: &PatternSet<()>| set.hits(text).into_iter().map(|hit| hit.tokens).collect();
        let mentions = time::mentions(text);
        Self {
            this_minute: hits(&TIMES.this_minute),
            long_ago: hits(&TIMES.long_ago),
            habit: hits(&TIMES.habit),
            earlier: mentions.iter().any(|m| m.is_past() || m.is_recurring()),
            past: mentions
                .into_iter()
                .filter(time::Mention::is_past)
                .map(|m| m.tokens)
                .collect(),
        }
    }
}

/// "He's hitting me" is now; "last night he is hitting me" is not; "he beat me now" is.
pub(super) fn settle_tense(text: &Text<'_>, times: &Times, hit: &Hit<Meaning>) -> Vec<Found> {
    let near = neighbourhood(text, &hit.tokens);
    let among = |spans: &[Range<usize>]| spans.iter().any(|span| overlap(span, &near));
    let minute = (among(&times.this_minute) || now_beside(text, &hit.tokens))
        && !text.slice(near.clone()).contains("just now");
    let long_ago = among(&times.long_ago) && !minute;
    let before = among(&times.past);
    let habit = among(&times.habit);
    let mut found = Found {
        signal: hit.meaning.signal,
        confidence: hit.meaning.weight,
        tokens: hit.tokens.clone(),
        denied: hit.denied,
        remote: long_ago,
        of_others: hit.meaning.about == About::SomeoneElse,
    };
    let past = (long_ago
        || before
        || habit
        || told_as_past(text, &hit.tokens)
        || done_on_an_earlier_day(text, &hit.tokens, times))
        && !minute;
    match found.signal {
        Signal::ViolenceNow if past => {
            // What lasted, or was so before, is abuse, if the words name it surely.
            found.signal = Signal::PhysicalAbuse;
            // "He is going to kill me on Monday" tells of nothing done.
            let to_come = hit
                .tokens
                .clone()
                .any(|i| matches!(text.word(i), "going" | "will" | "gonna" | "about"));
            if found.confidence < SURE || to_come || !names_the_harmed(text, hit.tokens.clone()) {
                return Vec::new();
            }
            found.confidence = 0.75;
            // Locked in, and out again: that is control, and no blow.
            if hit.tokens.clone().any(|i| text.word(i).starts_with("lock")) {
                found.signal = Signal::PsychologicalAbuse;
            }
            vec![found]
        }
        Signal::PhysicalAbuse | Signal::Strangulation
            if minute && !past && !hit.denied && !calm(text, &near) =>
        {
            let now = Found {
                signal: Signal::ViolenceNow,
                confidence: 0.8,
                ..found.clone()
            };
            vec![found, now]
        }
        Signal::PhysicalAbuse | Signal::Strangulation
            if !hit.denied && !habit && !long_ago && just_now(text, &near) =>
        {
            let now = Found {
                signal: Signal::ViolenceNow,
                confidence: 0.6,
                ..found.clone()
            };
            vec![found, now]
        }
        Signal::OverdoseNow | Signal::SelfHarmNow if long_ago || before && !today(text, &near) => {
            found.signal = Signal::SuicidalIndirect;
            found.confidence = if long_ago { 0.55 } else { 0.8 };
            vec![found]
        }
        Signal::SuicidalDirect | Signal::SuicidalIndirect if long_ago => {
            // "I used to cut myself years ago, I'm fine now": told as over.
            if well_now(text) {
                return Vec::new();
            }
            found.signal = Signal::SuicidalIndirect;
            found.confidence = 0.55;
            vec![found]
        }
        _ => vec![found],
    }
}

/// "He's hitting me now", "now he whack my brother": a bare "now" counts where it stands with the
/// words, and not in "not now", "twice now", "my finger now crooked".
fn now_beside(text: &Text<'_>, hit: &Range<usize>) -> bool {
    const AFTER: usize = 2;
    const LAST: usize = 5;
    let clause = text.clause(hit.start);
    let now = |i: usize| {
        text.word(i) == "now"
            && (i == 0
                || !matches!(
                    text.word(i - 1),
                    "not"
                        | "just"
                        | "until"
                        | "till"
                        | "from"
                        | "since"
                        | "twice"
                        | "times"
                        | "by"
                        | "for"
                        | "old"
                        | "years"
                        | "even"
                ))
    };
    let ends = |i: usize| {
        i + 1 == clause.end
            || matches!(
                text.word(i + 1),
                "help"
                    | "please"
                    | "with"
                    | "and"
                    | "in"
                    | "at"
                    | "again"
                    | "my"
                    | "he"
                    | "she"
                    | "i"
            )
    };
    let leads = hit.start == clause.start + 1 && now(clause.start);
    let follows = (hit.end..clause.end.min(hit.end + LAST + 1))
        .any(|i| now(i) && ends(i) && (i + 1 == clause.end || i <= hit.end + AFTER));
    let inside = hit.clone().any(|i| text.word(i) == "now" && now(i));
    leads || follows || inside
}

/// "He was hitting me", "he has been beating us": over, or again and again.
fn told_as_past(text: &Text<'_>, hit: &Range<usize>) -> bool {
    let has = |word: &str| hit.clone().any(|i| text.word(i) == word);
    ["was", "were", "been", "had", "used"]
        .iter()
        .any(|word| has(word))
        && !has("just")
        // "There was a man chasing us."
        || hit.start > 0 && matches!(text.word(hit.start - 1), "was" | "were")
        || hit.clone().any(|i| {
            // "To report my sister for hitting me".
            text.word(i) == "for" && i + 1 < hit.end && text.word(i + 1).ends_with("ing")
        })
}

/// "He held the knife to my throat. That was last month.": told as done, and an earlier day is
/// named somewhere in the turn.
fn done_on_an_earlier_day(text: &Text<'_>, hit: &Range<usize>, times: &Times) -> bool {
    const DONE: &[&str] = &[
        "held", "took", "came", "got", "put", "threw", "brought", "ran", "went", "had", "was",
    ];
    !times.past.is_empty()
        && times.this_minute.is_empty()
        && hit
            .clone()
            .any(|i| DONE.contains(&text.word(i)) || text.word(i).ends_with("ed"))
        && !hit
            .clone()
            .any(|i| matches!(text.word(i), "is" | "are" | "now"))
}

/// The clause of a hit, with the short clauses beside it ("last night, he ...").
fn neighbourhood(text: &Text<'_>, hit: &Range<usize>) -> Range<usize> {
    const SHORT: usize = 4;
    let clause = text.clause(hit.start);
    let mut near = clause.start..text.clause(hit.end.saturating_sub(1).max(hit.start)).end;
    if near.start >= 2 {
        let before = text.clause(near.start - 2);
        if before.len() <= SHORT {
            near.start = before.start;
        }
    }
    if near.end + 1 < text.tokens().len() {
        let after = text.clause(near.end + 1);
        if after.len() <= SHORT {
            near.end = after.end;
        }
    }
    near
}

fn names_the_harmed(text: &Text<'_>, tokens: Range<usize>) -> bool {
    tokens.into_iter().any(|i| {
        matches!(
            text.word(i),
            "me" | "us" | "mi" | "my" | "her" | "him" | "them"
        )
    })
}

/// "Now he is asleep": a now that brings no danger.
fn calm(text: &Text<'_>, near: &Range<usize>) -> bool {
    let words = text.slice(near.clone());
    [
        "now i ",
        "now he is",
        "now she is",
        "now we ",
        "now they",
        "safe now",
        "ok now",
        "fine now",
        "now my",
        "from now",
    ]
    .iter()
    .any(|calm| words.contains(calm))
}

/// "I'm fine now": anywhere in the turn.
fn well_now(text: &Text<'_>) -> bool {
    [
        "fine now",
        "ok now",
        "better now",
        "alright now",
        "good now",
        "past that",
        "over it",
        "not any more",
        "recovered",
    ]
    .iter()
    .any(|well| text.plain().contains(well))
}

fn just_now(text: &Text<'_>, near: &Range<usize>) -> bool {
    let words = text.slice(near.clone());
    [
        "just now",
        "a moment ago",
        "minutes ago",
        "a minute ago",
        "few mins ago",
        "a while ago",
    ]
    .iter()
    .any(|recent| words.contains(recent))
}

fn today(text: &Text<'_>, near: &Range<usize>) -> bool {
    let words = text.slice(near.clone());
    [
        "just",
        "today",
        "hour",
        "minutes",
        "tonight",
        "this morning",
        "this afternoon",
        "this evening",
    ]
    .iter()
    .any(|recent| words.contains(recent))
}
