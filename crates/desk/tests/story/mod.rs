//! The material of the desk's stories: databases, a clock that is told, and people who sign in.
#![allow(dead_code, clippy::unwrap_used)]

use std::time::Duration;

use desk::{
    Account, AccountId, Attempt, Desk, NewAccount, Role, SessionBounds, SignInError, SignedIn, Who,
    code_at,
};
use flow::Agency;
use jiff::Timestamp;
use postgres_for_tests::PostgresServer;
use records::{Database, RecordsKeys, new_records_key};
use redact::Secret;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row};
use tempfile::TempDir;

pub const PASSWORD: &str = "a lantern at 3 am";

/// A desk on a database of its own.
pub struct Scene {
    pub desk: Desk,
    pub url: String,
    pub keys: RecordsKeys,
    /// As settings have them.
    pub key: String,
    _place: Option<TempDir>,
}

impl Scene {
    async fn at(url: String, key: String, place: Option<TempDir>) -> Self {
        let keys = RecordsKeys::parse(&key).unwrap();
        let database = Database::open(&url, keys.clone()).await.unwrap();
        Self {
            desk: Desk::on(&database, SessionBounds::default()),
            url,
            keys,
            key,
            _place: place,
        }
    }

    /// Another server on the same database; on a file, another program.
    pub async fn beside(&self) -> Desk {
        self.beside_with(self.keys.clone()).await
    }

    /// The same with other keys.
    pub async fn beside_with(&self, keys: RecordsKeys) -> Desk {
        let database = Database::open(&self.url, keys).await.unwrap();
        Desk::on(&database, SessionBounds::default())
    }

    /// Every value of a table, as it stands there.
    pub async fn rows(&self, table: &str) -> String {
        let all = AssertSqlSafe(match self.url.starts_with("sqlite:") {
            true => format!("SELECT * FROM {table}"),
            false => format!("SELECT {table}::text FROM {table}"),
        });
        match self.url.strip_prefix("sqlite:") {
            Some(path) => {
                let options = SqliteConnectOptions::new().filename(path);
                let mut raw = options.connect().await.unwrap();
                let rows = sqlx::query(all).fetch_all(&mut raw).await.unwrap();
                let values = rows.iter().flat_map(|row| {
                    let columns = 0..row.len();
                    columns.filter_map(|column| row.try_get::<Option<String>, _>(column).ok())
                });
                values.flatten().collect::<Vec<_>>().join("|")
            }
            None => {
                let mut raw = sqlx::PgConnection::connect(&self.url).await.unwrap();
                let rows = sqlx::query_scalar(all).fetch_all(&mut raw).await;
                let rows: Vec<String> = rows.unwrap();
                rows.join("|")
            }
        }
    }

    /// Does to the database what the program never would; gives what it refused.
    pub async fn sql(&self, statements: &str) -> Result<(), String> {
        let statements = AssertSqlSafe(statements.to_owned());
        let done = match self.url.strip_prefix("sqlite:") {
            Some(path) => {
                let options = SqliteConnectOptions::new().filename(path);
                let mut raw = options.connect().await.unwrap();
                let done = sqlx::raw_sql(statements).execute(&mut raw).await.map(drop);
                raw.close().await.unwrap();
                done
            }
            None => {
                let mut raw = sqlx::PgConnection::connect(&self.url).await.unwrap();
                sqlx::raw_sql(statements).execute(&mut raw).await.map(drop)
            }
        };
        done.map_err(|error| error.to_string())
    }
}

pub async fn sqlite() -> Scene {
    sqlite_with(String::new()).await
}

pub async fn sqlite_encrypted() -> Scene {
    sqlite_with(new_key()).await
}

async fn sqlite_with(key: String) -> Scene {
    let place = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", place.path().join("records.db").display());
    Scene::at(url, key, Some(place)).await
}

pub async fn postgres() -> Scene {
    let url = PostgresServer::shared().database();
    Scene::at(url, String::new(), None).await
}

pub async fn postgres_encrypted() -> Scene {
    let url = PostgresServer::shared().database();
    Scene::at(url, new_key(), None).await
}

pub fn new_key() -> String {
    new_records_key().expose_secret().clone()
}

/// An evening; so many seconds into it.
pub fn at(second: i64) -> Timestamp {
    let evening: Timestamp = "2026-11-24T12:00:00Z".parse().unwrap();
    evening + Duration::from_secs(second.try_into().unwrap())
}

pub const MINUTE: i64 = 60;
pub const HOUR: i64 = 3600;

pub fn secret(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

pub fn new_account(sign_in_name: &str, role: Role) -> NewAccount {
    NewAccount {
        name: "Mei".to_owned(),
        sign_in_name: sign_in_name.parse().unwrap(),
        role,
        agencies: [Agency::Pave, Agency::Navh].into(),
        languages: ["en".parse().unwrap(), "zh".parse().unwrap()].into(),
    }
}

/// Somebody with an account, and with the app that goes with it.
#[derive(Debug, Clone)]
pub struct Person {
    pub id: AccountId,
    pub sign_in_name: String,
    pub app: String,
    pub recovery: Vec<String>,
}

impl Person {
    /// With a first administrator, who lets everybody else in.
    pub async fn with_role(desk: &Desk, role: Role) -> Self {
        if !desk.is_open().await.unwrap() {
            let first = new_account("first@line.example", Role::Administrator);
            let by = Who::CommandLine;
            desk.invite(by, first, at(0)).await.unwrap();
        }
        let name = format!("{role}@line.example");
        let by = Who::CommandLine;
        let invited = desk.invite(by, new_account(&name, role), at(0)).await;
        let invited = invited.unwrap();
        Self::accepting(desk, invited.token.expose_secret(), at(0)).await
    }

    pub async fn accepting(desk: &Desk, token: &str, now: Timestamp) -> Self {
        let shown = desk.invitation(token, now).await.unwrap().unwrap();
        let app = shown.totp_secret.expose_secret().clone();
        let code = secret(&code_at(&app, now).unwrap());
        let codes = desk.accept(token, secret(PASSWORD), code, now).await;
        let codes = codes.unwrap().0;
        let name = shown.sign_in_name.clone();
        let accounts = desk.accounts(now).await.unwrap();
        let own = |account: &&Account| account.sign_in_name == name;
        Self {
            id: accounts.iter().find(own).unwrap().id,
            sign_in_name: name.to_string(),
            app,
            recovery: codes
                .iter()
                .map(|code| code.expose_secret().clone())
                .collect(),
        }
    }

    /// What they type at that moment.
    pub fn attempt(&self, now: Timestamp) -> Attempt {
        Attempt {
            sign_in_name: self.sign_in_name.clone(),
            password: secret(PASSWORD),
            code: secret(&code_at(&self.app, now).unwrap()),
        }
    }

    pub async fn sign_in(&self, desk: &Desk, now: Timestamp) -> Result<SignedIn, SignInError> {
        desk.sign_in(self.attempt(now), None, now).await
    }

    /// The token of a session.
    pub async fn signed_in(&self, desk: &Desk, now: Timestamp) -> String {
        let signed = self.sign_in(desk, now).await.unwrap();
        signed.token.expose_secret().clone()
    }
}
