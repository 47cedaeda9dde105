//! What callers say first, and where it leads: a line of `first_words.tsv` is the route, a tab, and
//! the words. `AGE` is the question for it, `ASK-…` a question to make sure, `NONE` counselling;
//! `A/B`: either will do.

mod talk;

use talk::Talk;

#[test]
fn first_words_lead_where_they_should() {
    let mut wrong = Vec::new();
    for line in include_str!("first_words.tsv").lines() {
        let (expected, words) = line.split_once('\t').expect("route, tab, words");
        let talk = Talk::after(&[words]);
        let said = talk.last();
        let found = match talk.note().structured_data.transfer_to {
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
            None => "NONE",
        };
        if !expected.split('/').any(|one| one == found) {
            wrong.push(format!("{expected}, got {found}: {words}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
