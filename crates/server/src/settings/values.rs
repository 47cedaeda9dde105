//! Reads values by key out of a settings file and an environment, and collects what is wrong with
//! them. It knows kinds of values, not what any of them is for.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use ipnet::IpNet;
use records::OpenError;
use redact::Secret;

use super::catalogue::SETTINGS;

const PREFIX: &str = "NIGHTLIGHT_";

/// Names under which a setting is given to whatever program it is; the setting's own goes before.
const KNOWN_EVERYWHERE: &[(&str, &str)] = &[("DATABASE_URL", "database")];

/// Variables of this prefix that are no settings: of the scripted caller, and of our scripts and tests, which start servers
/// of their own.
const OF_OTHER_PROGRAMS: &[&str] = &[
    "NIGHTLIGHT_BIN",
    "NIGHTLIGHT_CALLER_BIN",
    "NIGHTLIGHT_CLIENTS_DIR",
    "NIGHTLIGHT_DESK_COOKIE",
    "NIGHTLIGHT_E2E_PORT",
    "NIGHTLIGHT_EVAL_BIN",
    "NIGHTLIGHT_FUZZER_DIR",
    "NIGHTLIGHT_TEST_CRASHING_STORE",
    "NIGHTLIGHT_URL",
    "NIGHTLIGHT_VOICES_BIN",
];

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Default,
    File,
    /// By this variable.
    Environment(String),
}

/// One thing that is wrong, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    setting: String,
    source: Source,
    wrong: String,
    remedy: String,
}

impl Problem {
    /// Something wrong with the settings file as a whole.
    pub fn of_file(wrong: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            setting: String::from("settings file"),
            source: Source::File,
            wrong: wrong.into(),
            remedy: remedy.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.setting)?;
        if let Source::Environment(variable) = &self.source {
            write!(f, " (from {variable})")?;
        }
        write!(f, ": {}; {}", self.wrong, self.remedy)
    }
}

/// Values by key, and the problems met while reading them. Whoever reads a value that is wrong gets
/// the default and goes on, so that every problem is found in one pass.
pub struct Values {
    values: BTreeMap<String, (toml::Value, Source)>,
    problems: Vec<Problem>,
    /// Variables of our prefix that are no settings.
    unknown_variables: Vec<String>,
}

impl Values {
    pub fn new(
        file: Option<&str>,
        environment: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        let mut read = Self {
            values: BTreeMap::new(),
            problems: Vec::new(),
            unknown_variables: Vec::new(),
        };
        match file.unwrap_or_default().parse::<toml::Table>() {
            Ok(table) => {
                for (key, value) in table {
                    read.values.insert(key, (value, Source::File));
                }
            }
            // The parser's message quotes the line, which may hold a key: the place is enough.
            Err(error) => {
                let line = error.span().map_or(1, |span| {
                    1 + file.unwrap_or_default()[..span.start].matches('\n').count()
                });
                read.problems.push(Problem::of_file(
                    format!("it is not TOML from line {line} on"),
                    "write one `setting = value` a line, text in quotes",
                ));
            }
        }
        let (known_everywhere, environment): (Vec<_>, Vec<_>) = environment
            .into_iter()
            .partition(|(name, _)| KNOWN_EVERYWHERE.iter().any(|(known, _)| known == name));
        for (name, value) in known_everywhere.into_iter().chain(environment) {
            let known = KNOWN_EVERYWHERE.iter().find(|(known, _)| *known == name);
            let key = match (known, name.strip_prefix(PREFIX)) {
                (Some((_, key)), _) => (*key).to_owned(),
                (None, Some(key)) => key.to_lowercase(),
                (None, None) => continue,
            };
            if SETTINGS.iter().any(|setting| setting.key == key) {
                let value = toml::Value::String(value);
                read.values.insert(key, (value, Source::Environment(name)));
            } else if !is_anothers(&name, &value) {
                // A slip of the pen, maybe, and maybe left over from an earlier version: what no file of ours says keeps
                // no line closed.
                read.unknown_variables.push(name);
            }
        }
        let unknown: Vec<String> = read
            .values
            .keys()
            .filter(|key| !SETTINGS.iter().any(|setting| setting.key == *key))
            .cloned()
            .collect();
        for key in unknown {
            read.problem(
                &key,
                "there is no such setting",
                "look it up with `nightlight check-settings`, or remove it",
            );
        }
        read
    }

    pub fn unknown_variables(&self) -> Vec<String> {
        self.unknown_variables.clone()
    }

    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    pub fn problem(&mut self, key: &str, wrong: impl Into<String>, remedy: impl Into<String>) {
        let source = self
            .values
            .get(key)
            .map_or(Source::Default, |(_, source)| source.clone());
        self.problems.push(Problem {
            setting: key.to_owned(),
            source,
            wrong: wrong.into(),
            remedy: remedy.into(),
        });
    }

    /// The value as text, whatever it was written as; an empty one counts as not given.
    fn given(&mut self, key: &str) -> Option<String> {
        debug_assert!(
            SETTINGS.iter().any(|setting| setting.key == key),
            "`{key}` is not in the catalogue"
        );
        let text = match &self.values.get(key)?.0 {
            toml::Value::String(text) => text.trim().to_owned(),
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            toml::Value::Boolean(flag) => flag.to_string(),
            toml::Value::Array(values) => values
                .iter()
                .map(|value| {
                    value
                        .as_str()
                        .map_or_else(|| value.to_string(), str::to_owned)
                })
                .collect::<Vec<_>>()
                .join(","),
            toml::Value::Datetime(_) | toml::Value::Table(_) => {
                self.problem(key, "it is not a plain value", "give text or a number");
                return None;
            }
        };
        (!text.is_empty()).then_some(text)
    }

    pub fn text(&mut self, key: &str, default: &str) -> String {
        self.given(key).unwrap_or_else(|| default.to_owned())
    }

    pub fn path(&mut self, key: &str, default: &str) -> PathBuf {
        PathBuf::from(self.text(key, default))
    }

    pub fn parsed<T: FromStr>(&mut self, key: &str, default: T, expected: &str) -> T {
        let Some(text) = self.given(key) else {
            return default;
        };
        text.parse().unwrap_or_else(|_| {
            self.problem(
                key,
                format!("\"{text}\" cannot be read"),
                format!("give {expected}"),
            );
            default
        })
    }

    pub fn number<T>(&mut self, key: &str, default: T, range: RangeInclusive<T>) -> T
    where
        T: FromStr + PartialOrd + fmt::Display + Copy,
    {
        let Some(text) = self.given(key) else {
            return default;
        };
        match text.parse::<T>() {
            Ok(number) if range.contains(&number) => number,
            _ => {
                self.problem(
                    key,
                    format!("\"{text}\" is not a number in range"),
                    format!(
                        "give a whole number from {} to {}",
                        range.start(),
                        range.end()
                    ),
                );
                default
            }
        }
    }

    pub fn optional_number<T>(&mut self, key: &str, range: RangeInclusive<T>) -> Option<T>
    where
        T: FromStr + PartialOrd + fmt::Display + Copy,
    {
        let default = *range.start();
        self.given(key)?;
        Some(self.number(key, default, range))
    }

    pub fn seconds(&mut self, key: &str, default: f64, range: RangeInclusive<f64>) -> Duration {
        let seconds = self
            .given(key)
            .map_or(default, |text| match text.parse::<f64>() {
                Ok(seconds) if range.contains(&seconds) => seconds,
                _ => {
                    self.problem(
                        key,
                        format!("\"{text}\" is not a time in range"),
                        format!("give seconds from {} to {}", range.start(), range.end()),
                    );
                    default
                }
            });
        Duration::from_secs_f64(seconds)
    }

    pub fn one_of(&mut self, key: &str, default: &str, choices: &[&str]) -> String {
        let text = self.text(key, default);
        if choices.contains(&text.as_str()) {
            return text;
        }
        self.problem(
            key,
            format!("\"{text}\" is not known"),
            format!("choose one of: {}", choices.join(", ")),
        );
        default.to_owned()
    }

    pub fn addresses(&mut self, key: &str) -> Vec<IpAddr> {
        let mut addresses = Vec::new();
        for part in self.given(key).unwrap_or_default().split(',') {
            let part = part.trim();
            if part.is_empty() {
                continue;
            }
            match part.parse() {
                Ok(address) => addresses.push(address),
                Err(_) => self.problem(
                    key,
                    format!("\"{part}\" is not an IP address"),
                    "give addresses such as 192.0.2.7, separated by commas",
                ),
            }
        }
        addresses
    }

    /// Networks, such as `10.0.0.0/8`; an address alone is a network of one.
    pub fn networks(&mut self, key: &str) -> Vec<IpNet> {
        let mut networks = Vec::new();
        for part in self.given(key).unwrap_or_default().split(',') {
            let part = part.trim();
            if part.is_empty() {
                continue;
            }
            let alone = part.parse().map(|address: IpAddr| IpNet::from(address));
            match part.parse().or(alone) {
                Ok(network) => networks.push(network),
                Err(_) => self.problem(
                    key,
                    format!("\"{part}\" is neither an IP address nor a network"),
                    "give them as 192.0.2.7 or 10.0.0.0/8, separated by commas",
                ),
            }
        }
        networks
    }

    pub fn optional_address(&mut self, key: &str) -> Option<IpAddr> {
        let text = self.given(key)?;
        text.parse()
            .map_err(|_| {
                self.problem(
                    key,
                    format!("\"{text}\" is not an IP address"),
                    "give the public address of this machine, such as 192.0.2.7",
                );
            })
            .ok()
    }

    /// `http(s)://host[:port]`, without a path.
    pub fn origin(&mut self, key: &str) -> Option<String> {
        let text = self.given(key)?;
        let origin = text.trim_end_matches('/');
        let host = origin
            .strip_prefix("https://")
            .or_else(|| origin.strip_prefix("http://"));
        let sound = host.is_some_and(|host| {
            !host.is_empty()
                && !host.contains(['/', '?', '#', '@'])
                && !host.contains(char::is_whitespace)
        });
        if sound {
            return Some(origin.to_owned());
        }
        self.problem(
            key,
            format!("\"{text}\" is not an origin"),
            "give scheme and host only, such as https://nightlight.example",
        );
        None
    }

    pub fn link(&mut self, key: &str, default: &str) -> String {
        let text = self.text(key, default);
        if text.starts_with("https://") || text.starts_with("http://") {
            return text;
        }
        self.problem(
            key,
            format!("\"{text}\" is not a web address"),
            "give one that begins with https://",
        );
        default.to_owned()
    }

    /// A part of a host's name.
    pub fn label(&mut self, key: &str) -> Option<String> {
        let text = self.given(key)?;
        let edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        if text.len() <= 63
            && text.starts_with(edge)
            && text.ends_with(edge)
            && text.chars().all(|c| edge(c) || c == '-')
        {
            return Some(text);
        }
        self.problem(
            key,
            format!("\"{text}\" is no part of a host's name"),
            "give small letters, digits and hyphens, such as node-1",
        );
        None
    }

    /// Whether a value was given at all.
    pub fn is_given(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    pub fn optional_text(&mut self, key: &str) -> Option<String> {
        self.given(key)
    }

    /// A key somebody else has made, of whatever length, that travels in a header.
    pub fn key(&mut self, key: &str) -> Option<Secret<String>> {
        let text = self.given(key)?;
        if text.chars().all(|c| c.is_ascii_graphic()) {
            return Some(Secret::new(text));
        }
        self.problem(
            key,
            "it holds a space, a line break or a letter that no key has",
            "give the key alone",
        );
        None
    }

    pub fn database(&mut self, key: &str, default: &str) -> String {
        let text = self.text(key, default);
        // The text is not repeated: a database URL may carry a password.
        let (wrong, remedy) = match records::check_url(&text) {
            Ok(()) => return text,
            Err(OpenError::Postgres(_)) => (
                "it cannot be read",
                "write postgres://NAME:PASSWORD@HOST:PORT/DATABASE, with %40 for an @ in the password and %2F for a /",
            ),
            Err(_) => (
                "it does not begin with sqlite: or postgres://",
                "give sqlite:PATH, postgres://NAME:PASSWORD@HOST/DATABASE, or sqlite::memory: for a trial",
            ),
        };
        self.problem(key, wrong, remedy);
        default.to_owned()
    }

    pub fn secret(&mut self, key: &str) -> Option<Secret<String>> {
        let text = self.given(key)?;
        if text.len() >= 16 {
            return Some(Secret::new(text));
        }
        self.problem(
            key,
            "it is shorter than 16 characters",
            "make one with `openssl rand -hex 24`",
        );
        None
    }
}

/// Nobody meant it as a setting of ours: another program's, or one of those by which Kubernetes tells every container in its
/// namespace of a service, here of one that is named after us.
fn is_anothers(name: &str, value: &str) -> bool {
    let of_a_port = name.split_once("_PORT_").is_some_and(|(_, rest)| {
        let number = rest.split('_').next().unwrap_or_default();
        number.parse::<u16>().is_ok()
    });
    let tells_of_a_service = name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT")
        || name.ends_with("_PORT") && value.contains("://");
    OF_OTHER_PROGRAMS.contains(&name) || of_a_port || tells_of_a_service
}
