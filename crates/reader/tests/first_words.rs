//! What callers say first, and where it leads: a line of `first_words.tsv` is the route, a tab, and
//! the words. `AGE` is the question for it, `ASK-…` a question to make sure, `NONE` counselling;
//! `A/B`: either will do. A suicidal sign may be asked about first, and so may, now and then, what is
//! none.

mod talk;

use talk::{Talk, WHOLE};

/// What is asked to make sure stands in the note as open, with the agency it would lead to.
fn asks_to_make_sure(said: &str) -> bool {
    [
        "hurting you, or about",
        "in danger from",
        "being hurt there",
        "that person in danger",
        "ending your life",
        "about suicide",
    ]
    .iter()
    .any(|question| said.contains(question))
}

#[test]
fn first_words_lead_where_they_should() {
    /// Of those in no need, at most one in so many may be asked a question to make sure.
    const ASKED_IN_VAIN: usize = 8;
    /// So many of the lines lead elsewhere with these weights; fewer may, more may not.
    const LED_ASTRAY: usize = 15;
    let (mut harmless, mut asked_in_vain) = (0, 0);
    let mut wrong = Vec::new();
    let mut vain = Vec::new();
    for line in include_str!("first_words.tsv").lines() {
        let (expected, words) = line.split_once('\t').expect("route, tab, words");
        let mut talk = Talk::read_by(&WHOLE);
        talk.say(words);
        let said = talk.last();
        let route = talk.note().structured_data.transfer_to;
        // What is asked of whoever only talks is no reading of their first words.
        let in_need = expected != "NONE";
        let found = match route.filter(|_| !asks_to_make_sure(&said)) {
            Some(agency) => agency.as_str(),
            None if said.contains(" old you are") || said.contains("your age") => "AGE",
            None if said.contains("hurting you, or about") || said.contains("in danger from") => {
                "ASK-DANGER"
            }
            None if said.contains("being hurt there") || said.contains("that person in danger") => {
                "ASK-OTHER"
            }
            None if said.contains("ending your life") || said.contains("about suicide") => {
                "ASK-SUICIDE"
            }
            None if said.contains("husband or wife") => "ASK-WHO",
            None if in_need
                && (said.contains("safe to stay?") || said.contains("safe place away")) =>
            {
                "FSC"
            }
            None if in_need
                && (said.contains("something sexual") || said.contains("touch you in")) =>
            {
                "SACC"
            }
            None if in_need
                && (said.contains("hitting or hurting") || said.contains("hurt you before")) =>
            {
                "HURT"
            }
            None if in_need
                && (said.contains("frightening you") || said.contains("afraid or small")) =>
            {
                "AGE"
            }
            None => "NONE",
        };
        harmless += usize::from(expected == "NONE");
        if expected == "NONE" && found.starts_with("ASK-") {
            asked_in_vain += 1;
            vain.push(format!("{found}: {words}"));
            continue;
        }
        // A need that one reader hears is asked about by its own question, and leads there by a yes.
        let asked_first = matches!(expected, "PAVE" | "DVERT" | "ASK-WHO/PAVE") && found == "HURT"
            || expected == "SOS" && found == "ASK-SUICIDE"
            || expected == "AGE" && matches!(found, "HURT" | "SACC")
            || matches!(expected, "SPF" | "PAVE" | "DVERT" | "FSC" | "SACC" | "AGE")
                && found == "ASK-DANGER";
        if !asked_first && !expected.split('/').any(|one| one == found) {
            wrong.push(format!("{expected}, got {found}: {words}"));
        }
    }
    assert!(wrong.len() <= LED_ASTRAY, "{wrong:#?}");
    assert!(
        asked_in_vain * ASKED_IN_VAIN <= harmless,
        "{asked_in_vain} of {harmless} in no need were asked: {vain:#?}"
    );
}
