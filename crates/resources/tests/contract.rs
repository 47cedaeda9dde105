//! What [`resources::Resources`] does, on every database, with and without a records key.
#![allow(clippy::unwrap_used)]

use std::convert::Infallible;
use std::time::Duration;

use jiff::Timestamp;
use postgres_for_tests::PostgresServer;
use records::{Database, RecordsKeys, Window, new_records_key, rotate_keys};
use redact::Secret;
use resources::{Body, ChangeError, Kind, NewResource, Page, Resource, Resources, Wanted};
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Row};
use tempfile::TempDir;
use uuid::Uuid;

const WORDS: &str = "he is outside the door";

/// Resources in a database of their own.
struct Scene {
    resources: Resources,
    url: String,
    keys: RecordsKeys,
    _place: Option<TempDir>,
}

impl Scene {
    async fn at(url: String, keys: RecordsKeys, place: Option<TempDir>) -> Self {
        Self {
            resources: opened(&url, &keys).await,
            url,
            keys,
            _place: place,
        }
    }

    async fn sqlite(keys: RecordsKeys) -> Self {
        let place = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", place.path().join("records.db").display());
        Self::at(url, keys, Some(place)).await
    }

    async fn postgres(keys: RecordsKeys) -> Self {
        Self::at(PostgresServer::shared().database(), keys, None).await
    }

    /// Every body and content, as it stands in the database.
    async fn stored(&self) -> Vec<String> {
        const ALL: &str = "SELECT body, content FROM resources";
        let values = |body: String, content: Option<String>| [Some(body), content];
        match self.url.strip_prefix("sqlite:") {
            Some(path) => {
                let options = SqliteConnectOptions::new().filename(path);
                let mut raw = options.connect().await.unwrap();
                let rows = sqlx::query(ALL).fetch_all(&mut raw).await.unwrap();
                let values = rows.iter().flat_map(|row| values(row.get(0), row.get(1)));
                values.flatten().collect()
            }
            None => {
                let mut raw = sqlx::PgConnection::connect(&self.url).await.unwrap();
                let rows = sqlx::query(ALL).fetch_all(&mut raw).await.unwrap();
                let values = rows.iter().flat_map(|row| values(row.get(0), row.get(1)));
                values.flatten().collect()
            }
        }
    }
}

async fn opened(url: &str, keys: &RecordsKeys) -> Resources {
    Resources::on(&Database::open(url, keys.clone()).await.unwrap())
}

fn new_keys() -> RecordsKeys {
    RecordsKeys::parse(new_records_key().expose_secret()).unwrap()
}

fn body(value: Value) -> Body {
    Secret::new(value.as_object().unwrap().clone())
}

fn at(second: u64) -> Timestamp {
    let evening: Timestamp = "2026-11-24T12:00:00Z".parse().unwrap();
    evening + Duration::from_secs(second)
}

async fn kept(resources: &Resources, kind: Kind, name: &str, second: u64) -> Resource {
    let new = NewResource::of(kind, body(json!({"name": name})));
    resources.add(new, at(second)).await.unwrap().unwrap()
}

fn names(page: &Page) -> Vec<&str> {
    let names = page.resources.iter().map(|resource| {
        let body = resource.body.expose_secret();
        body["name"].as_str().unwrap()
    });
    names.collect()
}

async fn what_is_kept_reads_as_it_was_said(scene: Scene) {
    let resources = &scene.resources;
    let said =
        json!({"name": "Night line", "server": {"secret": "s3cret"}, "ours": [1, null, 0.5]});
    let new = NewResource::of(Kind::Assistant, body(said.clone()));
    let now = at(0) + Duration::from_nanos(1_700);
    let kept = resources.add(new, now).await.unwrap().unwrap();
    assert_eq!(kept.created_at, at(0) + Duration::from_micros(1));
    assert_eq!(kept.updated_at, kept.created_at);
    let again = opened(&scene.url, &scene.keys).await;
    let read = again.get(Kind::Assistant, kept.id).await.unwrap().unwrap();
    assert_eq!(read, kept);
    assert_eq!(Value::from(read.body.expose_secret().clone()), said);
    assert_eq!(again.content(Kind::Assistant, kept.id).await.unwrap(), None);
}

async fn one_kind_is_not_another(scene: Scene) {
    let resources = &scene.resources;
    let tool = kept(resources, Kind::Tool, "lookup", 0).await;
    for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Tool) {
        assert_eq!(resources.get(kind, tool.id).await.unwrap(), None);
        assert_eq!(resources.remove(kind, tool.id).await.unwrap(), None);
        let none = resources.list(kind, Wanted::latest(9)).await.unwrap();
        assert_eq!((none.resources.len(), none.total), (0, 0));
    }
    let unknown = resources.get(Kind::Tool, Uuid::new_v4()).await.unwrap();
    assert_eq!(unknown, None);
}

async fn an_id_is_taken_once(scene: Scene) {
    let new = |name: &str| NewResource {
        id: Some(Uuid::from_u128(7)),
        ..NewResource::of(Kind::Session, body(json!({"name": name})))
    };
    let first = scene.resources.add(new("first"), at(0)).await.unwrap();
    assert_eq!(first.unwrap().id, Uuid::from_u128(7));
    let second = scene.resources.add(new("second"), at(1)).await.unwrap();
    assert_eq!(second, None);
}

async fn a_list_goes_from_the_newest_in_pages_and_tells_how_many_there_are(scene: Scene) {
    let resources = &scene.resources;
    for (second, name) in ["one", "two", "three", "four"].into_iter().enumerate() {
        kept(resources, Kind::Squad, name, second as u64).await;
    }
    let page = async |wanted| resources.list(Kind::Squad, wanted).await.unwrap();
    let first = page(Wanted::latest(3)).await;
    assert_eq!(
        (names(&first), first.total),
        (vec!["four", "three", "two"], 4)
    );
    let rest = Wanted {
        skip: 3,
        ..Wanted::latest(3)
    };
    assert_eq!(names(&page(rest).await), ["one"]);
    let oldest = Wanted {
        newest_first: false,
        ..Wanted::latest(2)
    };
    assert_eq!(names(&page(oldest).await), ["one", "two"]);
}

async fn a_list_keeps_to_the_times_that_are_asked_for(scene: Scene) {
    let resources = &scene.resources;
    let first = kept(resources, Kind::Tool, "first", 0).await;
    kept(resources, Kind::Tool, "second", 10).await;
    kept(resources, Kind::Tool, "third", 20).await;
    let listed = async |created, updated| {
        let wanted = Wanted {
            created,
            updated,
            ..Wanted::latest(9)
        };
        let page = resources.list(Kind::Tool, wanted).await.unwrap();
        assert_eq!(page.total as usize, page.resources.len());
        names(&page).join(" ")
    };
    let all = Window::ALL;
    assert_eq!(listed(all.from(at(10)), all).await, "third second");
    assert_eq!(listed(all.after(at(10)), all).await, "third");
    assert_eq!(listed(all.until(at(10)), all).await, "second first");
    assert_eq!(listed(all.before(at(10)), all).await, "first");
    assert_eq!(listed(all.after(at(0)).before(at(20)), all).await, "second");
    let same = |resource: &Resource| Ok::<_, Infallible>(resource.body.clone());
    let changed = resources.change(Kind::Tool, first.id, at(30), same).await;
    assert_eq!(changed.unwrap().updated_at, at(30));
    assert_eq!(listed(all, all.from(at(20))).await, "third first");
}

async fn a_change_is_worked_out_from_what_stands_and_keeps_when_it_was_made(scene: Scene) {
    let resources = &scene.resources;
    let made = kept(resources, Kind::Assistant, "before", 0).await;
    let named = |name: &'static str| {
        move |stands: &Resource| {
            let mut changed = stands.body.expose_secret().clone();
            changed.insert("was".to_owned(), changed["name"].clone());
            changed.insert("name".to_owned(), name.into());
            Ok::<_, Infallible>(Secret::new(changed))
        }
    };
    let changed = resources
        .change(Kind::Assistant, made.id, at(5), named("after"))
        .await
        .unwrap();
    assert_eq!((changed.created_at, changed.updated_at), (at(0), at(5)));
    let read = resources.get(Kind::Assistant, made.id).await.unwrap();
    assert_eq!(read.as_ref(), Some(&changed));
    assert_eq!(changed.body.expose_secret()["was"], "before");
    let unknown = resources.change(Kind::Assistant, Uuid::new_v4(), at(6), named("x"));
    assert!(matches!(unknown.await, Err(ChangeError::Unknown)));
}

async fn a_change_that_is_refused_changes_nothing(scene: Scene) {
    let resources = &scene.resources;
    let made = kept(resources, Kind::Assistant, "as it was", 0).await;
    let refused = resources
        .change(Kind::Assistant, made.id, at(5), |_| Err("not so"))
        .await;
    assert!(matches!(refused, Err(ChangeError::Refused("not so"))));
    let read = resources.get(Kind::Assistant, made.id).await.unwrap();
    assert_eq!(read, Some(made));
}

async fn of_two_who_change_one_at_once_neither_is_lost(scene: Scene) {
    let made = kept(&scene.resources, Kind::Squad, "both", 0).await;
    let counted = async |resources: &Resources, key: &'static str| {
        for _ in 0..4 {
            let add_one = |stands: &Resource| {
                let mut changed = stands.body.expose_secret().clone();
                let count = changed.get(key).and_then(Value::as_u64).unwrap_or(0);
                changed.insert(key.to_owned(), (count + 1).into());
                Ok::<_, Infallible>(Secret::new(changed))
            };
            let changed = resources.change(Kind::Squad, made.id, at(1), add_one);
            changed.await.unwrap();
        }
    };
    let (one, other) = (&scene.resources, opened(&scene.url, &scene.keys).await);
    tokio::join!(counted(one, "one"), counted(&other, "other"));
    let read = one.get(Kind::Squad, made.id).await.unwrap().unwrap();
    let body = read.body.expose_secret();
    assert_eq!((&body["one"], &body["other"]), (&json!(4), &json!(4)));
}

async fn what_is_removed_is_gone_with_what_was_in_it(scene: Scene) {
    let resources = &scene.resources;
    let new = NewResource {
        content: Some(Secret::new(WORDS.to_owned())),
        ..NewResource::of(Kind::File, body(json!({"name": "notes.txt"})))
    };
    let file = resources.add(new, at(0)).await.unwrap().unwrap();
    let content = resources.content(Kind::File, file.id).await.unwrap();
    assert_eq!(content.unwrap().expose_secret(), WORDS);
    let removed = resources.remove(Kind::File, file.id).await.unwrap();
    assert_eq!(removed, Some(file.clone()));
    assert_eq!(resources.get(Kind::File, file.id).await.unwrap(), None);
    assert_eq!(resources.content(Kind::File, file.id).await.unwrap(), None);
    assert_eq!(resources.remove(Kind::File, file.id).await.unwrap(), None);
    if let Some(path) = scene.url.strip_prefix("sqlite:") {
        let folder = std::path::Path::new(path).parent().unwrap();
        for entry in std::fs::read_dir(folder).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            let words = WORDS.as_bytes();
            assert!(!bytes.windows(words.len()).any(|part| part == words));
        }
    }
}

async fn what_was_made_long_ago_is_forgotten_by_kind(scene: Scene) {
    let resources = &scene.resources;
    kept(resources, Kind::Session, "old", 0).await;
    kept(resources, Kind::Session, "new", 60).await;
    let tool = kept(resources, Kind::Tool, "old", 0).await;
    assert_eq!(resources.forget(Kind::Session, at(60)).await.unwrap(), 1);
    assert_eq!(resources.forget(Kind::Session, at(60)).await.unwrap(), 0);
    let left = resources.list(Kind::Session, Wanted::latest(9)).await;
    assert_eq!(names(&left.unwrap()), ["new"]);
    assert!(resources.get(Kind::Tool, tool.id).await.unwrap().is_some());
}

async fn nothing_that_was_said_is_printed(scene: Scene) {
    let new = NewResource {
        content: Some(Secret::new(WORDS.to_owned())),
        ..NewResource::of(Kind::File, body(json!({"name": WORDS})))
    };
    let printed = format!("{new:?}");
    let kept = scene.resources.add(new, at(0)).await.unwrap().unwrap();
    let page = scene.resources.list(Kind::File, Wanted::latest(1)).await;
    for printed in [printed, format!("{kept:?} {page:?} {:?}", scene.resources)] {
        assert!(!printed.contains(WORDS), "{printed}");
    }
}

macro_rules! on_every_database {
    ($($story:ident)+) => {
        mod in_sqlite {
            $(#[tokio::test] async fn $story() { super::$story(super::Scene::sqlite(records::RecordsKeys::none()).await).await; })+
        }
        mod in_sqlite_encrypted {
            $(#[tokio::test] async fn $story() { super::$story(super::Scene::sqlite(super::new_keys()).await).await; })+
        }
        mod in_postgres {
            $(#[tokio::test] async fn $story() { super::$story(super::Scene::postgres(records::RecordsKeys::none()).await).await; })+
        }
        mod in_postgres_encrypted {
            $(#[tokio::test] async fn $story() { super::$story(super::Scene::postgres(super::new_keys()).await).await; })+
        }
    };
}

on_every_database! {
    what_is_kept_reads_as_it_was_said
    one_kind_is_not_another
    an_id_is_taken_once
    a_list_goes_from_the_newest_in_pages_and_tells_how_many_there_are
    a_list_keeps_to_the_times_that_are_asked_for
    a_change_is_worked_out_from_what_stands_and_keeps_when_it_was_made
    a_change_that_is_refused_changes_nothing
    of_two_who_change_one_at_once_neither_is_lost
    what_is_removed_is_gone_with_what_was_in_it
    what_was_made_long_ago_is_forgotten_by_kind
    nothing_that_was_said_is_printed
}

/// Keeps a file and a secret in the clear, and has rotation seal them.
async fn rotation_seals_what_programs_keep(scene: Scene) {
    let new = NewResource {
        content: Some(Secret::new(WORDS.to_owned())),
        ..NewResource::of(Kind::File, body(json!({"name": WORDS})))
    };
    let file = scene.resources.add(new, at(0)).await.unwrap().unwrap();
    let tool = kept(&scene.resources, Kind::Tool, WORDS, 1).await;
    let in_the_clear = scene.stored().await;
    assert_eq!(in_the_clear.len(), 3);
    assert!(in_the_clear.iter().all(|value| value.contains(WORDS)));
    let keys = new_keys();
    let rotated = rotate_keys(&scene.url, keys.clone(), |_| {}).await.unwrap();
    assert_eq!(rotated.unreadable, 0);
    let sealed = scene.stored().await;
    assert_eq!(sealed.len(), 3);
    assert!(sealed.iter().all(|value| value.starts_with("\"sealed:")));
    let with_the_key = opened(&scene.url, &keys).await;
    let read = with_the_key.get(Kind::Tool, tool.id).await.unwrap();
    assert_eq!(read, Some(tool.clone()));
    let content = with_the_key.content(Kind::File, file.id).await.unwrap();
    assert_eq!(content.unwrap().expose_secret(), WORDS);
    // Without it the list stands, and says nothing.
    let without = opened(&scene.url, &RecordsKeys::none()).await;
    let page = without.list(Kind::Tool, Wanted::latest(9)).await.unwrap();
    assert!(page.resources[0].unopened && page.resources[0].body.expose_secret().is_empty());
    let same = |_: &Resource| Ok::<_, Infallible>(body(json!({})));
    let changed = without.change(Kind::Tool, tool.id, at(2), same).await;
    assert!(changed.is_err(), "what cannot be read is not replaced");
    assert!(without.content(Kind::File, file.id).await.is_err());
}

#[tokio::test]
async fn rotation_seals_what_programs_keep_in_sqlite() {
    rotation_seals_what_programs_keep(Scene::sqlite(RecordsKeys::none()).await).await;
}

#[tokio::test]
async fn rotation_seals_what_programs_keep_in_postgres() {
    rotation_seals_what_programs_keep(Scene::postgres(RecordsKeys::none()).await).await;
}
