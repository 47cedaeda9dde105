//! What an everyday turn is about, so that a reply can stay with it: work, school, family, sleep …
//!
//! Nothing is decided by it; dangers and needs are `signals`.

use std::sync::LazyLock;

use super::{Topic, pattern::PatternSet, text::Text};

/// Closer topics first: of several the first counts.
const TOPICS: &[(Topic, &[&str])] = &[
    (
        Topic::Grief,
        &[
            "(?:passed away|passed on|died|death of|funeral|wake|grief|grieving|mourning|miscarriage|put (?:him|her|our dog|our cat) to sleep|death anniversary)",
            "miss(?:ing)? (?:my late|my (?:{adj} )?{kin}|her|him|them|mum|dad|grandma|grandpa)",
            "(?:late|lost my) {kin}",
        ],
    ),
    (
        Topic::Panic,
        &[
            "(?:panic|anxiety) attacks?|heart (?:is )?(?:racing|pounding)|hyperventilat(?:e|ing)|(?:can|could) not breathe|panicking",
        ],
    ),
    (
        Topic::Sleep,
        &[
            "(?:sleep|sleeping|asleep|insomnia|nightmares?|awake|lying in bed|toss and turn|bad dreams?)",
        ],
    ),
    (
        Topic::Loneliness,
        &[
            "(?:lonely|loneliness|alone|by myself|no friends|nobody to talk to|no one to talk to|left out|invisible|empty (?:house|flat|home|nest)|(?:house|flat|home) (?:is |feels? |so |too )*(?:quiet|empty|less empty)|feel less empty|isolated)",
            "no one (?:{g2})?(?:understands|to call|to turn to|asks)",
        ],
    ),
    (
        Topic::Couple,
        &[
            "(?:boyfriend|girlfriend|husband|wife|marriage|relationship|broke up|break up|breakup|divorce|ex|cheating|cheated|partner|dating|fiancee?)",
        ],
    ),
    (
        Topic::School,
        &[
            "(?:exams?|school|results|grades|study|studying|homework|teacher|psle|o levels?|a levels?|n levels?|poly|jc|uni|university|nus|ntu|smu|classmates?|assignment|tuition|cca|gpa|semester)",
        ],
    ),
    (
        Topic::Work,
        &[
            "(?:work|job|boss|manager|colleagues?|office|overtime|ot|deadline|deadlines|retrenched|retrenchment|resign|resigned|fired|promotion|shift|shifts|client|clients|company|business|interview|ns|camp|reservist)",
        ],
    ),
    (
        Topic::MoneyWorry,
        &[
            "(?:money|debts?|loan|loans|bills?|broke|afford|salary|rent|mortgage|expenses|savings|credit card|scammed|gambling)",
        ],
    ),
    (
        Topic::Health,
        &[
            "(?:cancer|sick|illness|hospital|surgery|operation|diagnosed|pain|chronic|medication|doctor|dialysis|stroke|diabetes|pregnan(?:t|cy)|ivf|treatment|tumou?r)",
        ],
    ),
    (
        Topic::Caring,
        &[
            "(?:dementia|caregiver|caregiving|look(?:ing)? after (?:my|her|him|them)|tak(?:e|ing) care of (?:my|her|him)|special needs|autis(?:m|tic)|newborn|twins|toddler|teething)",
        ],
    ),
    (
        Topic::Family,
        &[
            "(?:mother|mum|father|dad|parents|family|brother|sister|son|daughter|children|kids|grandmother|grandma|grandfather|in laws?|aunt|auntie|uncle|cousin)",
        ],
    ),
    (
        Topic::Friends,
        &["(?:friends?|best friend|friendship|group chat|clique|bestie)"],
    ),
    (
        Topic::Anger,
        &["(?:angry|furious|unfair|frustrated|fed up|pissed|annoyed|irritated)"],
    ),
    (
        Topic::Shame,
        &["(?:ashamed|shame|embarrassed|guilty|guilt|my fault|regret|stupid of me|failure|failed)"],
    ),
    (
        Topic::Pressure,
        &[
            "(?:stress|stressed|stressful|pressure|overwhelmed|burnt out|burned out|burnout|anxious|anxiety|worried|worry|nervous|too much|cannot cope|exhausted|tired|sian)",
        ],
    ),
    (
        Topic::Sadness,
        &["(?:sad|down|low|depressed|crying|cry|cried|upset|heartbroken|miserable|hurt|numb|lost)"],
    ),
    (
        Topic::Comfort,
        &[
            "(?:tried|try|love|loves|loved|like|liked|enjoy|enjoyed|miss|learning|started|playing|practising|going for|went for|go for) (?:{g2})?(?:music|songs?|singing|painting|drawing|cooking|baking|walks?|walking|jog|jogging|running|garden|gardening|plants|books?|reading|prayer|church|mosque|temple|games?|movies?|tea|kopi|coffee|park|swimming|dance|dancing|piano|guitar)",
            "(?:music|songs?|singing|painting|drawing|cooking|baking|walks?|walking|running|gardening|reading|prayer|praying|church|mosque|temple|kopi|swimming|dancing|my (?:cat|dog)) (?:{g2})?(?:helps?|helped|calms?|makes me|keeps me)",
            "(?:feel|feeling|felt|am|feels) (?:{g1})?(?:better|happy|happier|hopeful|relieved|calmer)",
        ],
    ),
];

static PATTERNS: LazyLock<PatternSet<Topic>> = LazyLock::new(|| {
    PatternSet::new(
        TOPICS
            .iter()
            .flat_map(|(topic, patterns)| patterns.iter().map(move |pattern| (*topic, *pattern))),
    )
});

/// Compiles the patterns, which otherwise happens in the first turn.
pub(crate) fn prepare() {
    LazyLock::force(&PATTERNS);
}

pub(crate) fn of(text: &Text<'_>) -> Option<Topic> {
    PATTERNS
        .hits(text)
        .into_iter()
        .filter(|hit| !hit.denied || hit.meaning == Topic::Sleep)
        .map(|hit| hit.meaning)
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_about_what_it_names() {
        let check = |words: &str, topic: Option<Topic>| {
            assert_eq!(of(&Text::new(words)), topic, "{words}");
        };
        check("my grandmother died last week", Some(Topic::Grief));
        check("I can't sleep", Some(Topic::Sleep));
        check(
            "music makes the house feel less empty",
            Some(Topic::Loneliness),
        );
        check("my exam is next week", Some(Topic::School));
        check("boss gives me extra work", Some(Topic::Work));
        check("I tried painting again", Some(Topic::Comfort));
        check("it is like that", None);
    }
}
