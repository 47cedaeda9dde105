//! What an answer to a question comes to: yes, no, rather not, don't know, say that again.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use serde::Deserialize;

use super::{
    Answer, Question, language, language::WordSet, negation::Negation, pattern::PatternSet,
    text::Text,
};

/// The phrases of answers.toml.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Phrases {
    yes: Whole,
    begins_yes: Head,
    yes_after_all: PatternSet<()>,
    conditional_yes: PatternSet<()>,
    no: Whole,
    wants_to_live: Whole,
    denies_what_is_so: Whole,
    before_a_tag: Head,
    why_after_no: WordSet,
    adds_nothing: Vec<String>,
    never_thought_of_it: Whole,
    still_at_it: Head,
    turns_offer_down: Head,
    begins_no: Head,
    begins_not_safe: Head,
    refusal: PatternSet<()>,
    saying: PatternSet<()>,
    takes_back: PatternSet<()>,
    no_number: Whole,
    wants_nobody: Whole,
    turns_police_down: PatternSet<()>,
    wants_somebody: PatternSet<()>,
    wants_shared: PatternSet<()>,
    has_a_place: PatternSet<()>,
    lacks_a_place: PatternSet<()>,
    out_of_words: PatternSet<()>,
    wavers: PatternSet<()>,
    hedges: PatternSet<()>,
    means_otherwise: PatternSet<()>,
    not_joking: PatternSet<()>,
    names_a_blow: PatternSet<()>,
    names_nobody: Whole,
    of_themselves: PatternSet<()>,
    unsure: PatternSet<()>,
    say_again: Whole,
    why: PatternSet<()>,
    says_why: PatternSet<()>,
    changes_mind: WordSet,
    misheard: WordSet,
    only_goodbye: Whole,
    only_manners: Whole,
    pub plain_leaves: Vec<String>,
    pub begins_a_question: Vec<String>,
    pub tags: Vec<String>,
    pub every_detail: Vec<String>,
    pub before_a_place: Vec<String>,
}

pub(super) static PHRASES: LazyLock<Phrases> = LazyLock::new(|| language::file("answers.toml"));

/// One of these is the whole clause.
#[derive(Deserialize)]
#[serde(try_from = "Vec<String>")]
struct Whole(Regex);

/// A clause begins with one of these, however it goes on.
#[derive(Deserialize)]
#[serde(try_from = "Vec<String>")]
struct Head(Regex);

impl TryFrom<Vec<String>> for Whole {
    type Error = regex::Error;

    fn try_from(phrases: Vec<String>) -> Result<Self, regex::Error> {
        let any = language::expand(&phrases.join("|"));
        Regex::new(&format!("^(?:{any})$")).map(Self)
    }
}

impl TryFrom<Vec<String>> for Head {
    type Error = regex::Error;

    fn try_from(phrases: Vec<String>) -> Result<Self, regex::Error> {
        let any = language::expand(&phrases.join("|"));
        Regex::new(&format!(r"^(?:{any})(?-u:\b)")).map(Self)
    }
}

/// What the turn answers to the question, if one was put.
pub(crate) fn read(text: &Text<'_>, question: Option<Question>) -> Answer {
    let clauses: Vec<&str> = text
        .clauses()
        .into_iter()
        .map(|clause| text.slice(clause))
        .collect();
    let heard = &*PHRASES;
    let negation = Negation::of(text);
    let without = question == Some(Question::CallBack)
        && clauses
            .iter()
            .any(|clause| heard.no_number.0.is_match(clause));
    let refuses = without || heard.refusal.is_match(text);
    // "No one is hurt, it's not me" denies all the same.
    let begins_no = clauses
        .first()
        .is_some_and(|clause| clause.starts_with("no ") || clause.starts_with("nobody"));
    let of_themselves = question == Some(Question::OtherInDanger)
        && !begins_no
        && !clauses.contains(&"no")
        && heard.of_themselves.is_match(text);
    Answer {
        yes: (!refuses && heard.yes_after_all.is_match(text))
            .then_some(true)
            .or_else(|| {
                let asks_back = |clause: &Range<usize>| {
                    question.is_some_and(asks_of_suicide)
                        && begins_a_question_of_its_own(text, clause)
                };
                let answering: Vec<&str> = text
                    .clauses()
                    .into_iter()
                    .filter(|clause| !asks_back(clause))
                    .map(|clause| text.slice(clause))
                    .collect();
                polarity(&answering, question)
            })
            .or_else(|| heard.conditional_yes.is_match(text).then_some(true))
            .filter(|yes| *yes || !of_themselves),
        refuses,
        declines_to_say: refuses && heard.saying.is_match(text),
        wavers: heard.wavers.is_match(text),
        hedges: heard.hedges.is_match(text),
        means_otherwise: heard.means_otherwise.is_match(text) && !heard.not_joking.is_match(text),
        names_a_blow: heard
            .names_a_blow
            .hits(text)
            .iter()
            .any(|hit| !negation.denies(hit))
            && !text
                .words()
                .any(|word| matches!(word, "never" | "not" | "no" | "nobody")),
        names_nobody: clauses
            .first()
            .is_some_and(|clause| heard.names_nobody.0.is_match(clause)),
        of_themselves,
        has_a_place: heard
            .has_a_place
            .hits(text)
            .iter()
            .any(|hit| !negation.denies(hit)),
        out_of_words: heard.out_of_words.is_match(text),
        lacks_a_place: question == Some(Question::NeedsShelter)
            && heard.lacks_a_place.is_match(text),
        // "If it's not the police, then okay, you can pass it on": the "not" is of something else.
        wants_shared: heard.wants_shared.hits(text).iter().any(|hit| {
            let mut words = text.slice(hit.tokens.clone()).split(' ');
            !negation.denies(hit) && !words.any(|word| matches!(word, "not" | "never" | "no"))
        }),
        takes_back: heard.takes_back.is_match(text),
        connect: connect(text, &clauses, &negation),
        half_a_number: false,
        // By `manner`, from the words as they were said.
        withholds: Default::default(),
        agreed: false,
        leans_yes: false,
        disputed: false,
        unsure: heard.unsure.is_match(text),
        // "No address, sorry" is no wish to hear it again.
        say_again: !refuses
            && text.word_count() <= 10
            && clauses.iter().any(|clause| {
                heard.say_again.0.is_match(clause) && (*clause != "sorry" || clauses.len() == 1)
            }),
        asks_why: heard.why.is_match(text) && !heard.says_why.is_match(text),
    }
}

/// Whether the caller wants to be connected to somebody. What somebody told them ("he says don't call them") is no
/// wish of theirs: a clause that turns it down holds nothing else.
fn connect(text: &Text<'_>, clauses: &[&str], negation: &Negation) -> Option<bool> {
    let heard = &*PHRASES;
    let hits = heard.wants_somebody.hits(text);
    if hits.iter().any(|hit| !negation.denies(hit)) {
        return Some(true);
    }
    let turned_down = clauses
        .iter()
        .any(|clause| heard.wants_nobody.0.is_match(clause));
    turned_down.then_some(false)
}

/// "No, thank you. Goodbye.", and not a word that tells of anything.
pub(super) fn only_takes_leave(text: &Text<'_>) -> bool {
    let clauses = text.clauses();
    let mut clauses = clauses.into_iter().map(|clause| text.slice(clause));
    let mut is_goodbye = false;
    let is_only_leave = clauses.all(|clause| {
        let goodbye = PHRASES.only_goodbye.0.is_match(clause);
        is_goodbye |= goodbye;
        goodbye || PHRASES.only_manners.0.is_match(clause)
    });
    is_only_leave && is_goodbye
}

/// "I don't want police, can somebody just help me": named, and not called for.
pub(super) fn turns_police_down(text: &Text<'_>) -> bool {
    PHRASES.turns_police_down.is_match(text)
}

fn asks_for_safety(question: Question) -> bool {
    matches!(
        question,
        Question::SafeNow | Question::SafeToTalk | Question::CallBack
    )
}

fn asks_what_is_so(question: Question) -> bool {
    question.makes_sure() || asks_what_was_done(question)
}

fn asks_of_suicide(question: Question) -> bool {
    matches!(question, Question::Suicidal | Question::OtherSuicidal)
}

/// "Straight to the point, no buy me dinner first?" denies nothing; "no, why would I?" does.
fn begins_a_question_of_its_own(text: &Text<'_>, clause: &Range<usize>) -> bool {
    const A_PLAIN_NO: usize = 2;
    text.word(clause.start) == "no"
        && clause.len() > A_PLAIN_NO
        && !PHRASES.why_after_no.has(text.word(clause.start + 1))
        && text.boundary_is_question(clause.end)
}

fn asks_of_danger(question: Question) -> bool {
    matches!(question, Question::DangerNow | Question::OtherInDanger)
}

fn asks_what_was_done(question: Question) -> bool {
    matches!(
        question,
        Question::HurtBefore | Question::SexualHarm | Question::PutDown | Question::Suicidal
    )
}

/// How much an answer weighs: a clause that only begins as one; one that is one, however short. Above
/// that, its words.
const BEGUN: usize = 1;
const PLAIN: usize = 2;

/// The first clause that answers decides, unless a later one says it in more words: "no, I don't
/// mind".
fn polarity(clauses: &[&str], question: Option<Question>) -> Option<bool> {
    let phrases = &*PHRASES;
    let mut decided: Option<(bool, usize)> = None;
    let (mut agreed, mut said_yes) = (0, false);
    for (at, clause) in clauses.iter().enumerate() {
        // "I want to live, but I can't take this" goes on to say why not.
        let is_last = clauses[at + 1..]
            .iter()
            .all(|after| phrases.adds_nothing.iter().any(|nothing| nothing == after));
        // "No, wait. Yes.": what came before is withdrawn.
        if phrases.changes_mind.has(clause) {
            decided = None;
            continue;
        }
        // "No one has hurt me" is no answer to what else is wanted.
        // Nor is "no date" one: that is "okay, can" misheard.
        if clause.starts_with("no one ") || phrases.misheard.has(clause) {
            continue;
        }
        // "You heard about the bottle, no?"
        let is_tag = *clause == "no"
            && is_last
            && at
                .checked_sub(1)
                .is_some_and(|before| phrases.before_a_tag.0.is_match(clauses[before]));
        if is_tag && question.is_some_and(asks_what_is_so) {
            continue;
        }
        let words = clause.split(' ').count().max(PLAIN);
        let not_safe = phrases.begins_not_safe.0.is_match(clause);
        // "Not safe" denies no violence.
        if not_safe && question.is_some_and(|question| !asks_for_safety(question)) {
            continue;
        }
        let offered = !question.is_some_and(asks_what_is_so);
        let denies_it = question.is_some_and(asks_of_suicide)
            && (is_last && phrases.wants_to_live.0.is_match(clause)
                || phrases.never_thought_of_it.0.is_match(clause));
        // "No problem": a yes to what is offered, and a no to what is asked after.
        let denies_what_is_so = !offered && phrases.denies_what_is_so.0.is_match(clause);
        let is_no = phrases.no.0.is_match(clause)
            || denies_it
            || denies_what_is_so
            || not_safe
            || offered && phrases.turns_offer_down.0.is_match(clause);
        let goes_on =
            question.is_some_and(asks_of_danger) && phrases.still_at_it.0.is_match(clause);
        let is_yes = goes_on || !denies_what_is_so && phrases.yes.0.is_match(clause);
        let answer = match (is_no, is_yes) {
            (true, false) => Some((false, words)),
            (false, true) => Some((true, words)),
            _ => match (
                phrases.begins_no.0.find(clause),
                phrases.begins_yes.0.find(clause),
            ) {
                // "Not a problem" begins with both; the longer reading holds.
                (Some(no), Some(yes)) => Some((yes.end() > no.end(), BEGUN)),
                (Some(_), None) => Some((false, BEGUN)),
                (None, Some(_)) => Some((true, BEGUN)),
                (None, None) => None,
            },
        };
        // "For that fella? Please. No.", "At two in the morning? Please.": it begs for nothing.
        let answer = match *clause {
            "please" if question.is_some_and(asks_what_was_done) => None,
            "please" => Some((true, BEGUN)),
            _ => answer,
        };
        let Some((yes, words)) = answer else { continue };
        match decided {
            None => decided = Some((yes, words)),
            Some((_, BEGUN | PLAIN)) if words > PLAIN => decided = Some((yes, words)),
            // "Yep. No. I still got my grandson to see.": neither.
            Some((true, PLAIN)) if *clause == "no" && question.is_some_and(asks_what_is_so) => {
                decided = None;
            }
            // "I can't say no to that. Yes."
            Some((_, BEGUN)) if matches!(*clause, "yes" | "no") => decided = Some((yes, words)),
            // "Don't want. Hmm. Okay lah, okay, yes, share.": said twice over, it is a yes.
            Some((false, _)) if yes && words >= PLAIN => {
                agreed += 1;
                said_yes |= *clause == "yes";
                if agreed >= 2 && said_yes {
                    decided = Some((yes, words));
                }
            }
            Some(_) => {}
        }
    }
    decided.map(|(yes, _)| yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn yes(words: &str, expect: Option<bool>) {
        assert_eq!(read(&Text::new(words), None).yes, expect, "{words}");
    }

    #[test]
    fn a_question_of_the_callers_own_that_begins_with_no_denies_no_thought_of_dying() {
        let answer = |words: &str| read(&Text::new(words), Some(Question::Suicidal)).yes;
        assert_eq!(
            answer("Wah, straight to the point, no buy me dinner first?"),
            None
        );
        assert_eq!(answer("No why would I want that?"), Some(false));
        assert_eq!(answer("No. Did someone tell you that?"), Some(false));
    }

    #[test]
    fn yes_and_no_are_heard_however_they_are_said() {
        yes("yeah for now", Some(true));
        yes("can lah", Some(true));
        yes("can", Some(true));
        yes("Okay.", Some(true));
        yes("it's ok", Some(true));
        yes("I guess so", Some(true));
        yes("No, I don't mind", Some(true));
        yes("no problem", Some(true));
        yes("cannot", Some(false));
        yes("no", Some(false));
        yes("Not really lah", Some(false));
        yes(
            "eh dont need already my aunt say can sleep her place",
            Some(false),
        );
        yes("I'd rather not", Some(false));
        yes("please don't", Some(false));
        yes(
            "No... wait. Actually, yes. Okay, you can share it.",
            Some(true),
        );
        yes("I can't say no to that. Yes.", Some(true));
        yes("I laugh about it but ya", Some(true));
        yes("no okay lah yes you can share", Some(true));
        yes("boleh you tell them but don't jail him", Some(true));
        yes("Share can, but no name.", Some(true));
        yes("No one's hurt me, I'm just out of a place.", None);
        yes("Don't want. Hmm. Okay lah, okay, yes, share.", Some(true));
        yes("me no that was my grandma", Some(false));
        yes("my husband", None);
        yes("he's asleep", None);
        yes("I think so.", Some(true));
        yes("I don't think so", Some(false));
        yes("Of course not, it's only school.", Some(false));
        yes("You tell, but don't tell about the pigeons.", Some(true));
        yes("I give you leave.", Some(true));
        yes("For that fella? Please. No.", Some(false));
        yes("I did ask myself, and the answer's no.", Some(false));
    }

    #[test]
    fn to_want_nothing_more_denies_nothing_that_was_done() {
        let after = |question, words: &str| read(&Text::new(words), Some(question)).yes;
        for words in ["That's all.", "I'm okay, honestly"] {
            assert_eq!(after(Question::MoreSupport, words), Some(false), "{words}");
            for question in [
                Question::DangerNow,
                Question::Suicidal,
                Question::HurtBefore,
            ] {
                assert_eq!(after(question, words), None, "{words}");
            }
        }
    }

    #[test]
    fn a_bare_yes_and_a_bare_no_to_what_was_done_are_neither() {
        let after = |question, words: &str| read(&Text::new(words), Some(question)).yes;
        let both = "Yep. No. I still got my grandson to see.";
        assert_eq!(after(Question::Suicidal, both), None);
        assert_eq!(after(Question::Suicidal, "Yes. Every night."), Some(true));
        assert_eq!(after(Question::Consent, "Yes. No problem."), Some(true));
    }

    #[test]
    fn who_wants_to_live_denies_wanting_to_die_and_nothing_else() {
        let after = |question, words: &str| read(&Text::new(words), Some(question)).yes;
        for words in [
            "I love my life and I want to live.",
            "Sir, I have every reason to live.",
            "I want to live.",
            "I have so much to live for.",
            "I have never thought of that.",
            "Never once thought about it.",
            "I want to live and get my card back, that's what.",
            "No problem here.",
        ] {
            assert_eq!(after(Question::Suicidal, words), Some(false), "{words}");
        }
        for words in [
            "I want to live but I can't take this",
            "I want to live somewhere else",
            "I want to hold on but I can't",
            "I should go on for my kids but I don't want to",
            "I have never told anyone",
        ] {
            assert_eq!(after(Question::Suicidal, words), None, "{words}");
        }
        let begs = after(Question::DangerNow, "I want to live.");
        assert_eq!(begs, None);
        // What is said in more words holds: the "no" was misheard.
        let misheard = "Yep. I have never thought of that.";
        assert_eq!(after(Question::Suicidal, misheard), Some(false));
        let told = "Yes. I have never told anyone.";
        assert_eq!(after(Question::Suicidal, told), Some(true));
    }

    #[test]
    fn what_still_goes_on_is_a_yes_to_the_question_about_danger_alone() {
        let after = |question, words: &str| read(&Text::new(words), Some(question)).yes;
        for words in [
            "Still fighting, I looking at them now!",
            "They're still hitting him.",
        ] {
            for question in [Question::DangerNow, Question::OtherInDanger] {
                assert_eq!(after(question, words), Some(true), "{words}");
            }
        }
        assert_eq!(after(Question::Suicidal, "Still fighting."), None);
        assert_eq!(after(Question::DangerNow, "Still thinking."), None);
    }

    #[test]
    fn a_case_is_given_in_many_words() {
        let after = |words: &str| read(&Text::new(words), Some(Question::Consent)).yes;
        for words in [
            "Give it to them, there's no column for that in the book.",
            "You may pass it on.",
            "You have my consent.",
            "Take my case to anybody you like.",
            "If she won't know then okay.",
        ] {
            assert_eq!(after(words), Some(true), "{words}");
        }
        assert_eq!(after("Don't give it to them."), Some(false));
    }

    #[test]
    fn what_was_declined_is_wanted_after_all() {
        let wants = |words: &str| read(&Text::new(words), None).wants_shared;
        for words in [
            "Actually, okay, you tell the people.",
            "I change my mind. You can share, I'm tired of being afraid.",
            "I changed my mind, please share it.",
            "Actually you can share already.",
            "If it's not the police then okay, you can pass it on.",
        ] {
            assert!(wants(words), "{words}");
        }
        for words in [
            "You can tell he's drunk.",
            "Okay. Tell me about the people.",
            "I share a room with my sister.",
            "Actually don't share.",
            "You can not share it.",
        ] {
            assert!(!wants(words), "{words}");
        }
    }

    #[test]
    fn why_not_asks_nothing() {
        let answer = read(
            &Text::new("Sure, why not, everybody else gets the door version."),
            Some(Question::Consent),
        );
        assert_eq!((answer.yes, answer.asks_why), (Some(true), false));
    }

    #[test]
    fn a_refusal_is_heard_however_it_is_put() {
        for words in [
            "I don't want to say",
            "rather not say",
            "prefer to stay anonymous",
            "can I not say",
            "skip",
            "none of your business",
            "not comfortable telling you",
            "don't want lah",
            "must I say?",
            "I'd rather stay anonymous",
            "is it necessary",
            "No address, sorry.",
            "no name please",
            "age no need lah",
            "Aiyah, name don't need lah, paiseh.",
        ] {
            assert!(read(&Text::new(words), None).refuses, "{words}");
        }
        for words in [
            "Mei Ling",
            "Block 12 Bedok",
            "last night",
            "fifteen",
            "yes okay",
        ] {
            assert!(!read(&Text::new(words), None).refuses, "{words}");
        }
        assert!(!read(&Text::new("No address, sorry."), None).say_again);
        assert!(read(&Text::new("Sorry?"), None).say_again);
        assert!(read(&Text::new("Please don't share this with anyone"), None).takes_back);
        assert!(!read(&Text::new("I don't want to share my name"), None).takes_back);
    }
}
