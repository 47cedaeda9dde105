//! What an answer to a question comes to: yes, no, rather not, don't know, say that again.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    Answer,
    lexicon::{answers, vocabulary},
    pattern::PatternSet,
    text::Text,
};

struct Openings {
    whole: Regex,
    /// Good at the head of a longer clause too.
    head: Regex,
}

impl Openings {
    fn new(phrases: &[&str], heads: &str) -> Self {
        let whole = vocabulary::expand(&format!("^(?:{})$", phrases.join("|")));
        let head = vocabulary::expand(&format!(r"^(?:{heads})(?-u:\b)"));
        Self {
            whole: Regex::new(&whole).expect("the lexicons are tested"),
            head: Regex::new(&head).expect("the lexicons are tested"),
        }
    }
}

static YES: LazyLock<Openings> = LazyLock::new(|| {
    Openings::new(
        answers::YES,
        "no (?:worries|issues?|objections?|harm)|i would say so|i believe so|(?:i am )?afraid so|i would say yes|yes|ok|sure|alright|of course|definitely|please do|go ahead|i agree|i (?:guess|suppose) (?:so|yes|i do|i have|you can|it is|that is|can|ok|that would|they can|sure)|i think so|it is (?:ok|fine|alright)|that is (?:ok|fine|alright)|no problem|you can|you may|i do not mind|can can|can$|absolutely|boleh|hao|ya can|yes|share it|fine|correct|for now yes|uh huh",
    )
});
static NO: LazyLock<Openings> = LazyLock::new(|| {
    Openings::new(
        answers::NO,
        "(?:me |i )?no|not (?:me|applicable|like that|that i|him|her)|never|nothing (?:like|of)|not really|i do not want|do not want|please do not|do not (?:share|tell|give|send|pass|contact)|i d rather not|i would rather not|rather not|not (?:at all|at the moment|right now|now|yet|ok|comfortable|safe|today|tonight)|can not (?:say|tell|talk|speak|share|lah)|i am not (?:safe|ok|alright|fine|comfortable)|i do not think so|that is (?:all|it)|nothing (?:else|more)",
    )
});

fn set(phrases: &'static [&'static str]) -> PatternSet<()> {
    PatternSet::new(phrases.iter().map(|pattern| ((), *pattern)))
}

static REFUSAL: LazyLock<PatternSet<()>> = LazyLock::new(|| set(answers::REFUSAL));
static TAKES_BACK: LazyLock<PatternSet<()>> = LazyLock::new(|| set(answers::TAKES_BACK));
static YES_AFTER_ALL: LazyLock<PatternSet<()>> = LazyLock::new(|| set(answers::YES_AFTER_ALL));
static CONDITIONAL_YES: LazyLock<PatternSet<()>> = LazyLock::new(|| set(answers::CONDITIONAL_YES));
static NOT_JOKING: LazyLock<PatternSet<()>> = LazyLock::new(|| {
    set(&[
        "not joking",
        "no joke",
        "not kidding",
        "but (?:yes|ya|yeah|yah)",
        "serious",
        "(?:day|date) in mind",
    ])
});
static NAMES_A_BLOW: LazyLock<PatternSet<()>> = LazyLock::new(|| {
    set(&[
        "(?:{hit}|{hitting})",
        "(?:pinch|pinching|belt|cane|hanger|walking stick|broom|slipper|fists?)",
    ])
});
static SAYING: LazyLock<PatternSet<()>> = LazyLock::new(|| {
    set(&["(?:say|saying|tell|telling|talk|talking|answer|answering|discuss|go into|ask|asking)"])
});
static HAS_A_PLACE: LazyLock<PatternSet<()>> = LazyLock::new(|| set(answers::HAS_A_PLACE));
static WANTS_SHARED: LazyLock<PatternSet<()>> = LazyLock::new(|| set(answers::WANTS_SHARED));
static WAVERS: LazyLock<PatternSet<()>> = LazyLock::new(|| set(answers::WAVERS));
static MEANS_OTHERWISE: LazyLock<PatternSet<()>> = LazyLock::new(|| set(answers::MEANS_OTHERWISE));
static UNSURE: LazyLock<PatternSet<()>> = LazyLock::new(|| set(answers::UNSURE));
static WHY: LazyLock<PatternSet<()>> = LazyLock::new(|| set(answers::WHY));
static SAYS_WHY: LazyLock<PatternSet<()>> = LazyLock::new(|| set(answers::SAYS_WHY));
static SAY_AGAIN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&vocabulary::expand(&format!(
        "^(?:{})$",
        answers::SAY_AGAIN.join("|")
    )))
    .expect("the lexicons are tested")
});

pub(crate) fn read(text: &Text<'_>) -> Answer {
    let clauses: Vec<&str> = text
        .clauses()
        .into_iter()
        .map(|clause| text.slice(clause))
        .collect();
    let refuses = REFUSAL.is_match(text);
    Answer {
        yes: (!refuses && YES_AFTER_ALL.is_match(text))
            .then_some(true)
            .or_else(|| polarity(&clauses))
            .or_else(|| CONDITIONAL_YES.is_match(text).then_some(true)),
        refuses,
        declines_to_say: refuses && SAYING.is_match(text),
        wavers: WAVERS.is_match(text),
        means_otherwise: MEANS_OTHERWISE.is_match(text) && !NOT_JOKING.is_match(text),
        names_a_blow: NAMES_A_BLOW.hits(text).iter().any(|hit| !hit.denied)
            && !text
                .words()
                .any(|word| matches!(word, "never" | "not" | "no" | "nobody")),
        has_a_place: HAS_A_PLACE.is_match(text),
        wants_shared: !refuses && WANTS_SHARED.is_match(text),
        takes_back: TAKES_BACK.is_match(text),
        // By `manner`, from the words as they were said.
        withholds: Default::default(),
        agreed: false,
        disputed: false,
        unsure: UNSURE.is_match(text),
        // "No address, sorry" is no wish to hear it again.
        say_again: !refuses
            && text.word_count() <= 10
            && clauses.iter().any(|clause| {
                SAY_AGAIN.is_match(clause) && (*clause != "sorry" || clauses.len() == 1)
            }),
        asks_why: WHY.is_match(text) && !SAYS_WHY.is_match(text),
    }
}

/// Clauses after which the answer begins anew.
const CHANGES_MIND: &[&str] = &[
    "wait",
    "no wait",
    "hold on",
    "wait wait",
    "on second thought",
    "on second thoughts",
    "let me think",
    "i mean",
    "i changed my mind",
    "changed my mind",
    "no no wait",
    "hang on",
];

/// What a transcriber makes of "okay, can", and would pass for a no.
const MISHEARD: &[&str] = &[
    "no date", "no gate", "no kate", "no time", "no game", "no can",
];

/// How much an answer weighs: a clause that only begins as one; one that is one, however short. Above
/// that, its words.
const BEGUN: usize = 1;
const PLAIN: usize = 2;

/// The first clause that answers decides, unless a later one says it in more words: "no, I don't
/// mind".
fn polarity(clauses: &[&str]) -> Option<bool> {
    let mut decided: Option<(bool, usize)> = None;
    let (mut agreed, mut said_yes) = (0, false);
    for clause in clauses {
        // "No, wait. Yes.": what came before is withdrawn.
        if CHANGES_MIND.contains(clause) {
            decided = None;
            continue;
        }
        // "No one has hurt me" is no answer to what else is wanted.
        // Nor is "no date" one: that is "okay, can" misheard.
        if clause.starts_with("no one ") || MISHEARD.contains(clause) {
            continue;
        }
        let words = clause.split(' ').count().max(PLAIN);
        let (is_no, is_yes) = (NO.whole.is_match(clause), YES.whole.is_match(clause));
        let answer = match (is_no, is_yes) {
            (true, false) => Some((false, words)),
            (false, true) => Some((true, words)),
            _ => match (NO.head.find(clause), YES.head.find(clause)) {
                // "Not a problem" begins with both; the longer reading holds.
                (Some(no), Some(yes)) => Some((yes.end() > no.end(), BEGUN)),
                (Some(_), None) => Some((false, BEGUN)),
                (None, Some(_)) => Some((true, BEGUN)),
                (None, None) => None,
            },
        };
        let Some((yes, words)) = answer else { continue };
        match decided {
            None => decided = Some((yes, words)),
            Some((_, BEGUN | PLAIN)) if words > PLAIN => decided = Some((yes, words)),
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
        assert_eq!(read(&Text::new(words)).yes, expect, "{words}");
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
        ] {
            assert!(read(&Text::new(words)).refuses, "{words}");
        }
        for words in [
            "Mei Ling",
            "Block 12 Bedok",
            "last night",
            "fifteen",
            "yes okay",
        ] {
            assert!(!read(&Text::new(words)).refuses, "{words}");
        }
        assert!(!read(&Text::new("No address, sorry.")).say_again);
        assert!(read(&Text::new("Sorry?")).say_again);
        assert!(read(&Text::new("Please don't share this with anyone")).takes_back);
        assert!(!read(&Text::new("I don't want to share my name")).takes_back);
    }
}
