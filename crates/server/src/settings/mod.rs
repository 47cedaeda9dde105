//! Settings: read once at start, from a file and the environment, into types.
//!
//! Every setting is known to [`catalogue`]; a value is given as `key = …` in the settings file or
//! as `NIGHTLIGHT_KEY` in the environment, which wins. All problems are reported at once, each
//! with the setting's name, what is wrong and what to do. Nothing here opens a socket, a database
//! or an engine, and nothing elsewhere reads the environment.

pub mod catalogue;
mod chat_model;
mod closed_kept;
mod error_reporting;
mod hosted;
mod identity_provider;
mod mail;
mod message_server;
mod records_keys;
mod relay;
mod remote_voice;
mod service;
mod start_wait;
mod values;
mod voice;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use desk::SessionBounds;
use endpoint::Address;
use records::RecordsKeys;
use redact::Secret;

use crate::client_address::TrustedProxies;
use crate::error_reports::Dsn;
use crate::helpline::{HELPLINE, Helpline};

pub use chat_model::Model;
pub use closed_kept::ClosedKept;
pub use hosted::{HostedCalls, HostedPlatform, HostedTarget};
pub use identity_provider::{IdentityProvider, NameClaim};
pub use mail::Mail;
pub use message_server::MessageServer;
pub use relay::Relay;
pub use start_wait::{AdaptiveWait, StartWait};
use values::Values;
pub use values::{Problem, Source};
pub use voice::{Voice, VoiceName};

/// What the whole server is set to.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Variables of our prefix that set nothing: to be told of at start.
    pub unknown_variables: Vec<String>,
    pub listen: SocketAddr,
    /// Where browsers reach this server, such as `https://nightlight.example`. Without it, URLs
    /// follow the request's Host header.
    pub public_origin: Option<String>,
    /// Whose word is taken for where a request comes from.
    pub trusted_proxies: TrustedProxies,
    /// As many as the descriptors allow, unless it is said.
    pub max_connections: Option<usize>,
    pub media: Media,
    /// Through which callers come whose network lets no UDP through.
    pub relay: Option<Relay>,
    /// Among several behind one proxy.
    pub node_name: Option<String>,
    /// It may hold a password.
    pub database: Secret<String>,
    /// Without any, records are stored as they are.
    pub records_keys: RecordsKeys,
    /// How long a record is kept after its call ended.
    pub records_kept: Duration,
    /// How long a case's is kept after it was closed, if that is sooner.
    pub closed_kept: ClosedKept,
    pub engine_dir: PathBuf,
    pub reader_dir: PathBuf,
    pub web_dir: PathBuf,
    pub voice: Voice,
    pub transcribers: usize,
    pub assistant_name: String,
    pub plan: Plan,
    pub max_calls: usize,
    pub written: Written,
    pub rates: Rates,
    /// Without it, every reply and note is the flow's own.
    pub model: Option<Model>,
    pub public_key: String,
    /// Without it, every path that asks for it is closed.
    pub private_key: Option<Secret<String>>,
    pub webhook_secret: Option<Secret<String>>,
    /// Where server messages go that no assistant names a server for, if anywhere.
    pub message_server: Option<MessageServer>,
    /// Where calls are held if not here, and what is kept there.
    pub hosted_platform: HostedPlatform,
    pub links: Links,
    pub log: Log,
    /// Where traces are sent, if anywhere.
    pub otlp_endpoint: Option<Address>,
    /// Where errors are reported, if anywhere.
    pub error_reporting: Option<Dsn>,
    /// Opens what operators see from other machines.
    pub operator_key: Option<Secret<String>>,
    pub return_within: Duration,
    /// How long duty officers are rung for a warm transfer.
    pub officers_answer_within: Duration,
    /// How long a case may lie untouched that somebody has taken.
    pub case_untouched: Duration,
    /// Without it, nothing is mailed.
    pub mail: Option<Mail>,
    /// How long an officer is not rung after a call.
    pub wrap_up: Duration,
    /// Without it, officers sign in by password and code alone.
    pub identity_provider: Option<IdentityProvider>,
    /// When a session at the desk ends by itself.
    pub desk_sessions: SessionBounds,
    /// How long live calls may go on to their own end when the server is told to stop.
    pub finish: Duration,
    /// How long those left get to say whom to ring, and end.
    pub drain: Duration,
}

/// Where call media (UDP) goes.
#[derive(Debug, Clone)]
pub struct Media {
    /// Empty: every address of this machine.
    pub bind: Vec<IpAddr>,
    /// 0: any free port.
    pub port: u16,
    pub advertise: Option<IpAddr>,
}

/// The helpline's own turn-taking; what is not named here has the floor's defaults.
#[derive(Debug, Clone)]
pub struct Plan {
    pub start_wait: StartWait,
    pub stop_words: usize,
    pub silence_timeout: Duration,
    pub check_in: Duration,
    pub max_duration: Duration,
    /// Whether the assistant greets first. It is the helpline's file alone that says so.
    pub assistant_speaks_first: bool,
}

/// Conversations by text.
#[derive(Debug, Clone)]
pub struct Written {
    pub most: usize,
    /// A conversation is over when nothing was said for so long.
    pub idle_after: Duration,
}

/// How often it may be asked, by kind.
#[derive(Debug, Clone)]
pub struct Rates {
    pub calls: HolderRate,
    pub messages: HolderRate,
    pub reads: HolderRate,
}

/// In a minute.
#[derive(Debug, Clone)]
pub struct HolderRate {
    pub of_one_visitor: u32,
    pub of_one_address: u32,
}

/// Pages outside this site that the web app leads to.
#[derive(Debug, Clone)]
pub struct Links {
    pub feedback: String,
    pub platform: String,
}

#[derive(Debug, Clone)]
pub struct Log {
    /// A filter in the form of `RUST_LOG`.
    pub filter: String,
    pub format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    Json,
}

/// Everything that is wrong with the settings, not only the first thing.
#[derive(Debug, thiserror::Error)]
#[error("{}", summary(.0))]
pub struct SettingsProblems(pub Vec<Problem>);

fn summary(problems: &[Problem]) -> String {
    let mut text = match problems.len() {
        1 => String::from("1 setting needs mending:"),
        count => format!("{count} settings need mending:"),
    };
    for problem in problems {
        text.push_str("\n  - ");
        text.push_str(&problem.to_string());
    }
    text
}

impl Settings {
    /// Whether browsers reach this server by https.
    pub fn is_reached_by_https(&self) -> bool {
        let origin = self.public_origin.as_deref();
        origin.is_some_and(|origin| origin.starts_with("https://"))
    }

    /// Reads the settings file (`path`, or `nightlight.toml` where it exists) and this process's
    /// environment.
    pub fn load(path: Option<&Path>) -> Result<Self, SettingsProblems> {
        let file = match path {
            Some(path) => Some(read_file(path)?),
            None => {
                let usual = Path::new("nightlight.toml");
                usual.exists().then(|| read_file(usual)).transpose()?
            }
        };
        let environment = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Self::from_sources(file.as_deref(), environment)
    }

    /// The settings in the text of a settings file, overridden by an environment's variables.
    pub fn from_sources(
        file: Option<&str>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, SettingsProblems> {
        Self::over(&HELPLINE, file, environment)
    }

    /// The same over what a helpline's own files say.
    pub(crate) fn over(
        helpline: &Helpline,
        file: Option<&str>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, SettingsProblems> {
        let mut values = Values::new(file, environment);
        let settings = read(&mut values, helpline);
        let problems = values.into_problems();
        if problems.is_empty() {
            Ok(settings)
        } else {
            Err(SettingsProblems(problems))
        }
    }
}

fn read_file(path: &Path) -> Result<String, SettingsProblems> {
    std::fs::read_to_string(path).map_err(|error| {
        SettingsProblems(vec![Problem::of_file(
            format!("{} cannot be read ({error})", path.display()),
            "give the path of a readable settings file to --config, or leave it out",
        )])
    })
}

fn read(values: &mut Values, helpline: &Helpline) -> Settings {
    let turns = &helpline.turns;
    let listen = values.parsed(
        "listen",
        SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
        "an address and port, such as 127.0.0.1:8080 or [::]:8080",
    );
    let silence_timeout = values.seconds(
        "silence_timeout_seconds",
        turns.silence_timeout_seconds,
        5.0..=600.0,
    );
    let check_in = values.seconds("check_in_seconds", 15.0, 2.0..=600.0);
    if check_in >= silence_timeout {
        values.problem(
            "check_in_seconds",
            format!(
                "the check-in ({} s) would come after the silence time-out ({} s)",
                check_in.as_secs_f64(),
                silence_timeout.as_secs_f64()
            ),
            "make it shorter than silence_timeout_seconds",
        );
    }
    let start_wait = start_wait::read(values, turns.start_wait_seconds);
    let shortest_wait = start_wait.shortest();
    let model = chat_model::read(values, shortest_wait);
    let model_timeout = model.as_ref().map(|model| model.timeout);
    let remote_voice = remote_voice::read(values, shortest_wait, model_timeout);
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let public_key = values.text("public_key", "nightlight-public");
    let private_key = values.secret("private_key");
    let is_public = |key: &Secret<String>| *key.expose_secret() == public_key;
    if private_key.as_ref().is_some_and(is_public) {
        values.problem(
            "private_key",
            "it is the public key, which every page holds",
            "make another with `openssl rand -hex 24`",
        );
    }

    let operator_key = values.secret("operator_key");
    if operator_key.as_ref().is_some_and(is_public) {
        values.problem(
            "operator_key",
            "it is the public key, which every page holds",
            "make another with `openssl rand -hex 24`",
        );
    }

    let webhook_secret = values.secret("webhook_secret");
    let hosted_platform = hosted::read(values, webhook_secret.as_ref());
    let public_origin = values.origin("public_origin");
    let mail = mail::read(values, public_origin.as_deref());
    let identity_provider = identity_provider::read(values, public_origin.as_deref());

    Settings {
        unknown_variables: values.unknown_variables(),
        listen,
        public_origin,
        trusted_proxies: TrustedProxies(values.networks("trusted_proxies")),
        max_connections: values.optional_number("max_connections", 16..=1_000_000),
        media: Media {
            bind: values.addresses("media_bind"),
            port: values.number("media_port", listen.port(), 0..=u16::MAX),
            advertise: values.optional_address("media_advertise"),
        },
        relay: relay::read(values),
        node_name: values.label("node_name"),
        database: Secret::new(values.database("database", "sqlite:var/nightlight.db")),
        records_keys: records_keys::read(values),
        records_kept: A_DAY * values.number("records_kept_days", 30, 1..=3650),
        closed_kept: closed_kept::read(values),
        engine_dir: values.path("engine_dir", "var/engine"),
        reader_dir: values.path("reader_dir", "crates/reader/weights"),
        web_dir: values.path("web_dir", "web/dist"),
        voice: voice::read(values, cores, remote_voice),
        transcribers: values.number("transcribers", cores, 1..=64),
        assistant_name: values.text("assistant_name", helpline.name()),
        plan: Plan {
            start_wait,
            stop_words: values.number("stop_words", turns.stop_words, 0..=10),
            silence_timeout,
            check_in,
            max_duration: values.seconds(
                "max_duration_seconds",
                turns.max_duration_seconds,
                10.0..=43_200.0,
            ),
            assistant_speaks_first: turns.speaks_first,
        },
        max_calls: values.number("max_calls", cores * CALLS_PER_CORE, 1..=10_000),
        written: Written {
            most: values.number("max_chats", 1000, 1..=100_000),
            idle_after: values.seconds("chat_idle_seconds", 1800.0, 1.0..=86_400.0),
        },
        rates: Rates {
            calls: HolderRate {
                of_one_visitor: values.number("calls_per_minute", 60, 1..=100_000),
                of_one_address: values.number("address_calls_per_minute", 3000, 1..=100_000),
            },
            messages: HolderRate {
                of_one_visitor: values.number("messages_per_minute", 240, 1..=100_000),
                of_one_address: values.number("address_messages_per_minute", 6000, 1..=100_000),
            },
            reads: HolderRate {
                of_one_visitor: values.number("reads_per_minute", 1200, 1..=100_000),
                of_one_address: values.number("address_reads_per_minute", 12_000, 1..=100_000),
            },
        },
        model,
        public_key,
        private_key,
        webhook_secret,
        message_server: message_server::read(values),
        hosted_platform,
        links: Links {
            feedback: values.link("feedback_link", "https://nightlight.example/feedback"),
            platform: values.link("platform_link", "https://vapi.ai"),
        },
        log: Log {
            filter: values.text("log", "info"),
            format: match values
                .one_of("log_format", "text", &["text", "json"])
                .as_str()
            {
                "json" => LogFormat::Json,
                _ => LogFormat::Text,
            },
        },
        otlp_endpoint: service::address(values, "otlp_endpoint"),
        error_reporting: error_reporting::read(values),
        operator_key,
        return_within: values.seconds("return_within_seconds", 30.0, 0.0..=600.0),
        officers_answer_within: values.seconds(
            "officers_answer_within_seconds",
            60.0,
            10.0..=300.0,
        ),
        case_untouched: A_MINUTE * values.number("case_untouched_minutes", 30, 1..=1440),
        mail,
        identity_provider,
        wrap_up: values.seconds("wrap_up_seconds", 60.0, 0.0..=3600.0),
        desk_sessions: SessionBounds {
            idle: A_MINUTE * values.number("desk_session_rest_minutes", 30, 5..=1440),
            absolute: AN_HOUR * values.number("desk_session_hours", 12, 1..=168),
        },
        finish: values.seconds("finish_seconds", 0.0, 0.0..=43_200.0),
        drain: values.seconds("drain_seconds", 25.0, 0.0..=300.0),
    }
}

/// How many calls a core carries unless `max_calls` says otherwise: 25 talking calls on 2 cores
/// is what the bench holds the server to.
const CALLS_PER_CORE: usize = 25;

const A_MINUTE: Duration = Duration::from_mins(1);
const AN_HOUR: Duration = Duration::from_hours(1);
const A_DAY: Duration = Duration::from_hours(24);

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn with(file: &str, environment: &[(&str, &str)]) -> Result<Settings, SettingsProblems> {
        let environment = environment
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        Settings::from_sources(Some(file), environment)
    }

    #[test]
    fn without_any_setting_the_helplines_own_figures_hold() {
        let settings = with("", &[]).unwrap();
        assert_eq!(settings.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(settings.media.port, 8080);
        assert_eq!(settings.plan.start_wait.fixed, Duration::from_secs(3));
        assert_eq!(settings.plan.stop_words, 2);
        assert_eq!(settings.plan.silence_timeout, Duration::from_secs(30));
        assert_eq!(settings.plan.max_duration, Duration::from_secs(600));
        assert_eq!(
            settings.database.expose_secret(),
            "sqlite:var/nightlight.db"
        );
        assert_eq!(settings.records_kept, 30 * A_DAY);
        assert!(settings.private_key.is_none());
    }

    #[test]
    fn the_environment_wins_over_the_file() {
        let settings = with(
            "stop_words = 4\nvoice = 'rms'",
            &[("NIGHTLIGHT_STOP_WORDS", "1"), ("PATH", "ignored")],
        )
        .unwrap();
        assert_eq!(settings.plan.stop_words, 1);
        assert_eq!(settings.voice.name.as_str(), "rms");
    }

    #[test]
    fn a_database_is_also_given_as_other_programs_are_given_theirs() {
        let (usual, own) = (
            "postgres://a:hunter2@db/calls",
            "postgresql://b:hunter2@db/calls",
        );
        let settings = with("database = 'sqlite:x'", &[("DATABASE_URL", usual)]).unwrap();
        assert_eq!(settings.database.expose_secret(), usual);
        for both in [
            [("DATABASE_URL", usual), ("NIGHTLIGHT_DATABASE", own)],
            [("NIGHTLIGHT_DATABASE", own), ("DATABASE_URL", usual)],
        ] {
            assert_eq!(with("", &both).unwrap().database.expose_secret(), own);
        }
        for wrong in [
            "mysql://a:hunter2@db",
            "postgres://a:hunter2@db:port/calls",
            "sqlite:",
        ] {
            let problems = with("", &[("DATABASE_URL", wrong)])
                .unwrap_err()
                .to_string();
            assert!(
                problems.contains("`database` (from DATABASE_URL)"),
                "{problems}"
            );
            assert!(!problems.contains("hunter2"), "{problems}");
        }
    }

    #[test]
    fn a_secret_made_of_digits_keeps_its_leading_zeros() {
        let settings = with("", &[("NIGHTLIGHT_PRIVATE_KEY", "000123456789abcdef")]).unwrap();
        assert_eq!(
            settings.private_key.unwrap().expose_secret(),
            "000123456789abcdef"
        );
    }

    #[test]
    fn every_problem_is_reported_at_once_with_its_name_and_remedy() {
        let problems = with(
            "listen = 'nowhere'\nstop_words = -1\nvoice = 'darth'\nmedia_bind = ['10.0.0.x']\nwhat = 1",
            &[("NIGHTLIGHT_DATABASE", "mysql://db")],
        )
        .unwrap_err();
        let text = problems.to_string();
        for setting in [
            "listen",
            "stop_words",
            "voice",
            "media_bind",
            "what",
            "database",
        ] {
            assert!(
                text.contains(&format!("`{setting}`")),
                "{setting} in {text}"
            );
        }
        assert_eq!(problems.0.len(), 6, "{text}");
        assert!(text.contains("NIGHTLIGHT_DATABASE"), "{text}");
    }

    #[test]
    fn a_variable_that_is_no_setting_is_told_by_its_name_and_keeps_no_line_closed() {
        let slip = [("NIGHTLIGHT_PUBLIC_ORIGEN", "https://line.example")];
        let settings = with("", &slip).unwrap();
        assert_eq!(settings.unknown_variables, ["NIGHTLIGHT_PUBLIC_ORIGEN"]);
    }

    #[test]
    fn variables_of_our_scripts_and_of_a_service_named_after_us_are_nobodys_slip() {
        let others = [
            ("NIGHTLIGHT_BIN", "target/debug/nightlight"),
            ("NIGHTLIGHT_DESK_COOKIE", "desk=1"),
            ("NIGHTLIGHT_SERVICE_HOST", "10.0.0.7"),
            ("NIGHTLIGHT_SERVICE_PORT_WEB", "8080"),
            ("NIGHTLIGHT_NODES_PORT", "tcp://10.0.0.8:8080"),
            ("NIGHTLIGHT_PORT_8080_TCP_ADDR", "10.0.0.7"),
            ("NIGHTLIGHTS_OUT", "another's prefix"),
        ];
        assert!(with("", &others).unwrap().unknown_variables.is_empty());
    }

    #[test]
    fn a_check_in_after_the_silence_time_out_is_a_problem() {
        let problems = with("check_in_seconds = 40", &[]).unwrap_err().to_string();
        assert!(problems.contains("check_in_seconds"), "{problems}");
    }

    #[test]
    fn records_are_kept_for_some_time_and_not_for_ever() {
        let days = |days: &str| with(&format!("records_kept_days = {days}"), &[]);
        assert_eq!(days("1").unwrap().records_kept, A_DAY);
        for refused in ["0", "-1", "3651", "'for ever'"] {
            let problems = days(refused).unwrap_err().to_string();
            assert!(problems.contains("`records_kept_days`"), "{problems}");
        }
    }

    #[test]
    fn a_short_secret_is_refused_and_not_repeated() {
        let problems = with("private_key = 'hunter2'", &[])
            .unwrap_err()
            .to_string();
        assert!(problems.contains("private_key"), "{problems}");
        assert!(!problems.contains("hunter2"), "{problems}");
    }

    #[test]
    fn a_private_key_that_every_page_holds_is_refused_and_not_repeated() {
        let key = "nightlight-public-key";
        let both = format!("public_key = '{key}'\nprivate_key = '{key}'");
        let problems = with(&both, &[]).unwrap_err().to_string();
        assert!(problems.contains("`private_key`"), "{problems}");
        assert!(!problems.contains(key), "{problems}");
    }

    #[test]
    fn an_operator_key_that_every_page_holds_is_refused_and_not_repeated() {
        let key = "nightlight-public-key";
        let both = format!("public_key = '{key}'\noperator_key = '{key}'");
        let problems = with(&both, &[]).unwrap_err().to_string();
        assert!(problems.contains("`operator_key`"), "{problems}");
        assert!(!problems.contains(key), "{problems}");
    }

    #[test]
    fn a_collector_of_traces_is_reached_by_https_or_is_near() {
        let collector = |at: &str| with(&format!("otlp_endpoint = '{at}'"), &[]);
        for near in ["http://127.0.0.1:4318", "https://collector.example/otlp"] {
            assert!(collector(near).unwrap().otlp_endpoint.is_some(), "{near}");
        }
        let problems = collector("http://collector.example").unwrap_err();
        assert!(
            problems.to_string().contains("`otlp_endpoint`"),
            "{problems}"
        );
        assert!(with("", &[]).unwrap().otlp_endpoint.is_none());
    }

    #[test]
    fn a_file_that_is_not_toml_is_one_problem_among_others() {
        let problems = with("listen = ", &[("NIGHTLIGHT_STOP_WORDS", "many")]).unwrap_err();
        assert_eq!(problems.0.len(), 2, "{problems}");
    }

    /// The documentation lists each setting with its name in the environment and its default.
    #[test]
    fn every_setting_is_documented() {
        let documentation = include_str!("../../../../docs/settings.md");
        for setting in catalogue::SETTINGS {
            let row = documentation
                .lines()
                .find(|line| line.starts_with(&format!("| `{}` ", setting.key)))
                .unwrap_or_else(|| panic!("docs/settings.md has no row for `{}`", setting.key));
            assert!(
                row.contains(&*setting.default_value(&HELPLINE)),
                "default of `{}`: {row}",
                setting.key
            );
        }
        let rows = documentation
            .lines()
            .filter(|line| line.starts_with("| `"))
            .count();
        assert_eq!(
            rows,
            catalogue::SETTINGS.len(),
            "a documented setting does not exist"
        );
    }
}
