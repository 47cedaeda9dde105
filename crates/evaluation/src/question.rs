//! Which question the assistant asked, from its words alone, as a caller would understand it.
//!
//! Nothing of the flow is used here: if the assistant words a question so that this does not
//! recognise it, the caller answers vaguely, and the report lists the question.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

/// What a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topic {
    /// Is it safe to talk?
    Safe,
    /// Is someone in danger at this moment?
    Danger,
    /// Is the caller thinking of suicide?
    Suicide,
    /// Has someone been violent to the caller?
    Hit,
    /// Has something sexual been done to the caller?
    Sexual,
    /// Is someone frightening, controlling or belittling the caller?
    Controlled,
    /// Is someone hurt, or has something been taken?
    Hurt,
    Name,
    Address,
    /// Both at once.
    NameAndAddress,
    Age,
    /// When did it last happen?
    When,
    /// May the case be shared?
    Consent,
    /// How and when can the caller be reached unnoticed?
    Contact,
    /// Who does it?
    Who,
    /// Does the caller have, or want, another place to stay?
    Shelter,
    /// Whom can the caller turn to?
    Support,
    /// Anything more?
    More,
    /// What has happened, how is it, how does it feel?
    Open,
    /// A question, but none of these.
    Other,
}

/// In the order in which they are tried: what is narrow stands before what is wide.
const PATTERNS: &[(Topic, &str)] = &[
    (
        Topic::Open,
        r"\b(start(ed)?|begin|began|begun) to feel\b|\bwhen did (things|this feeling|these feelings)\b|\bhow long have you\b",
    ),
    (
        Topic::Contact,
        r"\b(reach|contact) you\b|\bway and (a )?time\b|\btime of day\b",
    ),
    (
        Topic::NameAndAddress,
        r"\bname\b.*\b(address|unit|block|where you)",
    ),
    (
        Topic::Name,
        r"\b(what|which) name\b|\bname (can|could|may|should|shall|would)\b",
    ),
    (
        Topic::Consent,
        r"\b(shar(e|ing)|pass(ing)?|send(ing)?|forward(ing)?|refer(ring)?|hand(ing)?)\b.*\b(with|to|on|along|them|over)\b|\bconsent\b|\b(give|have|need|want|with) (me )?your (permission|agreement|okay)\b|\blet (them|the team|pave|the d-?vert team) know\b|\btell (them|pave|the d-?vert team|the (child|adult) protective service)\b",
    ),
    (
        Topic::Name,
        r"\byour name\b|\b(call|address) you(\?|,| by| while| if)|\bi (can |should |may )?call you\b|\bwho am i (speaking|talking)\b|\bname (i|we) (can|could|may)\b|\b(a|first) name\b",
    ),
    (
        Topic::Age,
        r"\bhow old (are|were) you\b|\byour age\b|\bold you are\b|\b(are|were) you (18|eighteen|19|nineteen|under|over|above|below)\b",
    ),
    (
        Topic::Address,
        r"\b(address|unit number|block)\b|\bwhere (are you|you are|do you (live|stay)|you (live|stay)|you're (calling|staying|living)|is (home|your home))\b|\bwhich (part|area|estate|town|neighbourhood)\b|\byour location\b|\b(area|part of singapore|estate|town) (are you|do you|you)\b",
    ),
    (
        Topic::Suicide,
        r"\bsuicid|\bkill(ing)? yourself\b|\b(end|ending|take|taking) your (own )?life\b|\b(hurt|harm)(ing)? yourself\b|\bending (it|things|everything)\b|\b(want(ing)?|wish(ing)?) to (die|be dead)\b|\bwanting to die\b|\bthoughts? of (dying|death)\b|\byou were dead\b|\b(not|to) (want(ing)? to )?(live|be alive|wake up)\b|\bthinking (of|about) (dying|death)\b",
    ),
    (
        Topic::Safe,
        r"\bsafe (enough )?(for you )?(right now |now )?(for you )?to (talk|speak|keep|stay on|carry|go on|continue|chat|be on)\b|\bsafe where you are\b|\b(are|is it|it) (you )?(still )?safe\b|\bsafe right now\b|\bfeel safe\b|\bsafe place\b.*\btalk\b|\b(talk|speak) (freely|safely|openly|now|right now)\b|\b(can|could) (anyone|someone|anybody|somebody|he|she|they) hear\b|\b(okay|ok|all right|alright) (for you )?to (talk|speak|keep talking|carry on)\b|\b(keep|go on) talking\b|\bsomewhere private\b|\bable to talk\b",
    ),
    (
        Topic::When,
        r"\bwhen (was|were|did|is|has|had|this|that|it|the)\b|\blast time\b|\bhow (long ago|recent|recently)\b|\b(latest|most recent|last) (incident|time|one)\b|\bwhat (day|date)\b|\blast happen|\bwas (it|that) (today|recent)\b",
    ),
    (
        Topic::Shelter,
        r"\b(place|somewhere|anywhere)( else)?( safe)? (to|you can|you could|for you to|where you can) (stay|sleep|go)\b|\bsafe place\b|\bshelter\b|\bstay(ing)? (somewhere|elsewhere|the night|tonight)\b",
    ),
    (
        Topic::Hurt,
        r"\b(are|is|were|was) (you|anyone|anybody|he|she|they|someone|somebody|your \w+) (badly |seriously |also )?(hurt|injured|bleeding|wounded|unconscious|breathing|awake)\b|\b(need|want|needs) (an ambulance|a doctor|medical)\b|\b(have|did) you (already )?(take|taken|swallow|swallowed|cut|done anything)\b|\bany injur",
    ),
    (
        Topic::Who,
        r"^((and|so|okay|can you (tell me|say)),? )?who (is|was|has|did|does|are|were|hurts?)\b",
    ),
    (
        Topic::Sexual,
        r"\bsexual|\btouch(ed|ing)? you\b|\bforced? (you|themselves)\b",
    ),
    (
        Topic::Danger,
        r"\bin (any )?(immediate )?danger\b|\b(happening|going on|hurting|hitting|harming|attacking|threatening|with you|there|nearby|close by|violent|violence|here)\b.*\bnow\b|\bright now\b.*\b(hurting|hitting|harming|attacking|threatening|danger)|\babout to\b|\bin the (same )?(house|home|room|flat)\b|\bstill (there|with you|in the)\b",
    ),
    (
        Topic::Controlled,
        r"\b(frighten|controlling|control you|putting you down|put you down|insult|threaten|humiliat|shout(ing)? at you|your money)",
    ),
    (
        Topic::Hit,
        r"\b(hit|hits|hitting|hurt|hurts|hurting|harm|harming|beat|beats|beating|violent) (you|her|him|them|anyone|someone|towards?|with)\b|\bphysical",
    ),
    (
        Topic::Support,
        r"\b(anyone|someone|anybody|somebody|a (friend|person|adult)|a trusted)\b.*\b(trust|talk to|call|turn to|lean on|knows?|stay with|be with you|your life)\b|\bwho (could|can|might|would) (you|be)\b|\bwho (do|did) you (trust|turn|talk)\b",
    ),
    (
        Topic::Who,
        r"\bwho\b|\b(is|was) (he|she|it|this|that|the person|this person) (your|a|someone|somebody|from)\b|\bmarried\b|\b(he|she|they|this person) to you\b|\brelationship (to|with|between)\b|\bare you (two|both)\b|\bsomeone (at home|in your family|you live with)\b",
    ),
    (
        Topic::More,
        r"\banything (else|more)\b|\bsomething else\b|\bis there more\b|\banything you('d| would) (like|want)\b|\bmore (support|help)\b|\b(help|support) you with\b|\bwhat else (can|could|may) i\b|\bkeep talking\b",
    ),
    (
        Topic::Open,
        r"\bwhat\b|\bhow\b|\bwhat's\b|\b(tell|say|talk|share|describe)\b|\bwould (it|you)\b",
    ),
];

/// A request without a question mark.
const REQUESTS: &str = r"\b(please )?(tell me|say|give me|let me know)\b|\bcan (you|i)\b|\btake your time\b|\bi'm listening\b|\bgo on\b|\bin your own (words|time)\b";

struct Compiled {
    topics: Vec<(Topic, Regex)>,
    requests: Regex,
    sentence: Regex,
}

static COMPILED: LazyLock<Compiled> = LazyLock::new(|| Compiled {
    topics: PATTERNS
        .iter()
        .map(|(topic, pattern)| (*topic, compile(pattern)))
        .collect(),
    requests: compile(REQUESTS),
    sentence: compile(r"[^.?!]+[.?!]*"),
});

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of this file are checked by its tests")
}

/// The topic of what the assistant asked last; `None` if it asked nothing.
pub fn topic(heard: &str) -> Option<Topic> {
    let heard = plain(heard);
    let sentences = sentences(&heard);
    let asked = sentences.iter().rfind(|sentence| sentence.ends_with('?'));
    match asked {
        Some(question) => Some(topic_of(question).unwrap_or(Topic::Other)),
        None => {
            let request = sentences
                .iter()
                .rfind(|sentence| COMPILED.requests.is_match(sentence))?;
            Some(topic_of(request).unwrap_or(Topic::Open))
        }
    }
}

fn topic_of(sentence: &str) -> Option<Topic> {
    let (topic, _) = COMPILED
        .topics
        .iter()
        .find(|(_, pattern)| pattern.is_match(sentence))?;
    Some(*topic)
}

/// The sentences with their closing marks. Numbers such as "5.30" are not split by callers' ears,
/// but the assistant says numbers in words.
pub fn sentences(text: &str) -> Vec<&str> {
    COMPILED
        .sentence
        .find_iter(text)
        .map(|found| found.as_str().trim())
        .filter(|sentence| !sentence.is_empty())
        .collect()
}

/// Lower case with straight apostrophes.
fn plain(text: &str) -> String {
    text.replace(['\u{2019}', '\u{2018}'], "'").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn asks(heard: &str, expected: Topic) {
        assert_eq!(topic(heard), Some(expected), "{heard}");
    }

    #[test]
    fn a_question_is_recognised_in_other_words_too() {
        asks(
            "Hello. I'm an AI counsellor. Is it safe for you to talk right now?",
            Topic::Safe,
        );
        asks("Are you able to keep talking safely?", Topic::Safe);
        asks("Is someone hurting you right now?", Topic::Danger);
        asks("Are you in danger at the moment?", Topic::Danger);
        asks(
            "Are you having thoughts of ending your life?",
            Topic::Suicide,
        );
        asks("Have you been thinking about suicide?", Topic::Suicide);
        asks("Has someone close to you been hitting you?", Topic::Hit);
        asks(
            "Has anyone touched you in a way you did not want?",
            Topic::Sexual,
        );
        asks(
            "Is someone controlling you, or putting you down?",
            Topic::Controlled,
        );
        asks("Are you hurt?", Topic::Hurt);
        asks("Have you taken anything?", Topic::Hurt);
        asks("May I have your name?", Topic::Name);
        asks("What name can I pass on to them?", Topic::Name);
        asks("What should I call you?", Topic::Name);
        asks(
            "Can you tell me your name and unit address?",
            Topic::NameAndAddress,
        );
        asks(
            "Where are you right now, with the block and unit number?",
            Topic::Address,
        );
        asks("May I ask how old you are?", Topic::Age);
        asks("When did this last happen?", Topic::When);
        asks("Is it okay if I share this with pave?", Topic::Consent);
        asks(
            "Shall I pass your case on to the D-vert team?",
            Topic::Consent,
        );
        asks("Who is hurting you?", Topic::Who);
        asks("Is it your husband?", Topic::Who);
        asks(
            "Do you need somewhere safe to stay tonight?",
            Topic::Shelter,
        );
        asks(
            "Is there someone you trust that you could call?",
            Topic::Support,
        );
        asks("Is there anything else I can help you with?", Topic::More);
        asks("What has been happening?", Topic::Open);
        asks("When did things start to feel this way?", Topic::Open);
        asks("Would you like to tell me more?", Topic::Open);
        asks("Tell me what happened.", Topic::Open);
        asks("Do you like rice?", Topic::Other);
    }

    #[test]
    fn the_last_question_counts_and_a_statement_asks_nothing() {
        asks("What has been happening? And how old are you?", Topic::Age);
        asks("How old are you? Take your time.", Topic::Age);
        assert_eq!(
            topic("I'm connecting you now. Please stay on the line."),
            None
        );
    }
}
