//! Writing the note: title, summary in SOAP order, follow-up, fields, evidence.

use std::collections::BTreeMap;

use redact::Secret;

use super::{AbuseType, CaseNote, Evidence, StructuredData, terms};
use crate::{
    Agency, ToldSentence, TransferMode, Unfit, held,
    machine::{Question, Refused, State},
    reading::{Age, HeardSignal, Relation, SURE, Signal, WORTH_ASKING},
};

const ANONYMOUS: &str = "requested anonymity";

/// The note for what has been heard so far.
pub(crate) fn write(state: &State) -> CaseNote {
    let facts = Facts::of(state);
    CaseNote {
        summary_title: Secret::new(title(&facts)),
        summary: Secret::new(summary(state, &facts)),
        structured_data: StructuredData {
            name: Secret::new(facts.name.clone()),
            urgent: facts.urgent,
            location: Secret::new(facts.location.clone()),
            follow_up: Secret::new(follow_up(state, &facts)),
            abuse_type: facts.abuse_type,
            transfer_to: facts.agency,
            transferred: facts.transferred,
            latest_incident_date: Secret::new(facts.incident.clone()),
        },
        evidence: evidence(state, facts.urgent),
    }
}

/// A signal as the note speaks of it: the surest words for it.
struct Claim {
    signal: Signal,
    words: String,
    confidence: f32,
    remote: bool,
}

struct Facts {
    name: String,
    location: String,
    incident: String,
    claims: Vec<Claim>,
    denied: Vec<Claim>,
    urgent: bool,
    abuse_type: AbuseType,
    agency: Option<Agency>,
    mode: Option<TransferMode>,
    transferred: bool,
    /// Every danger told is someone else's.
    of_others: bool,
    /// The caller's last words for being safe, if they are.
    safe: Option<String>,
    /// Where a danger would have led that was told, and not yet made sure of.
    open: Option<Agency>,
    /// How and when to reach the caller unnoticed, in their words.
    contact: Option<String>,
}

/// A danger raises the flag; so does a red flag beside violence that is not long over.
fn raises(claims: &[Claim], claim: &Claim) -> bool {
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

fn of_others(state: &State) -> bool {
    let mut dangers = state
        .signals
        .iter()
        .map(|noted| &noted.heard)
        .filter(|s| !s.denied && s.confidence >= SURE && s.signal.is_high_risk())
        .peekable();
    dangers.peek().is_some() && dangers.all(|s| s.of_others)
}

fn safe(state: &State) -> Option<String> {
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
    fn raises(&self, claim: &Claim) -> bool {
        raises(&self.claims, claim)
    }

    fn happened_long_ago(&self, signal: Signal) -> bool {
        self.claims
            .iter()
            .any(|claim| claim.signal == signal && claim.remote)
    }

    fn of(state: &State) -> Self {
        let open = open_danger(state);
        let claims = claims(state, false, open);
        let denied = claims_denied(state, &claims);
        let last = state.transfers.last().copied();
        let route = last.or(state.route);
        let warm = route.is_some_and(|route| route.mode == TransferMode::Warm);
        let refused = |refusal| state.refused.contains(&refusal);
        Self {
            name: match &state.name {
                Some(name) => name.heard.value.0.expose_secret().clone(),
                None if refused(Refused::Name) => ANONYMOUS.to_owned(),
                None => "Unknown".to_owned(),
            },
            location: match &state.place {
                Some(place) => place.heard.value.name.expose_secret().clone(),
                None if refused(Refused::Location) => ANONYMOUS.to_owned(),
                None => "Unknown".to_owned(),
            },
            incident: match &state.incident {
                Some(incident) => incident.heard.value.when.expose_secret().clone(),
                None if refused(Refused::Incident) => ANONYMOUS.to_owned(),
                None if state.was_asked(Question::IncidentTime) => "Not given".to_owned(),
                None => "N/A".to_owned(),
            },
            urgent: warm || open.is_some() || claims.iter().any(|claim| raises(&claims, claim)),
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
            transferred: last.is_some(),
            claims,
            denied,
        }
    }

    fn claims(&self, signal: Signal) -> bool {
        self.claims.iter().any(|claim| claim.signal == signal)
    }
}

/// What tells of a danger that would have been acted on, or made sure of.
const DANGERS: [(Agency, &[Signal], Question); 2] = [
    (Agency::Spf, &[Signal::ViolenceNow], Question::DangerNow),
    (
        Agency::Sos,
        &[
            Signal::SuicidalDirect,
            Signal::SuicidalIndirect,
            Signal::SelfHarmNow,
            Signal::OverdoseNow,
        ],
        Question::Suicidal,
    ),
];

/// A danger that was told or hinted at and that nothing has settled: the caller has gone before they
/// answered, or before they could be asked. It counts until somebody has made sure.
fn open_danger(state: &State) -> Option<Agency> {
    if !state.transfers.is_empty() || state.route.is_some() {
        return None;
    }
    DANGERS.into_iter().find_map(|(agency, signals, question)| {
        let told = |denied: bool| {
            state.signals.iter().any(|noted| {
                let s = &noted.heard;
                signals.contains(&s.signal)
                    && s.denied == denied
                    && !s.remote
                    && (denied && noted.answers || !denied && s.confidence >= WORTH_ASKING)
            })
        };
        let answered = state.was_asked(question) && state.pending != Some(question) || told(true);
        (told(false) && !answered).then_some(agency)
    })
}

fn stands_open(open: Option<Agency>, signal: Signal) -> bool {
    DANGERS
        .iter()
        .any(|(agency, signals, _)| open == Some(*agency) && signals.contains(&signal))
}

/// The surest words for each clinical signal, gravest signal first; of a danger that stands open, its
/// hints too.
fn claims(state: &State, denied: bool, open: Option<Agency>) -> Vec<Claim> {
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
        };
        match surest.get(&s.signal) {
            Some(known) if known.confidence >= claim.confidence => {}
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
fn claims_denied(state: &State, asserted: &[Claim]) -> Vec<Claim> {
    claims(state, true, None)
        .into_iter()
        .filter(|claim| claim.signal.is_high_risk() || claim.signal.is_abuse())
        .filter(|claim| !asserted.iter().any(|other| other.signal == claim.signal))
        .collect()
}

/// The caller's words without what would break a sentence or a quotation.
fn quotable(words: &str) -> String {
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

fn title(facts: &Facts) -> String {
    let has = |signal| facts.claims(signal);
    let others = facts.of_others;
    let text = match facts.agency {
        Some(Agency::Sos) if others => "Caller reports suicidal signs in someone else",
        Some(Agency::Sos) if has(Signal::OverdoseNow) => {
            "Caller reports an overdose and suicidal signs"
        }
        Some(Agency::Sos) if has(Signal::SelfHarmNow) => "Caller reports self-harm in progress",
        Some(Agency::Sos) if has(Signal::SuicidalDirect) => "Caller reports thoughts of suicide",
        Some(Agency::Sos) => "Caller shows suicidal signs",
        Some(Agency::Spf) if others => "Caller reports violence against someone else",
        Some(Agency::Spf) if has(Signal::Weapon) => "Caller reports violence with a weapon",
        Some(Agency::Spf) => "Caller reports violence in progress",
        Some(Agency::Sacc) => "Caller reports sexual assault",
        Some(Agency::Fsc) => "Caller seeks shelter away from home",
        Some(Agency::Dvert) => "Caller reports violence by a spouse",
        Some(Agency::Pave) => "Caller reports violence at home",
        _ if has(Signal::FinancialAbuse) && facts.abuse_type == AbuseType::Financial => {
            "Caller reports financial abuse"
        }
        _ if has(Signal::Neglect) && facts.abuse_type == AbuseType::Neglect => {
            "Caller reports neglect"
        }
        _ if has(Signal::EmotionalAbuse) && facts.abuse_type == AbuseType::Emotional => {
            "Caller reports emotional abuse"
        }
        _ if has(Signal::PsychologicalAbuse) => "Caller reports psychological abuse",
        _ if has(Signal::EmotionalAbuse) => "Caller reports emotional abuse",
        _ if has(Signal::FinancialAbuse) => "Caller reports financial abuse",
        _ if has(Signal::Neglect) => "Caller reports neglect",
        _ if facts.happened_long_ago(Signal::PhysicalAbuse) => "Caller speaks of violence long ago",
        _ if has(Signal::PhysicalAbuse) => "Caller reports physical violence",
        _ if has(Signal::ThirdParty) => "Caller is concerned for someone else",
        _ if has(Signal::Distress) || has(Signal::Fear) => "Caller in distress sought to talk",
        _ => "Caller sought someone to talk to",
    };
    text.to_owned()
}

/// Subjective, objective, assessment, plan: one sentence each, those with nothing to say left out
/// (never fewer than two).
fn summary(state: &State, facts: &Facts) -> String {
    if state.turns == 0 {
        return "The caller has not spoken. No risk could be assessed, and no transfer was made."
            .to_owned();
    }
    soap(
        state,
        facts,
        vec![subjective(state, facts)],
        objective(facts),
    )
}

fn soap(state: &State, facts: &Facts, told: Vec<String>, objective: Option<String>) -> String {
    let mut sentences = told;
    sentences.extend(objective);
    sentences.push(assessment(state, facts));
    sentences.push(plan(state, facts));
    sentences.join(" ")
}

/// The note with its first sentences told by somebody else, if they hold.
pub(crate) fn write_told(
    state: &State,
    sentences: &[ToldSentence],
    said: &[&str],
) -> Result<CaseNote, Unfit> {
    if state.turns == 0 {
        return Err(Unfit::NotSaid);
    }
    let facts = Facts::of(state);
    let known: Vec<String> = [subjective(state, &facts)]
        .into_iter()
        .chain(objective(&facts))
        .collect();
    let must_tell: Vec<(String, String)> = facts
        .claims
        .iter()
        .filter(|claim| facts.raises(claim))
        .map(|claim| (claim_name(claim), claim.words.clone()))
        .collect();
    let told = held::told_well(
        sentences,
        &held::Told {
            said,
            known: &known.join(" "),
            must_tell: &must_tell,
        },
    )?;
    // What the flow has to tell beside that is told; a second sentence has its place only.
    let objective = objective(&facts);
    if objective.is_some() && told.len() > 1 {
        return Err(Unfit::TooLong);
    }
    Ok(CaseNote {
        summary: Secret::new(soap(state, &facts, told, objective)),
        ..write(state)
    })
}

fn subjective(state: &State, facts: &Facts) -> String {
    let age = match state.age.as_ref().map(|age| age.heard.value) {
        Some(Age::Years(years)) => format!(", aged {years},"),
        Some(Age::EighteenOrUnder) => ", aged 18 or under by their own account,".to_owned(),
        Some(Age::NineteenOrOver) => ", aged 19 or over by their own account,".to_owned(),
        None => String::new(),
    };
    let told: Vec<String> = facts.claims.iter().take(3).map(quoted).collect();
    if told.is_empty() {
        let opening = state
            .opening
            .as_ref()
            .map(|opening| format!(" (\"{}\")", quotable(opening.heard.words.expose_secret())))
            .unwrap_or_default();
        return format!("The caller{age} wanted to talk{opening} and reported no harm.");
    }
    format!("The caller{age} reported {}.", list(&told))
}

/// The claim with the words for it; a bare yes or no says that it answered a question.
fn quoted(claim: &Claim) -> String {
    const BARE: usize = 3;
    let asked = if claim.words.split(' ').count() <= BARE && answers(&claim.words) {
        " when asked"
    } else {
        ""
    };
    format!("{} (\"{}\"{asked})", claim_name(claim), claim.words)
}

fn answers(words: &str) -> bool {
    let first = words
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty())
        .unwrap_or_default()
        .to_lowercase();
    matches!(
        first.as_str(),
        "yes"
            | "ya"
            | "yah"
            | "yeah"
            | "yup"
            | "no"
            | "nope"
            | "not"
            | "ok"
            | "sometimes"
            | "maybe"
    )
}

fn claim_name(claim: &Claim) -> String {
    let name = terms::reported(claim.signal);
    if claim.remote {
        format!("{name} long ago")
    } else {
        name.to_owned()
    }
}

fn objective(facts: &Facts) -> Option<String> {
    let mut heard = Vec::new();
    if let Some(safe) = &facts.safe {
        heard.push(format!("said that they were safe for now (\"{safe}\")"));
    }
    if let Some(denied) = facts.denied.first() {
        heard.push(format!("denied {}", quoted(denied)));
    }
    if facts.incident != "N/A" && facts.incident != "Not given" && facts.incident != ANONYMOUS {
        heard.push(format!(
            "gave the latest incident as {}",
            quotable(&facts.incident)
        ));
    }
    let further: Vec<String> = facts.claims.iter().skip(3).map(claim_name).collect();
    if !further.is_empty() {
        heard.push(format!("also reported {}", list(&further)));
    }
    (!heard.is_empty()).then(|| format!("On the call they {}.", list(&heard)))
}

fn assessment(state: &State, facts: &Facts) -> String {
    let reasons: Vec<String> = facts
        .claims
        .iter()
        .filter(|claim| facts.raises(claim))
        .take(3)
        .map(claim_name)
        .collect();
    let risk = if facts.urgent && !reasons.is_empty() {
        format!("Assessed as urgent because of {}", list(&reasons))
    } else if facts.urgent {
        "Assessed as urgent".to_owned()
    } else {
        "Assessed as not urgent".to_owned()
    };
    let by = match state
        .abuser
        .as_ref()
        .filter(|_| tells_of_harm(state))
        .map(|abuser| abuser.heard.value)
    {
        Some(Relation::Spouse) => ", with a spouse or former spouse named",
        Some(Relation::Family) => ", with a family member or someone close named",
        _ => "",
    };
    match facts.agency {
        Some(agency) => format!("{risk}{by}, and matched to {agency}."),
        None => format!("{risk}{by}, with no agency called for."),
    }
}

fn plan(state: &State, facts: &Facts) -> String {
    match (facts.agency, facts.mode, facts.transferred) {
        (Some(agency), ..) if facts.open.is_some() => format!(
            "The call ended before this could be made sure of, and the caller did not reach {agency}."
        ),
        (Some(agency), Some(TransferMode::Warm), true) => {
            format!("The caller was handed to {agency} by warm transfer.")
        }
        (Some(agency), _, true) => format!(
            "With the caller's consent the case goes to {agency}, and a counsellor is to reach out within the next working day."
        ),
        (Some(agency), ..) if state.declined.contains(&agency) => {
            format!(
                "The caller did not agree to share the case with {agency}, and nothing was shared."
            )
        }
        (Some(agency), ..) => format!("The transfer to {agency} was not completed."),
        (None, ..) => "No transfer was made.".to_owned(),
    }
}

/// Two to four things an officer can do.
fn follow_up(state: &State, facts: &Facts) -> String {
    let mut steps: Vec<String> = Vec::new();
    match (facts.agency, facts.transferred) {
        (Some(Agency::Sos), true) => {
            steps.push("Confirm with SOS that the caller was reached".into());
            steps.push("Assess intent, plan and means at the next contact".into());
        }
        (Some(Agency::Spf), true) => {
            steps.push("Confirm with SPF that officers reached the caller".into());
            steps.push("Review immediate safety and who else is in the home".into());
        }
        (Some(agency), true) => {
            steps.push(format!(
                "Have a counsellor from {agency} reach out within the next working day"
            ));
            steps.push(match &facts.contact {
                Some(contact) => format!("Reach the caller as they asked: \"{contact}\""),
                None if state.refused.contains(&Refused::Contact) => {
                    "Take care, as the caller named no safe way to be reached".into()
                }
                None => "Ask first whether it is safe to talk".into(),
            });
        }
        (Some(agency), false) if state.declined.contains(&agency) => {
            steps.push("Do not contact the caller, as consent to share was not given".into());
            steps.push(format!("Offer {agency} again if the caller rings back"));
        }
        (Some(agency), false) if facts.open.is_some() => {
            steps.push(format!(
                "Review this call first, as a danger for {agency} was told and not made sure of"
            ));
            steps.push("Ask first whether it is safe to talk if the caller is reached".into());
        }
        (Some(agency), false) => {
            steps.push(format!(
                "Review this call, as the transfer to {agency} was not completed"
            ));
            steps.push("Ask first whether it is safe to talk if the caller is reached".into());
        }
        (None, _) => {
            steps.push("No agency follow-up was agreed on this call".into());
            steps.push("Offer further support if the caller rings back".into());
        }
    }
    if facts.claims(Signal::OverdoseNow)
        || facts.claims(Signal::SelfHarmNow)
        || facts.claims(Signal::Injury)
    {
        steps.push("Check that medical help was reached".into());
    } else if facts.claims(Signal::Strangulation) {
        steps.push("Advise a medical check, as strangulation was reported".into());
    } else if facts.claims(Signal::ThreatToKill) {
        steps.push("Assess lethality, as a threat to kill was reported".into());
    } else if facts.claims(Signal::Weapon) {
        steps.push("Assess lethality, as a weapon was reported".into());
    } else if facts.claims(Signal::Pregnant) {
        steps.push("Advise a medical check, as the caller is pregnant".into());
    } else if facts.claims(Signal::ChildAtRisk) {
        steps.push("Check on the safety of the children mentioned".into());
    }
    if facts.name == ANONYMOUS || facts.location == ANONYMOUS {
        steps.push("Respect the request for anonymity".into());
    } else if facts.transferred && (facts.name == "Unknown" || facts.location == "Unknown") {
        steps.push("Establish the details still missing from this note".into());
    }
    steps.truncate(4);
    format!("{}.", steps.join(". "))
}

fn abuse_type(state: &State) -> AbuseType {
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
fn tells_of_harm(state: &State) -> bool {
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

/// A danger or a red flag, told as true and not of long ago.
fn raises_the_flag(heard: &HeardSignal) -> bool {
    (heard.signal.is_high_risk() || heard.signal.is_red_flag()) && !heard.denied && !heard.remote
}

fn confirmed(state: &State, signal: Signal) -> bool {
    state.signals.iter().any(|noted| {
        let s = &noted.heard;
        s.signal == signal && !s.denied && s.confidence >= SURE
    })
}

/// Asked about suicide, the caller said no, and never said otherwise.
fn no_suicidal_thoughts(state: &State) -> bool {
    let said = |denied: bool| {
        state.signals.iter().any(|noted| {
            noted.heard.signal == Signal::SuicidalDirect
                && noted.heard.denied == denied
                && (noted.answers || !denied)
        })
    };
    said(true) && !said(false)
}

fn evidence(state: &State, urgent: bool) -> Vec<Evidence> {
    let open = open_danger(state);
    let mut evidence: Vec<Evidence> = state
        .signals
        .iter()
        .filter(|noted| noted.heard.signal.is_clinical() || noted.heard.signal == Signal::Safe)
        .filter(|noted| {
            // A hint proves nothing, unless the same was told surely or confirmed, and the caller
            // did not say that it was none.
            !noted.heard.denied
                && (confirmed(state, noted.heard.signal) || stands_open(open, noted.heard.signal))
                && (noted.heard.confidence >= SURE || !no_suicidal_thoughts(state))
                || noted.heard.denied
                    && noted.answers
                    && (noted.heard.signal.is_high_risk() || noted.heard.signal.is_abuse())
        })
        .map(|noted| Evidence {
            claim: if noted.heard.denied {
                format!("denies {}", noted.heard.signal.name())
            } else {
                noted.heard.signal.name().to_owned()
            },
            words: noted.heard.words.clone(),
            turn: noted.turn,
            confidence: noted.heard.confidence,
            escalates: urgent && raises_the_flag(&noted.heard),
        })
        .collect();
    let mut fact = |claim: &str, words: &Secret<String>, turn: usize, confidence: f32| {
        evidence.push(Evidence {
            claim: claim.to_owned(),
            words: words.clone(),
            turn,
            confidence,
            escalates: false,
        });
    };
    if let Some(opening) = &state.opening {
        fact(
            "reason for the call",
            &opening.heard.words,
            opening.turn,
            opening.heard.confidence,
        );
    }
    if let Some(name) = &state.name {
        fact("name", &name.heard.words, name.turn, name.heard.confidence);
    }
    if let Some(place) = &state.place {
        fact(
            "location",
            &place.heard.words,
            place.turn,
            place.heard.confidence,
        );
    }
    if let Some(age) = &state.age {
        fact("age", &age.heard.words, age.turn, age.heard.confidence);
    }
    if let Some(abuser) = &state.abuser
        && tells_of_harm(state)
    {
        fact(
            "who did it",
            &abuser.heard.words,
            abuser.turn,
            abuser.heard.confidence,
        );
    }
    if let Some(contact) = &state.contact {
        fact(
            "how to reach the caller",
            &contact.heard.words,
            contact.turn,
            contact.heard.confidence,
        );
    }
    if let Some(incident) = &state.incident {
        fact(
            "latest incident",
            &incident.heard.words,
            incident.turn,
            incident.heard.confidence,
        );
    }
    evidence.sort_by_key(|evidence| evidence.turn);
    evidence
}

/// "a", "a and b", "a, b and c".
fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
