//! Whether words of harm mean what they say: a film, a game, a joke, a boss, a thing, a question said
//! back. What is likely meant otherwise is lowered to a question; nothing is silenced.

use std::{collections::BTreeSet, ops::Range, sync::LazyLock};

use super::{
    Leaning, Relation, Signal,
    facts::people::Person,
    language,
    pattern::PatternSet,
    signals::{Found, WEAK, overlap},
    text::Text,
};

static FRAMES: LazyLock<PatternSet<()>> =
    LazyLock::new(|| PatternSet::of(&language::TRIGGERS.frames));
static LAUGHED_OFF: LazyLock<PatternSet<()>> =
    LazyLock::new(|| PatternSet::of(&language::TRIGGERS.laughed_off));
static FIGURES: LazyLock<PatternSet<()>> =
    LazyLock::new(|| PatternSet::of(&language::TRIGGERS.figures));
static CONTESTS: LazyLock<PatternSet<()>> =
    LazyLock::new(|| PatternSet::of(&language::TRIGGERS.contests));
static SHOWS: LazyLock<PatternSet<()>> =
    LazyLock::new(|| PatternSet::of(&language::TRIGGERS.shows));

pub(super) fn prepare() {
    for set in [&FRAMES, &LAUGHED_OFF, &FIGURES, &CONTESTS, &SHOWS] {
        LazyLock::force(set);
    }
}

/// From this confidence on only what stands close by explains a grave word.
const WELL_SAID: f32 = 0.85;
/// So many words away something explains a plain word.
const NEAR: usize = 5;
/// How sure a hit can make us in a turn that is likely about something else.
pub(super) const MEANT_OTHERWISE: f32 = 0.55;

/// Lowers what the rest of the turn says was likely meant otherwise.
pub(super) fn settle_meaning(
    found: &mut [Found],
    text: &Text<'_>,
    people: &[Person],
    hints: &BTreeSet<Leaning>,
) {
    let frames = FRAMES.hits(text);
    let laughed_off = LAUGHED_OFF.is_match(text);
    let contest = CONTESTS.is_match(text);
    let ordinary = hints.contains(&Leaning::Ordinary);
    // "He slapped me over the TV": a film does not explain what somebody close did.
    let close = people
        .iter()
        .any(|person| person.own && person.relation != Relation::NotFamily);
    for found in found {
        let harm = found.signal.is_high_risk()
            || found.signal.is_abuse()
            || matches!(found.signal, Signal::ShelterWish | Signal::Injury);
        let danger = found.signal.is_high_risk();
        // What a film or a game explains of grave words stands close to them.
        let grave = danger || matches!(found.signal, Signal::SexualAssault | Signal::Injury);
        let plain = found.confidence >= WELL_SAID && grave;
        let near = found.tokens.start.saturating_sub(NEAR)..found.tokens.end + NEAR;
        let framed = frames
            .iter()
            .any(|frame| !close && !plain || grave && overlap(&frame.tokens, &near))
            || contest && beaten_as_in_a_contest(text, found);
        let leans = ordinary && !close && !plain && found.signal != Signal::SuicidalIndirect;
        if found.confidence > MEANT_OTHERWISE && as_people_say(text, found, people) {
            found.confidence = MEANT_OTHERWISE;
        }
        if harm && !found.denied && (framed || laughed_off || leans) {
            found.confidence = found.confidence.min(MEANT_OTHERWISE);
        }
    }
}

/// "My boss will kill me", "my wife is going to murder me": seldom meant, where nothing was said or
/// shown; worth asking.
fn as_people_say(text: &Text<'_>, found: &Found, people: &[Person]) -> bool {
    let words = text.slice(found.tokens.clone());
    let hyperbole = ["kill me", "murder me", "kill us"]
        .iter()
        .any(|end| words.contains(end));
    let threatened = [
        "said", "say", "threat", "told", "tell", "text", "shout", "scream",
    ]
    .iter()
    .any(|word| words.contains(word));
    let somebody = people.iter().any(|person| {
        person.own
            && overlap(&person.tokens, &found.tokens)
            && (person.relation == Relation::NotFamily || words.contains("going to"))
    });
    matches!(found.signal, Signal::ViolenceNow | Signal::ThreatToKill)
        && hyperbole
        && !threatened
        && somebody
}

/// The turn says what it all was: a figure of speech, a game, a show, training. Whoever speaks of
/// somebody in it ("he says he's joking", "he lost at mahjong") explains nothing away.
pub(super) fn explains_away(text: &Text<'_>) -> bool {
    let of_somebody = text.words().any(|word| {
        matches!(
            word,
            "he" | "she" | "they" | "him" | "her" | "them" | "his" | "their" | "my" | "our"
        )
    });
    !of_somebody && (FIGURES.is_match(text) || CONTESTS.is_match(text) || SHOWS.is_match(text))
}

/// "He beats me every night", of Scrabble.
fn beaten_as_in_a_contest(text: &Text<'_>, found: &Found) -> bool {
    found.tokens.clone().any(|i| {
        let word = text.word(i);
        [
            "beat", "kill", "thrash", "whack", "smash", "crush", "destroy", "murder",
        ]
        .iter()
        .any(|stem| word.starts_with(stem))
    })
}

/// How sure the words of a hit can make us that they mean what they say.
pub(super) fn as_plain_as(text: &Text<'_>, found: &Found) -> f32 {
    let words = text.slice(found.tokens.clone());
    let ends_something = (words.contains("end it") || words.contains("ending it"))
        && ![" all", " tonight", " now", " today", " soon", " everything"]
            .iter()
            .any(|word| words.contains(word))
        && !words.contains("life");
    let at_work = [
        "colleague",
        "team",
        "company",
        "boss",
        "school",
        "retire",
        "resign",
    ]
    .iter()
    .any(|word| text.plain().contains(word));
    let farewell = ["letter", "note", "message"]
        .iter()
        .any(|word| words.contains(word))
        && (words.contains("farewell") || words.contains("goodbye") && at_work);
    let clause = text.clause(found.tokens.start);
    let said = text.slice(clause.clone());
    let killing = said.contains("killing me") || said.contains("kill me");
    // "Everyone asks if I'm suicidal", "they think my husband hit me".
    let of_others_mind = [
        "asking if",
        "asks if",
        "ask if",
        "asked if",
        "asking me if",
        "ask me if",
        "asks me if",
        "asked me if",
        "thinks ",
        "assumes ",
        "everyone think",
        "everybody think",
        "they think",
        "people think",
        "worried that i",
        "worried i",
    ]
    .iter()
    .any(|lead| {
        said.find(lead)
            .is_some_and(|at| said.find(words).is_some_and(|hit| at < hit + words.len()))
    }) && !said.contains("i am worried");
    let past_wish = words.contains("wanted to die");
    // "Mum wants me to hang myself with three tuition jobs".
    let wish_of_another = words.contains("wants me to") || words.contains("want me to");
    let quoted = text.is_quoted(&found.tokens);
    let babies_cry = said.contains("baby") && (said.contains(" cries") || said.contains("crying"));
    // "It's trying to kill me", of an app.
    let of_a_thing = found.tokens.start > 0
        && matches!(text.word(found.tokens.start - 1), "it" | "this" | "which")
        || words.starts_with("it ");
    // "I'm going to jump on Sunday, I've paid for it": perhaps from a plane.
    let booked = words.contains("jump")
        && clause.clone().any(|i| {
            matches!(
                text.word(i),
                "monday"
                    | "tuesday"
                    | "wednesday"
                    | "thursday"
                    | "friday"
                    | "saturday"
                    | "sunday"
                    | "next"
                    | "trip"
                    | "bungee"
                    | "plane"
                    | "parachute"
                    | "tandem"
                    | "trampoline"
            )
        });
    let of_what_may_come = (found.tokens.start..clause.end)
        .any(|i| matches!(text.word(i), "when" | "for" | "over" | "bill" | "results"));
    let likened = (clause.start..found.tokens.start)
        .rev()
        .take(3)
        .any(|i| text.word(i) == "like");
    match found.signal {
        _ if of_others_mind => MEANT_OTHERWISE,
        Signal::SuicidalDirect | Signal::SuicidalIndirect
            if ends_something || farewell || past_wish || booked || wish_of_another || quoted =>
        {
            MEANT_OTHERWISE
        }
        Signal::ViolenceNow if found.of_others && babies_cry => WEAK / 2.0,
        Signal::ViolenceNow | Signal::ThreatToKill if of_a_thing => MEANT_OTHERWISE,
        Signal::ViolenceNow | Signal::PhysicalAbuse if words.contains("killing me") => {
            MEANT_OTHERWISE
        }
        Signal::ViolenceNow | Signal::ThreatToKill if killing && of_what_may_come => {
            MEANT_OTHERWISE
        }
        Signal::ViolenceNow | Signal::PhysicalAbuse | Signal::Strangulation if likened => {
            MEANT_OTHERWISE
        }
        _ => 1.0,
    }
}

/// "Hit me? Oh heavens, no.": the question said back, and then answered with a no.
pub(super) fn echoes_the_question(text: &Text<'_>, hit: &Range<usize>) -> bool {
    const SHORT: usize = 4;
    let clause = text.clause(hit.start);
    let denies = |clause: &Range<usize>| {
        clause
            .clone()
            .any(|i| matches!(text.word(i), "no" | "never" | "nobody" | "nah"))
    };
    clause.start == 0
        && clause.len() <= SHORT
        && clause.end + 1 < text.tokens().len()
        && (text.boundary_is_question(clause.end)
            || matches!(text.word(clause.start), "who" | "what" | "where" | "which"))
        && text
            .clauses()
            .iter()
            .filter(|other| other.start > clause.end)
            .take(2)
            .any(denies)
}

/// "She will throw my late mother's things": the thing, not the mother.
pub(super) fn harms_a_thing(text: &Text<'_>, hit: &Range<usize>, signal: Signal) -> bool {
    const OF_A_BODY: [&str; 12] = [
        "face", "head", "arm", "arms", "leg", "legs", "hand", "hair", "back", "neck", "body",
        "stomach",
    ];
    let bodily = matches!(signal, Signal::PhysicalAbuse | Signal::ViolenceNow);
    // "She'll throw me out": from the house, and no blow.
    if bodily
        && hit.end < text.tokens().len()
        && text.word(hit.end) == "out"
        && hit.clone().any(|i| {
            matches!(
                text.word(i),
                "throw" | "threw" | "throws" | "kick" | "kicked" | "kicks" | "chase" | "chased"
            )
        })
    {
        return true;
    }
    bodily
        && hit.end + 1 < text.tokens().len()
        && text.word(hit.end) == "s"
        && !OF_A_BODY.contains(&text.word(hit.end + 1))
        && hit.clone().any(|i| {
            matches!(
                text.word(i),
                "throw"
                    | "threw"
                    | "throws"
                    | "burn"
                    | "burnt"
                    | "burned"
                    | "trash"
                    | "trashed"
                    | "knock"
                    | "knocked"
            )
        })
}
