//! What a note is made of: the claims with the caller's words, what was denied, the urgency, the agency.

use std::collections::BTreeMap;

use super::AbuseType;
use crate::{
    Agency, TransferMode,
    machine::{Question, Refused, Route, State},
    reading::{ALL_BUT_SURE, Doubt, SURE, Signal, WORTH_ASKING},
};

pub(super) const ANONYMOUS: &str = "requested anonymity";

/// A signal as the note speaks of it: the surest words for it.
pub(super) struct Claim {
    pub signal: Signal,
    pub words: String,
    pub confidence: f32,
    pub remote: bool,
    /// Asked about and not denied, and not told either.
    pub undenied: bool,
}

pub(super) struct Facts {
    pub name: String,
    pub location: String,
    pub incident: String,
    pub claims: Vec<Claim>,
    pub denied: Vec<Claim>,
    pub urgent: bool,
    pub abuse_type: AbuseType,
    pub agency: Option<Agency>,
    pub mode: Option<TransferMode>,
    pub transferred: bool,
    /// Every danger told is someone else's.
    pub of_others: bool,
    /// The caller's last words for being safe, if they are.
    pub safe: Option<String>,
    /// Where a danger would have led that was told, and not yet made sure of.
    pub open: Option<Agency>,
    /// How and when to reach the caller unnoticed, in their words.
    pub contact: Option<String>,
}

/// A danger raises the flag; so does a red flag beside violence that is not long over.
pub(super) fn raises(claims: &[Claim], claim: &Claim) -> bool {
    let violence = claims.iter().any(|claim| {
        !claim.remote
            && matches!(
                claim.signal,
                Signal::PhysicalAbuse | Signal::DomesticViolence | Signal::SexualAssault
            )
    });
    // A weapon by itself is a thing; in somebody's hand against somebody it is a danger.
    let harm = violence
        || claims
            .iter()
            .any(|other| other.signal.is_high_risk() && other.signal != Signal::Weapon);
    !claim.remote
        && (claim.signal.is_high_risk() && (claim.signal != Signal::Weapon || harm)
            || claim.signal.is_red_flag() && violence)
}

/// The whole call is unlike those of people who are in any danger, or in any need: "he's got his hands around her
/// neck" was a film.
fn unlikely(state: &State) -> bool {
    let all = [Doubt::DangerNow, Doubt::Suicide, Doubt::Need];
    let needs_somebody = state.route.is_some()
        || !state.transfers.is_empty()
        || state.signals.iter().any(|noted| {
            let s = &noted.heard;
            s.signal.is_abuse() && !s.denied && !s.remote && s.confidence >= SURE
        });
    !needs_somebody && all.iter().all(|doubt| state.doubts.contains(doubt))
}

/// Whether there is such a danger was asked, and a no was heard.
fn was_denied(state: &State, signal: Signal) -> bool {
    let asked_about = match signal {
        Signal::SuicidalIndirect => Signal::SuicidalDirect,
        _ => Signal::ViolenceNow,
    };
    let mut noted = state.signals.iter();
    noted.any(|noted| noted.heard.signal == asked_about && noted.heard.denied)
}

/// Told plainly, it makes a case urgent whatever else was said.
fn is_of_now(signal: Signal) -> bool {
    matches!(
        signal,
        Signal::ViolenceNow | Signal::SuicidalDirect | Signal::SelfHarmNow | Signal::OverdoseNow
    )
}

pub(super) fn of_others(state: &State) -> bool {
    let mut dangers = state
        .signals
        .iter()
        .map(|noted| &noted.heard)
        .filter(|s| !s.denied && s.confidence >= SURE && s.signal.is_high_risk())
        .peekable();
    dangers.peek().is_some() && dangers.all(|s| s.of_others)
}

pub(super) fn safe(state: &State) -> Option<String> {
    if state.safe_now != Some(true) {
        return None;
    }
    state
        .signals
        .iter()
        .rev()
        .find(|noted| noted.heard.signal == Signal::Safe && !noted.heard.denied)
        .map(|noted| quotable(noted.heard.words.expose_secret()))
}

impl Facts {
    pub fn raises(&self, claim: &Claim) -> bool {
        raises(&self.claims, claim)
    }

    /// What the caller told, in words of their own or by a yes.
    pub fn told(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| !claim.undenied)
    }

    pub fn tells(&self, signal: Signal) -> bool {
        self.told().any(|claim| claim.signal == signal)
    }

    pub fn happened_long_ago(&self, signal: Signal) -> bool {
        self.claims
            .iter()
            .any(|claim| claim.signal == signal && claim.remote)
    }

    pub fn of(state: &State) -> Self {
        let open = open_danger(state);
        let claims = claims(state, false, open);
        let denied = claims_denied(state, &claims);
        let last = state.transfers.last().copied();
        // Turned down, with no need told in words, and the call is unlike those of who has one: the yes to a question was likely no need at all.
        let borne_out = state.so_far.turns > 0 && !state.doubts.contains(&Doubt::Need);
        let needless = |route: &Route| {
            let declined = state.declined.contains(&route.agency);
            declined && !state.told_of_a_need() && !borne_out
        };
        let counts = state.hand_over_that_counts();
        let handed = counts.and_then(|it| state.transfers.get(it.transfer).copied());
        let route = handed.or(last.or(state.route.filter(|route| !needless(route))));
        let warm = route.is_some_and(|route| route.mode == TransferMode::Warm);
        let refused = |refusal| state.refused.contains(&refusal);
        Self {
            name: match &state.name {
                Some(name) => name.heard.value.0.expose_secret().clone(),
                None if refused(Refused::Name) => ANONYMOUS.to_owned(),
                None => "Unknown".to_owned(),
            },
            location: match state.address() {
                Some(address) => address.expose_secret().clone(),
                None if refused(Refused::Location) => ANONYMOUS.to_owned(),
                None => "Unknown".to_owned(),
            },
            incident: match &state.incident {
                Some(incident) => incident.heard.value.when.expose_secret().clone(),
                None if refused(Refused::Incident) => ANONYMOUS.to_owned(),
                None if state.was_asked(Question::IncidentTime) => "Not given".to_owned(),
                None => "N/A".to_owned(),
            },
            urgent: warm
                || open.is_some()
                || claims.iter().any(|claim| {
                    let unlikely = unlikely(state) && was_denied(state, claim.signal);
                    raises(&claims, claim) && (is_of_now(claim.signal) || !unlikely)
                }),
            of_others: of_others(state),
            safe: safe(state),
            abuse_type: abuse_type(state),
            agency: open.or(route.map(|route| route.agency)),
            mode: route.map(|route| route.mode),
            open,
            contact: state
                .contact
                .as_ref()
                .map(|contact| quotable(contact.heard.words.expose_secret())),
            transferred: state.is_handed_over(),
            claims,
            denied,
        }
    }

    pub fn claims(&self, signal: Signal) -> bool {
        self.claims.iter().any(|claim| claim.signal == signal)
    }
}

/// What tells of a danger that would have been acted on, or made sure of: by asking about the caller, or about somebody else.
pub(super) const DANGERS: [(Agency, &[Signal], [Question; 2]); 2] = [
    (
        Agency::Spf,
        &[Signal::ViolenceNow],
        [Question::DangerNow, Question::OtherInDanger],
    ),
    (
        Agency::Sos,
        &[
            Signal::SuicidalDirect,
            Signal::SuicidalIndirect,
            Signal::SelfHarmNow,
            Signal::OverdoseNow,
        ],
        [Question::Suicidal, Question::OtherSuicidal],
    ),
];

/// A danger that was told or hinted at and that nothing has settled: the caller has gone before they
/// answered, or before they could be asked. It counts until somebody has made sure.
pub(super) fn open_danger(state: &State) -> Option<Agency> {
    if !state.transfers.is_empty() || state.route.is_some() {
        return None;
    }
    // What is doubted is told no surer than that.
    let plainly = match state.doubts.is_empty() {
        true => SURE,
        false => ALL_BUT_SURE,
    };
    DANGERS
        .into_iter()
        .find_map(|(agency, signals, questions)| {
            let told = |from: f32| {
                state.signals.iter().any(|noted| {
                    let s = &noted.heard;
                    signals.contains(&s.signal) && !s.denied && !s.remote && s.confidence >= from
                })
            };
            let denied = state.signals.iter().any(|noted| {
                signals.contains(&noted.heard.signal) && noted.heard.denied && noted.answers
            });
            let waits = state
                .pending
                .is_some_and(|pending| questions.contains(&pending));
            // A question that waits has no answer yet, whatever was denied before, of whomever. What was never asked about was told
            // plainly, or it is none.
            let left_open = waits && told(WORTH_ASKING)
                || !denied && !state.was_asked(questions[0]) && told(plainly);
            left_open.then_some(agency)
        })
}

pub(super) fn stands_open(open: Option<Agency>, signal: Signal) -> bool {
    DANGERS
        .iter()
        .any(|(agency, signals, _)| open == Some(*agency) && signals.contains(&signal))
}

/// The surest words for each clinical signal, gravest signal first; of a danger that stands open, its
/// hints too.
pub(super) fn claims(state: &State, denied: bool, open: Option<Agency>) -> Vec<Claim> {
    let mut surest: BTreeMap<Signal, Claim> = BTreeMap::new();
    for noted in &state.signals {
        let s = &noted.heard;
        let told = match denied {
            // A denial is an answer, and nothing else.
            true => noted.answers,
            false => {
                s.confidence >= SURE || stands_open(open, s.signal) && s.confidence >= WORTH_ASKING
            }
        };
        if s.denied != denied || !s.signal.is_clinical() || !told {
            continue;
        }
        let claim = Claim {
            signal: s.signal,
            words: quotable(s.words.expose_secret()),
            confidence: s.confidence,
            remote: s.remote,
            undenied: noted.undenied,
        };
        match surest.get(&s.signal) {
            Some(known) if !known.undenied && claim.undenied => {}
            Some(known)
                if known.undenied == claim.undenied && known.confidence >= claim.confidence => {}
            _ => {
                surest.insert(s.signal, claim);
            }
        }
    }
    // A sign that the caller, asked, said was none: the note tells what they said.
    let denied_when_asked = no_suicidal_thoughts(state);
    if !denied && denied_when_asked && !surest.contains_key(&Signal::SuicidalDirect) {
        surest.remove(&Signal::SuicidalIndirect);
    }
    // The same words are not told twice: violence now is physical abuse too.
    let now = surest
        .get(&Signal::ViolenceNow)
        .map(|claim| claim.words.clone());
    surest
        .into_values()
        .filter(|claim| claim.signal != Signal::PhysicalAbuse || now.as_ref() != Some(&claim.words))
        .collect()
}

/// What was denied and nowhere asserted.
pub(super) fn claims_denied(state: &State, asserted: &[Claim]) -> Vec<Claim> {
    claims(state, true, None)
        .into_iter()
        .filter(|claim| claim.signal.is_high_risk() || claim.signal.is_abuse())
        .filter(|claim| !asserted.iter().any(|other| other.signal == claim.signal))
        .collect()
}

/// The caller's words without what would break a sentence or a quotation.
pub(super) fn quotable(words: &str) -> String {
    const LONGEST: usize = 16;
    let clean: String = words
        .chars()
        .map(|c| match c {
            '"' | '“' | '”' => '\'',
            '.' | '?' | '!' | ';' | '…' | '\n' => ' ',
            c => c,
        })
        .collect();
    let all: Vec<&str> = clean.split_whitespace().take(LONGEST).collect();
    all.join(" ").trim_end_matches([',', ' ']).to_owned()
}

pub(super) fn abuse_type(state: &State) -> AbuseType {
    // The weight of each type, and when it was first told: of equals the first told.
    let mut weights: BTreeMap<u8, (f32, usize)> = BTreeMap::new();
    const TYPES: [AbuseType; 6] = [
        AbuseType::Sexual,
        AbuseType::Physical,
        AbuseType::Emotional,
        AbuseType::Psychological,
        AbuseType::Financial,
        AbuseType::Neglect,
    ];
    let told = state
        .signals
        .iter()
        .enumerate()
        .filter(|(_, noted)| !noted.heard.denied && noted.heard.confidence >= SURE);
    for (order, noted) in told {
        let (index, weight) = match noted.heard.signal {
            // These two decide whatever else is said.
            Signal::SexualAssault => (0, 1_000.0),
            Signal::PhysicalAbuse
            | Signal::OwnViolence
            | Signal::ViolenceNow
            | Signal::Strangulation
            | Signal::DomesticViolence
            | Signal::ThreatToKill => (1, 100.0),
            Signal::EmotionalAbuse => (2, noted.heard.confidence),
            Signal::PsychologicalAbuse => (3, noted.heard.confidence),
            Signal::FinancialAbuse => (4, noted.heard.confidence),
            Signal::Neglect => (5, noted.heard.confidence),
            _ => continue,
        };
        weights.entry(index).or_insert((0.0, order)).0 += weight;
    }
    weights
        .into_iter()
        .max_by(|(_, (weight, order)), (_, (other_weight, other_order))| {
            weight.total_cmp(other_weight).then(other_order.cmp(order))
        })
        .map_or(AbuseType::Other, |(index, _)| TYPES[usize::from(index)])
}

/// Somebody did something to somebody: without it, nobody did it.
pub(super) fn tells_of_harm(state: &State) -> bool {
    state.signals.iter().any(|noted| {
        let s = &noted.heard;
        !s.denied
            && s.confidence >= SURE
            && (s.signal.is_abuse()
                || matches!(
                    s.signal,
                    Signal::ViolenceNow
                        | Signal::ThreatToKill
                        | Signal::Strangulation
                        | Signal::Weapon
                        | Signal::Injury
                ))
    })
}

/// Asked about suicide, the caller said no, and never said otherwise; or, where their whole call speaks against it, not so surely.
fn no_suicidal_thoughts(state: &State) -> bool {
    let otherwise = match state.doubts.contains(&Doubt::Suicide) {
        true => ALL_BUT_SURE,
        false => 0.0,
    };
    let said = |denied: bool| {
        state.signals.iter().any(|noted| {
            noted.heard.signal == Signal::SuicidalDirect
                && noted.heard.denied == denied
                && (noted.answers || !denied && noted.heard.confidence >= otherwise)
        })
    };
    said(true) && !said(false)
}
