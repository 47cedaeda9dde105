//! A simulated caller on the line: hears the assistant's words and says the next thing.
//!
//! It answers what it was asked, tells the next piece of its story at an open question, and, when
//! everything is told, says goodbye. It knows nothing of the flow and decides nothing about it.

use std::collections::{BTreeMap, BTreeSet};

use crate::caller::Caller;
use crate::question::{self, Topic};

/// What the caller does in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    Says(String),
    /// Long enough for a check-in.
    Silent,
    /// A sound without words.
    Unclear,
    HangsUp,
}

/// Said when everything is told and the assistant still asks about it.
const NOTHING_MORE: [&str; 4] = [
    "I don't know what else to say.",
    "Ya. It's like that.",
    "Mm.",
    "Okay.",
];
const GOODBYES: [&str; 2] = ["Okay, thank you. Bye.", "Bye."];
/// No caller stays for longer: the flow had its time.
const MOST_TURNS: usize = 40;

pub struct Person<'c> {
    caller: &'c Caller,
    said: usize,
    openings: usize,
    told: usize,
    asked: BTreeMap<Topic, usize>,
    misheard: BTreeSet<Topic>,
    nothing_more: usize,
    goodbyes: usize,
}

impl<'c> Person<'c> {
    pub fn new(caller: &'c Caller) -> Self {
        Self {
            caller,
            said: 0,
            openings: 0,
            told: 0,
            asked: BTreeMap::new(),
            misheard: BTreeSet::new(),
            nothing_more: 0,
            goodbyes: 0,
        }
    }

    /// How often the caller has said goodbye.
    pub fn goodbyes(&self) -> usize {
        self.goodbyes
    }

    pub fn reply(&mut self, heard: &str) -> Turn {
        let patience = self.caller.hangs_up_after.unwrap_or(MOST_TURNS);
        if self.said >= patience {
            return Turn::HangsUp;
        }
        self.said += 1;
        match self.words(heard) {
            None => Turn::HangsUp,
            Some(words) if words == "(silence)" => Turn::Silent,
            Some(words) if words == "(unclear)" => Turn::Unclear,
            Some(words) => Turn::Says(words),
        }
    }

    fn words(&mut self, heard: &str) -> Option<String> {
        let topic = question::topic(heard);
        if let Some(opening) = self.caller.opening.as_slice().get(self.openings) {
            self.openings += 1;
            return Some(opening.clone());
        }
        let Some(topic) = topic else {
            return self.tell_more();
        };
        if self.caller.mishears.contains(&topic) && self.misheard.insert(topic) {
            return Some(String::from(ASKS_AGAIN));
        }
        let times = *self
            .asked
            .entry(topic)
            .and_modify(|times| *times += 1)
            .or_insert(1);
        match topic {
            Topic::Open => self.tell_more(),
            Topic::More if self.told < self.caller.then.len() => self.tell_more(),
            Topic::NameAndAddress => self
                .answer(topic, times)
                .or_else(|| Some(self.name_and_address(times))),
            Topic::Who => Some(self.who(heard, times)),
            _ => self.answer(topic, times).or_else(|| self.unprepared(topic)),
        }
    }

    fn tell_more(&mut self) -> Option<String> {
        if let Some(piece) = self.caller.then.get(self.told) {
            self.told += 1;
            return Some(piece.clone());
        }
        if let Some(words) = NOTHING_MORE.get(self.nothing_more) {
            self.nothing_more += 1;
            return Some((*words).to_owned());
        }
        self.say_goodbye()
    }

    /// Twice; then the caller hangs up.
    fn say_goodbye(&mut self) -> Option<String> {
        let words = GOODBYES.get(self.goodbyes)?;
        self.goodbyes += 1;
        Some((*words).to_owned())
    }

    /// The answer as it is written down; the last one again if the question comes more often.
    fn answer(&self, topic: Topic, times: usize) -> Option<String> {
        let answers = self.caller.answers.get(&topic)?.as_slice();
        answers.get(times - 1).or_else(|| answers.last()).cloned()
    }

    fn name_and_address(&self, times: usize) -> String {
        let part = |topic| {
            self.answer(topic, times)
                .unwrap_or_else(|| REFUSAL.to_owned())
        };
        let refuses = |topic| {
            self.caller.refuses.contains(&topic) || !self.caller.answers.contains_key(&topic)
        };
        match (refuses(Topic::Name), refuses(Topic::Address)) {
            (true, true) => part(Topic::Name),
            (true, false) => format!("I don't want to say my name. {}", part(Topic::Address)),
            (false, true) => format!("{} I don't want to say where.", ended(part(Topic::Name))),
            (false, false) => format!("{} {}", ended(part(Topic::Name)), part(Topic::Address)),
        }
    }

    /// Who does it; for "is it your husband?", yes or no.
    fn who(&self, heard: &str, times: usize) -> String {
        let Some(answer) = self.answer(Topic::Who, times) else {
            return String::from("I don't really want to say who.");
        };
        let asked = heard.to_lowercase();
        let theirs = answer.to_lowercase();
        let is_open = asked.contains("who ") || asked.contains("who's") || asked.contains(" or ");
        if is_open {
            return answer;
        }
        if asked.contains("married") {
            let married = ["husband", "wife", "married"]
                .iter()
                .any(|word| theirs.contains(word));
            return match married {
                true => format!("Yes, {answer}"),
                false => format!("No. {answer}"),
            };
        }
        match RELATIONS
            .iter()
            .any(|word| asked.contains(word) && theirs.contains(word))
        {
            true => String::from("Yes."),
            false => format!("No, {answer}"),
        }
    }

    /// What a caller says to a question that was not foreseen: what is true for this caller, told by
    /// where the call should lead; little, where that tells nothing.
    fn unprepared(&mut self, topic: Topic) -> Option<String> {
        let leads_to = |codes: &[&str]| {
            let expected = &self.caller.expect.agency;
            match codes
                .iter()
                .any(|code| expected.iter().any(|it| it == code))
            {
                true => "Yes.",
                false => "No.",
            }
        };
        let words = match topic {
            Topic::Name | Topic::Age => REFUSAL,
            Topic::Address => "I don't want to say where.",
            Topic::Safe => "Ya, I can talk.",
            Topic::When => "I'm not sure.",
            Topic::Consent => "Okay, can.",
            Topic::Contact => "A message in the afternoon is fine.",
            Topic::Suicide => leads_to(&["SOS"]),
            Topic::Danger => leads_to(&["SPF"]),
            Topic::Hit => leads_to(&["SPF", "DVERT", "PAVE"]),
            Topic::Sexual => leads_to(&["SACC"]),
            Topic::Controlled => leads_to(&["NAVH", "CPS", "APS"]),
            Topic::Shelter => leads_to(&["FSC"]),
            Topic::Hurt => "No, I'm not hurt.",
            Topic::Support => "Maybe my friend.",
            Topic::More => return self.part(),
            Topic::Other => "I'm not sure.",
            Topic::Open | Topic::Who | Topic::NameAndAddress => return self.tell_more(),
        };
        Some(words.to_owned())
    }

    /// Declines more help, as a caller does who is about to go.
    fn part(&mut self) -> Option<String> {
        if self.goodbyes > 0 {
            return self.say_goodbye();
        }
        self.goodbyes += 1;
        Some(String::from("No, that's all. Thank you."))
    }
}

const ASKS_AGAIN: &str = "Sorry, what did you say?";
const REFUSAL: &str = "I'd rather not say.";
/// By which callers and questions name who does it.
pub const RELATIONS: [&str; 16] = [
    "husband",
    "wife",
    "father",
    "mother",
    "parent",
    "son",
    "daughter",
    "brother",
    "sister",
    "boyfriend",
    "girlfriend",
    "partner",
    "uncle",
    "employer",
    "boss",
    "stranger",
];

/// Whether the caller asked the assistant to repeat itself.
pub fn asks_again(words: &str) -> bool {
    let words = words.to_lowercase();
    [
        "what did you say",
        "say that again",
        "say again",
        "repeat",
        "can't hear you",
        "cannot hear you",
    ]
    .iter()
    .any(|phrase| words.contains(phrase))
}

fn ended(mut words: String) -> String {
    if !words.ends_with(['.', '!', '?']) {
        words.push('.');
    }
    words
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::caller::from_toml;

    fn caller(text: &str) -> Caller {
        let text = format!(
            "category = 'c'\n[[caller]]\nid = 'x'\nwho = 'w'\nexpect.agency = 'none'\n{text}"
        );
        from_toml(&text).unwrap().remove(0)
    }

    fn says(words: &str) -> Turn {
        Turn::Says(words.to_owned())
    }

    #[test]
    fn the_opening_comes_first_and_the_story_at_open_questions() {
        let caller = caller("opening = 'Hello?'\nthen = ['He hit me.']\nanswers.age = 'Sixteen.'");
        let mut person = Person::new(&caller);
        assert_eq!(person.reply("Are you safe to talk?"), says("Hello?"));
        assert_eq!(person.reply("How old are you?"), says("Sixteen."));
        assert_eq!(person.reply("What has been happening?"), says("He hit me."));
        assert_eq!(person.reply("I hear you."), says(NOTHING_MORE[0]));
    }

    #[test]
    fn a_caller_who_has_told_everything_says_goodbye_and_hangs_up() {
        let caller = caller("opening = 'Hello?'");
        let mut person = Person::new(&caller);
        let said = 1 + NOTHING_MORE.len() + GOODBYES.len();
        for _ in 0..said {
            assert!(matches!(person.reply("I'm listening."), Turn::Says(_)));
        }
        assert_eq!(person.reply("I'm listening."), Turn::HangsUp);
    }

    #[test]
    fn name_and_address_are_answered_together_with_what_is_refused() {
        let caller =
            caller("opening = 'x'\nanswers.address = 'Block 5 Bedok.'\nrefuses = ['name']");
        let mut person = Person::new(&caller);
        person.reply("Hello.");
        assert_eq!(
            person.reply("What is your name and unit address?"),
            says("I don't want to say my name. Block 5 Bedok.")
        );
    }

    #[test]
    fn a_question_not_caught_is_answered_when_it_comes_again() {
        let caller = caller("opening = 'x'\nanswers.name = 'Devi.'\nmishears = ['name']");
        let mut person = Person::new(&caller);
        person.reply("Hello.");
        let Turn::Says(first) = person.reply("What is your name?") else {
            panic!("said nothing");
        };
        assert!(asks_again(&first));
        assert_eq!(person.reply("What is your name?"), says("Devi."));
    }

    #[test]
    fn who_is_told_or_only_confirmed() {
        let caller = caller("opening = 'x'\nanswers.who = 'my husband'");
        let mut person = Person::new(&caller);
        person.reply("Hello.");
        assert_eq!(person.reply("Who is hurting you?"), says("my husband"));
        assert_eq!(person.reply("Is it your husband?"), says("Yes."));
        assert_eq!(person.reply("Is it your father?"), says("No, my husband"));
    }

    #[test]
    fn silence_and_hanging_up_are_turns_too() {
        let caller = caller("opening = ['(silence)', '(unclear)']\nhangs_up_after = 2");
        let mut person = Person::new(&caller);
        assert_eq!(person.reply("Hello."), Turn::Silent);
        assert_eq!(person.reply("Hello?"), Turn::Unclear);
        assert_eq!(person.reply("Hello?"), Turn::HangsUp);
    }
}
