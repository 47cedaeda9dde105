//! What the features of a hit do to it: kept, lowered to a question, or told as something else.
//!
//! One table, read from the top; every row that fits is applied. What a caller says of dying, killing
//! or blows is never dropped by a row: where one would, it is asked about instead. Only an idiom, which
//! covers the whole phrase, silences ([`Then::Silence`]).

use super::{
    SURE, Signal, WORTH_ASKING,
    context::{
        Feature::{self, *},
        Features,
    },
    language::About,
    pattern::Hit,
    signals::{Found, Meaning},
    text::Text,
};

/// How sure a hit can make us that was likely meant otherwise: asked about, not acted on.
pub(super) const MEANT_OTHERWISE: f32 = 0.55;
/// A death that is said to come: asked about whatever the other reader makes of it.
const FORESEEN: f32 = 0.75;
/// From this confidence on only what stands close by explains a grave word.
const WELL_SAID: f32 = 0.85;

struct Row {
    of: fn(Signal) -> bool,
    when: &'static [Feature],
    unless: &'static [Feature],
    then: Then,
}

#[derive(Clone, Copy)]
enum Then {
    /// The words are an idiom: nothing was said.
    Silence,
    /// Nothing, unless it names dying, killing or a blow.
    Drop,
    /// The same, of a hit that is not sure by itself.
    DropUnsure,
    /// Lowered to a question.
    Ask,
    /// The same, where the words are not plain.
    AskUnlessPlain,
    /// Someone other than the caller.
    OfOthers,
    Denied,
    Remote,
    /// Told as something else, and so sure.
    Relabel(Signal, f32),
    /// This as well.
    Also(Signal, f32),
    /// Violence that is over is abuse, if the words name it surely.
    Before,
}

use Then::*;

const fn row(
    of: fn(Signal) -> bool,
    when: &'static [Feature],
    unless: &'static [Feature],
    then: Then,
) -> Row {
    Row {
        of,
        when,
        unless,
        then,
    }
}

/// The table.
const TABLE: &[Row] = &[
    // Not said at all, or said of something else.
    row(but_talk, &[Idiom], &[], Silence),
    row(but_talk, &[IdiomBeside], &[Grave], Silence),
    row(but_talk, &[IdiomBeside], &[], Ask),
    row(any, &[Negated], &[], Denied),
    row(any, &[LongAgo], &[ThisMinute], Remote),
    // "She makes me feel worthless" tells what she does, before it hints at more.
    row(suicidal_hint, &[InsideAbuse], &[], DropUnsure),
    // "She says that I'm useless": another's words, not the caller's mind.
    row(suicidal_hint, &[Reported], &[], DropUnsure),
    // "She threatens to kill herself if I move out": a hold on the caller, not a wish of theirs.
    row(suicidal, &[HeldOver], &[], Drop),
    row(threat, &[HeldOver], &[], Drop),
    // "He threatens to throw me out": what may come is no wish to leave.
    row(shelter, &[InsideAbuse, Threatened], &[], Drop),
    // "I have somewhere to live, that's fine".
    row(shelter, &[HasOne], &[], Drop),
    row(violence_now, &[HeardNextDoor], &[Grave], Drop),
    // When it was.
    row(violence_now, &[LongAgo], &[ThisMinute], Before),
    row(violence_now, &[EarlierDay], &[ThisMinute], Before),
    row(violence_now, &[Recurring], &[ThisMinute], Before),
    row(violence_now, &[ToldAsPast], &[ThisMinute], Before),
    row(
        blow,
        &[ThisMinute],
        &[Negated, Calm],
        Also(Signal::ViolenceNow, 0.8),
    ),
    row(
        blow,
        &[JustNow],
        &[Negated, ThisMinute, Recurring, LongAgo],
        Also(Signal::ViolenceNow, 0.6),
    ),
    row(
        self_harm_now,
        &[LongAgo],
        &[ThisMinute],
        Relabel(Signal::SuicidalIndirect, MEANT_OTHERWISE),
    ),
    row(
        self_harm_now,
        &[EarlierDay],
        &[Today],
        Relabel(Signal::SuicidalIndirect, 0.8),
    ),
    // "I used to cut myself years ago, I'm fine now": told as over.
    row(suicidal, &[LongAgo, Over], &[ThisMinute], Drop),
    row(
        suicidal,
        &[LongAgo],
        &[ThisMinute],
        Relabel(Signal::SuicidalIndirect, MEANT_OTHERWISE),
    ),
    // Whose mind it is.
    row(any, &[Asked], &[], Ask),
    row(suicidal, &[AskedBack], &[Negated], Ask),
    row(suicidal, &[OfAnotherWill], &[], Ask),
    row(suicidal, &[Quoted], &[], Ask),
    row(suicidal, &[OtherPerson], &[], OfOthers),
    // Meant otherwise.
    row(suicidal, &[WishedBefore], &[], Ask),
    row(suicidal, &[AnotherEnd], &[], Ask),
    row(threat, &[OfAThing], &[], Ask),
    row(threat, &[Expected], &[], Ask),
    row(blow_now, &[Hyperbole], &[], Ask),
    row(threat, &[Hyperbole], &[], Ask),
    row(blow_now, &[Likened], &[], Ask),
    row(harm, &[Play], &[Negated], Ask),
    row(harm_done, &[PlayAbout], &[Negated, Close], AskUnlessPlain),
    row(grave, &[PlayNear], &[Negated], Ask),
    row(suicidal, &[Enquiry], &[Negated], Ask),
    row(harm, &[Enquiry], &[Negated, Close], Ask),
    // "I'm going to die on Monday": told sideways; the other reader says how it is meant.
    row(
        suicidal,
        &[Foreseen],
        &[],
        Relabel(Signal::SuicidalIndirect, FORESEEN),
    ),
];

fn any(_: Signal) -> bool {
    true
}

/// Signals about the talk itself hold whatever idiom stands by.
fn but_talk(signal: Signal) -> bool {
    !matches!(
        signal,
        Signal::AsksIfHuman
            | Signal::PromptInjection
            | Signal::AsksAboutOthers
            | Signal::OffTopic
            | Signal::Thanks
    )
}

fn harm(signal: Signal) -> bool {
    signal.is_high_risk()
        || signal.is_abuse()
        || matches!(
            signal,
            Signal::ShelterWish | Signal::Injury | Signal::OwnViolence
        )
}

/// "One girl, three years old. We need somewhere": a child explains no wish for a bed away.
fn harm_done(signal: Signal) -> bool {
    harm(signal) && !shelter(signal)
}

/// What a row may lower and never drop, where its words are grave.
fn of_life_and_limb(signal: Signal) -> bool {
    signal.is_high_risk() || matches!(signal, Signal::PhysicalAbuse | Signal::SexualAssault)
}

/// What a film or a game explains only where it stands close.
fn grave(signal: Signal) -> bool {
    signal.is_high_risk() || matches!(signal, Signal::SexualAssault | Signal::Injury)
}

fn suicidal(signal: Signal) -> bool {
    matches!(signal, Signal::SuicidalDirect | Signal::SuicidalIndirect)
}

fn suicidal_hint(signal: Signal) -> bool {
    signal == Signal::SuicidalIndirect
}

fn self_harm_now(signal: Signal) -> bool {
    matches!(signal, Signal::OverdoseNow | Signal::SelfHarmNow)
}

fn violence_now(signal: Signal) -> bool {
    signal == Signal::ViolenceNow
}

fn threat(signal: Signal) -> bool {
    matches!(signal, Signal::ViolenceNow | Signal::ThreatToKill)
}

fn blow(signal: Signal) -> bool {
    matches!(signal, Signal::PhysicalAbuse | Signal::Strangulation)
}

fn blow_now(signal: Signal) -> bool {
    blow(signal) || violence_now(signal)
}

fn shelter(signal: Signal) -> bool {
    signal == Signal::ShelterWish
}

/// A hit as the table leaves it: nothing, itself, or itself and another.
pub(super) fn effects_on(text: &Text<'_>, hit: &Hit<Meaning>, features: Features) -> Vec<Found> {
    let mut found = Found {
        signal: hit.meaning.signal,
        confidence: hit.meaning.weight,
        tokens: hit.tokens.clone(),
        denied: false,
        remote: false,
        of_others: hit.meaning.about == About::SomeoneElse,
        lowered: false,
    };
    let mut also = Vec::new();
    let was_over = |row: &Row| row.when.contains(&Over);
    for row in TABLE {
        let fits = (row.of)(found.signal)
            && row.when.iter().all(|feature| features.has(*feature))
            && !row.unless.iter().any(|feature| features.has(*feature));
        if !fits {
            continue;
        }
        let unsure = found.confidence < SURE;
        let plain = found.confidence >= WELL_SAID && grave(found.signal);
        match row.then {
            Silence => return also,
            DropUnsure if !unsure => {}
            Drop | DropUnsure if !(of_life_and_limb(found.signal) && features.has(Grave)) => {
                return also;
            }
            Drop | DropUnsure => found.lower(if was_over(row) {
                WORTH_ASKING
            } else {
                MEANT_OTHERWISE
            }),
            AskUnlessPlain if plain => {}
            Ask | AskUnlessPlain => found.lower(MEANT_OTHERWISE),
            OfOthers if found.of_others => {}
            OfOthers => {
                found.of_others = true;
                found.lower(MEANT_OTHERWISE);
            }
            Denied => found.denied = true,
            Remote => found.remote = true,
            Relabel(signal, confidence) => {
                found.signal = signal;
                found.confidence = match found.lowered {
                    true => found.confidence.min(confidence),
                    false => confidence,
                };
            }
            Also(signal, confidence) => also.push(Found {
                signal,
                confidence,
                ..found.clone()
            }),
            Before => {
                if !before(text, &mut found, features) {
                    return also;
                }
            }
        }
    }
    // What lowers one lowers the other.
    if found.lowered {
        for other in &mut also {
            other.lower(found.confidence);
        }
    }
    also.insert(0, found);
    also
}

/// What lasted, or was so before, is abuse, if the words name it surely. Answers whether anything is
/// left of it.
fn before(text: &Text<'_>, found: &mut Found, features: Features) -> bool {
    let sure = found.confidence >= SURE && features.has(NamesTheHarmed);
    // "He is going to kill me on Monday" tells of nothing done.
    if features.has(ToCome) {
        found.lower(WORTH_ASKING);
        return features.has(Grave);
    }
    if !sure && !features.has(Grave) {
        return false;
    }
    // Locked in, and out again: that is control, and no blow.
    let locked = found
        .tokens
        .clone()
        .any(|i| text.word(i).starts_with("lock"));
    found.signal = if locked {
        Signal::PsychologicalAbuse
    } else {
        Signal::PhysicalAbuse
    };
    if sure {
        found.confidence = 0.75;
    } else {
        found.lower(WORTH_ASKING);
    }
    true
}
