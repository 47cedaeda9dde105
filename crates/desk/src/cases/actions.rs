//! What an officer can have done in a case, as each agency's list has it: data, in the order in which it is shown. Words can
//! stand beside it or in its place.

use flow::Agency;

/// One line of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Action {
    /// Stable: cases are stored with it.
    pub code: &'static str,
    pub label: &'static str,
}

const fn action(code: &'static str, label: &'static str) -> Action {
    Action { code, label }
}

/// On every list.
const FOR_ALL: [Action; 4] = [
    action("rang-caller", "Rang the caller and spoke with them"),
    action(
        "could-not-reach",
        "Rang the caller and could not reach them",
    ),
    action("safety-plan", "Went through a safety plan with the caller"),
    action("handed-on", "Handed the case on to another agency"),
];

const SPF: [Action; 3] = [
    action("police-sent", "Had officers sent to the caller"),
    action("report-lodged", "Lodged a police report"),
    action("welfare-check", "Had a welfare check made"),
];

const SOS: [Action; 3] = [
    action("risk-assessed", "Assessed intent, plan and means"),
    action("care-text", "Set up care by text messages"),
    action("ambulance-sent", "Had an ambulance sent"),
];

const FSC: [Action; 3] = [
    action("shelter-found", "Found a place in a shelter"),
    action("social-worker", "Assigned a social worker"),
    action("appointment", "Made an appointment at the centre"),
];

const SACC: [Action; 3] = [
    action("counselling", "Arranged counselling"),
    action("medical-exam", "Arranged a medical examination"),
    action("court-support", "Offered a befriender for police or court"),
];

const DVERT: [Action; 3] = [
    action("team-sent", "Had the emergency response team go out"),
    action("shelter-found", "Found a place in a shelter"),
    action(
        "protection-order",
        "Explained or applied for a protection order",
    ),
];

const PAVE: [Action; 3] = [
    action("counselling", "Arranged counselling"),
    action(
        "protection-order",
        "Explained or applied for a protection order",
    ),
    action("shelter-found", "Found a place in a shelter"),
];

const NAVH: [Action; 3] = [
    action("advised", "Advised the caller and told them where to turn"),
    action("report-taken", "Took a report of abuse"),
    action("social-worker", "Assigned a social worker"),
];

const CPS: [Action; 3] = [
    action("child-seen", "Had the child seen by a protection officer"),
    action("investigation", "Opened an investigation"),
    action("school-told", "Spoke with the child's school"),
];

const APS: [Action; 3] = [
    action("home-visit", "Arranged a visit at home"),
    action("investigation", "Opened an investigation"),
    action("social-worker", "Assigned a social worker"),
];

/// The list of a case that was brought there.
pub fn actions(agency: Option<Agency>) -> Vec<Action> {
    let of_its_own: &[Action] = match agency {
        None => &[],
        Some(Agency::Spf) => &SPF,
        Some(Agency::Sos) => &SOS,
        Some(Agency::Fsc) => &FSC,
        Some(Agency::Sacc) => &SACC,
        Some(Agency::Dvert) => &DVERT,
        Some(Agency::Pave) => &PAVE,
        Some(Agency::Navh) => &NAVH,
        Some(Agency::Cps) => &CPS,
        Some(Agency::Aps) => &APS,
    };
    of_its_own.iter().chain(&FOR_ALL).copied().collect()
}

/// What this code stands for, on whichever list: a case may have been brought elsewhere since.
pub fn label(code: &str) -> Option<&'static str> {
    let everywhere = Agency::ALL.into_iter().flat_map(|it| actions(Some(it)));
    let mut everywhere = everywhere.filter(|action| action.code == code);
    everywhere.next().map(|action| action.label)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn every_list_has_something_of_its_own_and_no_code_twice() {
        for agency in Agency::ALL {
            let list = actions(Some(agency));
            let codes: BTreeSet<&str> = list.iter().map(|it| it.code).collect();
            assert_eq!(codes.len(), list.len(), "{agency:?}");
            assert!(list.len() > FOR_ALL.len(), "{agency:?}");
        }
        assert_eq!(actions(None), FOR_ALL);
    }

    #[test]
    fn a_code_means_the_same_on_every_list() {
        let mut labels = BTreeMap::new();
        for action in Agency::ALL.into_iter().flat_map(|it| actions(Some(it))) {
            let before = labels.insert(action.code, action.label);
            assert!(
                before.is_none_or(|label| label == action.label),
                "{action:?}"
            );
            assert_eq!(label(action.code), Some(action.label));
        }
        assert_eq!(label("never-heard-of"), None);
    }
}
