//! What stands around a hit and says how it is to be taken: denied, over, another's, not this minute, a
//! film or a joke.
//!
//! After the ConText scheme (Harkema and others 2009, doi:10.1016/j.jbi.2009.05.002): a trigger sets its
//! feature on every hit in its scope, once. Triggers and scopes are data, in triggers.toml. What a
//! feature does to a signal is the table of `effects`; nothing is decided here.

use std::{collections::BTreeMap, ops::Range, sync::LazyLock};

use serde::Deserialize;

use super::{
    Relation, Signal,
    facts::{people::Person, time},
    language::{self, WordSet},
    negation::Negation,
    pattern::{Hit, PatternSet},
    signals::{Meaning, overlap},
    text::Text,
};

/// What a hit can be, beside what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Feature {
    Negated,
    // When.
    LongAgo,
    EarlierDay,
    Recurring,
    ToldAsPast,
    ThisMinute,
    JustNow,
    Today,
    Calm,
    Over,
    ToCome,
    WishedBefore,
    // Whose words, and whose mind.
    OtherPerson,
    Reported,
    Asked,
    AskedBack,
    Quoted,
    OfAnotherWill,
    HeldOver,
    HasOne,
    Threatened,
    // Not in earnest, or of something else.
    Play,
    PlayAbout,
    PlayNear,
    /// Somebody asks for their work what is done for others.
    Enquiry,
    AnotherEnd,
    /// Death is said to come, and not that it is wished.
    Foreseen,
    Expected,
    Likened,
    OfAThing,
    HeardNextDoor,
    Hyperbole,
    /// An idiom covers what is grave in it.
    Idiom,
    /// An idiom covers a part of it.
    IdiomBeside,
    // What it is beside.
    InsideAbuse,
    NamesTheHarmed,
    /// Somebody close is spoken of in the turn.
    Close,
    /// It names dying, killing or a blow.
    Grave,
}

/// The features of one hit.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Features(u64);

impl Features {
    pub fn set(&mut self, feature: Feature, holds: bool) {
        self.0 |= u64::from(holds) << feature as u32;
    }

    pub fn has(self, feature: Feature) -> bool {
        self.0 & (1 << feature as u32) != 0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Scope {
    Inside,
    Forward,
    Backward,
    Clause,
    Beside,
    Turn,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trigger {
    feature: Feature,
    scope: Scope,
    /// At most so many words between trigger and hit.
    reach: Option<usize>,
    patterns: Vec<String>,
    #[serde(default)]
    hit: Vec<String>,
    #[serde(default)]
    hit_not: Vec<String>,
    #[serde(default)]
    unless: Vec<String>,
}

/// The file triggers.toml.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Triggers {
    grave: Vec<String>,
    pub negation: super::negation::Words,
    trigger: Vec<Trigger>,
    tense: Tense,
    experiencer: Experiencer,
    hyperbole: Hyperbole,
    explained: Explained,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tense {
    told_as_done: WordSet,
    told_as_now: WordSet,
    the_harmed: WordSet,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Experiencer {
    caller: WordSet,
    others: WordSet,
    caller_inside: WordSet,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hyperbole {
    patterns: Vec<String>,
    of_somebody_close: Vec<String>,
    threatened: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Explained {
    of_somebody: WordSet,
    wished: WordSet,
    figures: Vec<String>,
    shows: Vec<String>,
    contests: Vec<String>,
    enquiries: Vec<String>,
    plays: Vec<String>,
}

pub(super) static TRIGGERS: LazyLock<Triggers> = LazyLock::new(|| language::file("triggers.toml"));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Idioms {
    idioms: Vec<String>,
    no_blow: Vec<String>,
}

/// What a match of the triggers' patterns is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Trigger(usize),
    Hit(usize),
    HitNot(usize),
    Unless(usize),
    Grave,
    Hyperbole,
    OfSomebodyClose,
    Threatened,
    Idiom,
    NoBlow,
    Explains,
    /// Names a game, a show, a dare or a wild animal.
    Plays,
}

static PATTERNS: LazyLock<PatternSet<Role>> = LazyLock::new(|| {
    let triggers = &*TRIGGERS;
    let idioms: Idioms = language::file("idioms.toml");
    let mut entries: Vec<(Role, String)> = Vec::new();
    let mut add = |role: Role, patterns: &[String]| {
        entries.extend(patterns.iter().map(|pattern| (role, pattern.clone())));
    };
    for (i, trigger) in triggers.trigger.iter().enumerate() {
        add(Role::Trigger(i), &trigger.patterns);
        add(Role::Hit(i), &trigger.hit);
        add(Role::HitNot(i), &trigger.hit_not);
        add(Role::Unless(i), &trigger.unless);
    }
    add(Role::Grave, &triggers.grave);
    add(Role::Hyperbole, &triggers.hyperbole.patterns);
    add(Role::OfSomebodyClose, &triggers.hyperbole.of_somebody_close);
    add(Role::Threatened, &triggers.hyperbole.threatened);
    add(Role::Idiom, &idioms.idioms);
    add(Role::NoBlow, &idioms.no_blow);
    for patterns in [
        &triggers.explained.figures,
        &triggers.explained.shows,
        &triggers.explained.contests,
        &triggers.explained.enquiries,
    ] {
        add(Role::Explains, patterns);
    }
    add(Role::Plays, &triggers.explained.plays);
    PatternSet::new(entries)
});

pub(super) fn prepare() {
    LazyLock::force(&PATTERNS);
}

/// One turn, with every trigger that stands in it.
pub(super) struct Context<'t> {
    text: &'t Text<'t>,
    found: BTreeMap<Role, Vec<Range<usize>>>,
    negation: Negation<'t>,
    earlier_days: Vec<Range<usize>>,
    /// Anywhere in the turn: an earlier day, or again and again.
    pub earlier: bool,
    people: &'t [Person],
    abuse: Vec<Range<usize>>,
}

impl<'t> Context<'t> {
    pub fn new(text: &'t Text<'t>, people: &'t [Person]) -> Self {
        let mentions = time::mentions(text);
        let mut found: BTreeMap<Role, Vec<Range<usize>>> = BTreeMap::new();
        for hit in PATTERNS.hits(text) {
            found.entry(hit.meaning).or_default().push(hit.tokens);
        }
        Self {
            text,
            found,
            negation: Negation::of(text),
            earlier: mentions.iter().any(|m| m.is_past() || m.is_recurring()),
            earlier_days: mentions
                .into_iter()
                .filter(time::Mention::is_past)
                .map(|mention| mention.tokens)
                .collect(),
            people,
            abuse: Vec::new(),
        }
    }

    /// Remembers where abuse is told, for what else the same words could mean.
    pub fn with_abuse(mut self, abuse: Vec<Range<usize>>) -> Self {
        self.abuse = abuse;
        self
    }

    /// Whether a feature is set anywhere in the turn.
    pub fn anywhere(&self, feature: Feature) -> bool {
        self.of(feature).next().is_some()
    }

    /// Every trigger of a feature, whatever its scope.
    fn of(&self, feature: Feature) -> impl Iterator<Item = &Range<usize>> {
        let triggers = TRIGGERS.trigger.iter().enumerate();
        triggers
            .filter(move |(_, trigger)| trigger.feature == feature)
            .flat_map(|(i, _)| self.all(Role::Trigger(i)))
    }

    /// Every feature of a hit.
    pub fn features(&self, hit: &Hit<Meaning>) -> Features {
        let (text, tokens) = (self.text, &hit.tokens);
        let near = neighbourhood(text, tokens);
        let mut features = Features::default();
        for (i, trigger) in TRIGGERS.trigger.iter().enumerate() {
            if self.sets(i, trigger, tokens, &near) {
                features.set(trigger.feature, true);
            }
        }
        let grave: Vec<&Range<usize>> = self.inside(tokens, Role::Grave).collect();
        features.set(Feature::Grave, !grave.is_empty());
        features.set(Feature::Negated, self.negation.denies(hit));
        features.set(Feature::Quoted, text.is_quoted(tokens));
        features.set(Feature::PlayNear, self.play_near(tokens));
        features.set(Feature::OtherPerson, of_another_person(text, tokens));
        features.set(
            Feature::Hyperbole,
            features.has(Feature::Hyperbole) || self.hyperbole(tokens),
        );
        let abuse = self.abuse.iter().any(|abuse| overlap(abuse, tokens));
        features.set(Feature::InsideAbuse, abuse);
        let names = |words: &WordSet| tokens.clone().any(|i| words.has(text.word(i)));
        features.set(Feature::NamesTheHarmed, names(&TRIGGERS.tense.the_harmed));
        let close = |person: &Person| person.own && person.relation != Relation::NotFamily;
        features.set(Feature::Close, self.people.iter().any(close));
        let day = |days: &Range<usize>| overlap(days, &near);
        features.set(Feature::EarlierDay, self.earlier_days.iter().any(day));
        features.set(
            Feature::ToldAsPast,
            features.has(Feature::ToldAsPast) || self.done_on_an_earlier_day(tokens),
        );
        let idiom = self.idiom(hit);
        // An idiom explains the grave words that it covers, and no others.
        let covers = |idiom: &Range<usize>| {
            grave
                .iter()
                .all(|grave| idiom.start <= grave.start && grave.end <= idiom.end)
        };
        features.set(Feature::Idiom, idiom.iter().any(|idiom| covers(idiom)));
        features.set(Feature::IdiomBeside, !idiom.is_empty());
        features
    }

    fn sets(&self, i: usize, trigger: &Trigger, hit: &Range<usize>, near: &Range<usize>) -> bool {
        if !trigger.hit.is_empty() && !self.all(Role::Hit(i)).any(|at| overlap(at, hit))
            || self.inside(hit, Role::HitNot(i)).next().is_some()
        {
            return false;
        }
        let clause = self.text.clause(hit.start);
        let in_scope = |at: &Range<usize>| match trigger.scope {
            Scope::Inside => overlap(at, hit),
            Scope::Forward => {
                let between = hit.start.checked_sub(at.end);
                at.start >= clause.start
                    && at.start < hit.start
                    && within(between.unwrap_or(0), trigger.reach)
                    && (trigger.reach.is_none() || between.is_some())
            }
            Scope::Backward => {
                at.start >= hit.start
                    && at.start < clause.end
                    && within(at.start.saturating_sub(hit.end), trigger.reach)
            }
            Scope::Clause => overlap(at, &clause),
            Scope::Beside => overlap(at, near),
            Scope::Turn => true,
        };
        let voids = |at: &Range<usize>| {
            self.all(Role::Unless(i))
                .any(|unless| overlap(unless, at) || in_scope(unless))
        };
        self.all(Role::Trigger(i))
            .any(|at| in_scope(at) && !voids(at))
    }

    fn all(&self, role: Role) -> std::slice::Iter<'_, Range<usize>> {
        self.found.get(&role).map_or(&[][..], Vec::as_slice).iter()
    }

    /// What of a role is among the hit's own words.
    fn inside(&self, hit: &Range<usize>, role: Role) -> impl Iterator<Item = &Range<usize>> {
        let hit = hit.clone();
        self.all(role)
            .filter(move |at| hit.start <= at.start && at.end <= hit.end)
    }

    fn idiom(&self, hit: &Hit<Meaning>) -> Vec<&Range<usize>> {
        let blow = matches!(
            hit.meaning.signal,
            Signal::PhysicalAbuse | Signal::ViolenceNow
        );
        self.all(Role::Idiom)
            .chain(self.all(Role::NoBlow).filter(|_| blow))
            .filter(|idiom| overlap(idiom, &hit.tokens))
            .collect()
    }

    /// A film or a game within a few words.
    fn play_near(&self, hit: &Range<usize>) -> bool {
        const NEAR: usize = 5;
        let near = hit.start.saturating_sub(NEAR)..hit.end + NEAR;
        self.of(Feature::PlayAbout).any(|at| overlap(at, &near))
    }

    /// "My boss will kill me", "my wife is going to murder me": by the person named last before it.
    fn hyperbole(&self, hit: &Range<usize>) -> bool {
        let clause = self.text.clause(hit.start);
        let said = clause.start..hit.end;
        let holds = |role: Role| self.inside(&said, role).next().is_some();
        let who = self
            .people
            .iter()
            .rfind(|person| overlap(&person.tokens, &said));
        self.all(Role::Hyperbole).any(|at| overlap(at, hit))
            && !holds(Role::Threatened)
            && who.is_some_and(|person| {
                person.own
                    && (person.relation == Relation::NotFamily || holds(Role::OfSomebodyClose))
            })
    }

    /// "He held the knife to my throat. That was last month.": told as done, and an earlier day is
    /// named somewhere in the turn.
    fn done_on_an_earlier_day(&self, hit: &Range<usize>) -> bool {
        let words = &TRIGGERS.tense;
        let done = |i: usize| {
            let word = self.text.word(i);
            words.told_as_done.has(word) || word.ends_with("ed")
        };
        !self.earlier_days.is_empty()
            && !self.anywhere(Feature::ThisMinute)
            && hit.clone().any(done)
            && !hit
                .clone()
                .any(|i| words.told_as_now.has(self.text.word(i)))
    }
}

fn within(words: usize, reach: Option<usize>) -> bool {
    reach.is_none_or(|reach| words <= reach)
}

/// Whether someone else is the subject of the hit: "she jumps off the roof". The nearest one counts.
fn of_another_person(text: &Text<'_>, hit: &Range<usize>) -> bool {
    const NEAR: usize = 4;
    let words = &TRIGGERS.experiencer;
    let of_self = hit.clone().any(|i| words.caller_inside.has(text.word(i)));
    let clause = text.clause(hit.start);
    !of_self
        && (hit.start.saturating_sub(NEAR).max(clause.start)..=hit.start)
            .rev()
            .map(|i| text.word(i))
            .find(|word| words.caller.has(word) || words.others.has(word))
            .is_some_and(|word| words.others.has(word))
}

/// The clause of a hit, with the short clauses beside it ("last night, he ...").
fn neighbourhood(text: &Text<'_>, hit: &Range<usize>) -> Range<usize> {
    const SHORT: usize = 4;
    let clause = text.clause(hit.start);
    let mut near = clause.start..text.clause(hit.end.saturating_sub(1).max(hit.start)).end;
    if near.start >= 2 {
        let before = text.clause(near.start - 2);
        if before.len() <= SHORT {
            near.start = before.start;
        }
    }
    if near.end + 1 < text.tokens().len() {
        let after = text.clause(near.end + 1);
        if after.len() <= SHORT {
            near.end = after.end;
        }
    }
    near
}

/// What a turn says of itself as a whole.
pub(super) struct WholeTurn {
    /// It says what it all was: a figure of speech, a game, a show, training. Whoever speaks of somebody in it ("he says
    /// he's joking", "he lost at mahjong") explains nothing away.
    pub explained_away: bool,
    /// A computer game, a show, a dare or a wild animal is named.
    pub speaks_of_play: bool,
    /// It speaks of years ago.
    pub tells_of_long_ago: bool,
}

pub(super) fn of_the_whole(text: &Text<'_>) -> WholeTurn {
    let of_somebody = text
        .words()
        .any(|word| TRIGGERS.explained.of_somebody.has(word));
    let wished = text.words().any(|word| TRIGGERS.explained.wished.has(word));
    let hits = PATTERNS.hits(text);
    let holds = |role: fn(Role) -> bool| hits.iter().any(|hit| role(hit.meaning));
    WholeTurn {
        explained_away: !of_somebody && !wished && holds(|role| role == Role::Explains),
        speaks_of_play: !wished && holds(|role| role == Role::Plays),
        tells_of_long_ago: holds(
            |role| matches!(role, Role::Trigger(i) if TRIGGERS.trigger[i].feature == Feature::LongAgo),
        ),
    }
}
