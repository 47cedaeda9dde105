//! The settings of mail: the server it is handed to, and the morning report's. How it is sent is `crate::mail`'s.

use std::net::IpAddr;

use jiff::civil::Time;
use lettre::message::Mailbox;
use redact::Secret;
use reqwest::Url;

use super::values::Values;

/// Where mail goes, and the morning report's.
#[derive(Debug, Clone)]
pub struct Mail {
    /// In the form that the mail library reads: it says how the way is encrypted. It may hold a password.
    pub server: Secret<String>,
    pub from: Mailbox,
    pub report_to: Vec<Mailbox>,
    /// By the clock of Singapore.
    pub report_at: Time,
}

const SEVEN_THIRTY: Time = Time::constant(7, 30, 0, 0);
const AN_ADDRESS: &str = "an address such as desk@line.example, or Nightlight <desk@line.example>";

/// A server, who writes and whom to come together, and with where browsers find the desk.
pub(super) fn read(values: &mut Values, public_origin: Option<&str>) -> Option<Mail> {
    let server = server(values);
    let from = mailboxes(values, "mail_from");
    let report_to = mailboxes(values, "report_mail_to");
    let report_at = report_at(values);
    let is_given = |values: &Values, key| values.is_given(key);
    if is_given(values, "smtp_url") {
        if !is_given(values, "mail_from") {
            values.problem(
                "mail_from",
                "the mail that smtp_url is for has no sender",
                format!("give {AN_ADDRESS}, or leave out smtp_url"),
            );
        }
        if !is_given(values, "report_mail_to") {
            values.problem(
                "report_mail_to",
                "the morning report that smtp_url is for goes to nobody",
                format!("give {AN_ADDRESS}, several separated by commas, or leave out smtp_url"),
            );
        }
        if !is_given(values, "public_origin") {
            values.problem(
                "public_origin",
                "the morning report leads to the desk, and it is not known where that is reached",
                "give it, such as https://nightlight.example, or leave out smtp_url",
            );
        }
    }
    for key in ["mail_from", "report_mail_to", "report_mail_at"] {
        if is_given(values, key) && !is_given(values, "smtp_url") {
            values.problem(
                "smtp_url",
                format!("{key} is for mail, and there is no server to hand it to"),
                format!("give smtps://NAME:PASSWORD@HOST, or leave out {key}"),
            );
            break;
        }
    }
    if from.len() > 1 {
        values.problem(
            "mail_from",
            "it holds several addresses",
            format!("give {AN_ADDRESS}"),
        );
    }
    public_origin?;
    Some(Mail {
        server: server?,
        from: from.into_iter().next()?,
        report_to: (!report_to.is_empty()).then_some(report_to)?,
        report_at,
    })
}

/// Nothing of it is repeated: it may carry a password.
fn server(values: &mut Values) -> Option<Secret<String>> {
    let text = values.optional_text("smtp_url")?;
    let (wrong, remedy) = match form_of(&text) {
        Ok(url) => return Some(Secret::new(url)),
        Err(wrong) => wrong,
    };
    values.problem("smtp_url", wrong, remedy);
    None
}

fn form_of(text: &str) -> Result<String, (&'static str, &'static str)> {
    const FORM: &str = "write smtps://NAME:PASSWORD@HOST (port 465), or smtp://NAME:PASSWORD@HOST (port 587, encrypted by \
                        STARTTLS), with %40 for an @ in the name or the password and %2F for a /";
    let url = Url::parse(text).map_err(|_| ("it cannot be read", FORM))?;
    let host = url.host_str().filter(|host| !host.is_empty());
    let host = host.ok_or(("it names no host", FORM))?;
    if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
        return Err(("something follows the host and the port", FORM));
    }
    if url.username().is_empty() != url.password().is_none() {
        return Err((
            "it holds a name without a password, or the other way round",
            FORM,
        ));
    }
    let text = text.trim_end_matches('/');
    match url.scheme() {
        "smtps" => Ok(text.to_owned()),
        "smtp" if is_this_machine(host) => Ok(text.to_owned()),
        // A password, and how many called, go over no network in the clear.
        "smtp" => Ok(format!("{text}?tls=required")),
        _ => Err(("it begins with neither smtps:// nor smtp://", FORM)),
    }
}

fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let address: Result<IpAddr, _> = address.parse();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

fn mailboxes(values: &mut Values, key: &str) -> Vec<Mailbox> {
    let given = values.optional_text(key).unwrap_or_default();
    let mut mailboxes = Vec::new();
    for part in given.split(',') {
        let part = part.trim();
        if part.is_empty() {
            continue;
        }
        match part.parse() {
            Ok(mailbox) => mailboxes.push(mailbox),
            Err(_) => values.problem(
                key,
                format!("\"{part}\" is no mail address"),
                format!("give {AN_ADDRESS}"),
            ),
        }
    }
    mailboxes
}

fn report_at(values: &mut Values) -> Time {
    let Some(text) = values.optional_text("report_mail_at") else {
        return SEVEN_THIRTY;
    };
    match Time::strptime("%H:%M", &text) {
        Ok(time) => time,
        Err(_) => {
            values.problem(
                "report_mail_at",
                format!("\"{text}\" is not a time of the day"),
                "give hours and minutes, such as 07:30",
            );
            SEVEN_THIRTY
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Settings, SettingsProblems};

    const WHOLE: &str = "smtp_url = 'smtps://desk:hunter2@mail.example'\n\
                         mail_from = 'Nightlight <desk@line.example>'\n\
                         report_mail_to = ['mei@line.example', 'Night team <night@line.example>']\n\
                         public_origin = 'https://nightlight.example'\n";

    fn with(file: &str) -> Result<Settings, SettingsProblems> {
        Settings::from_sources(Some(file), [])
    }

    fn at(url: &str) -> Result<String, String> {
        let file = WHOLE.replace("smtps://desk:hunter2@mail.example", url);
        match with(&file) {
            Ok(settings) => Ok(settings.mail.unwrap().server.expose_secret().clone()),
            Err(problems) => Err(problems.to_string()),
        }
    }

    #[test]
    fn without_a_server_there_is_no_mail() {
        assert!(with("").unwrap().mail.is_none());
    }

    #[test]
    fn mail_has_a_server_a_sender_and_readers() {
        let settings = with(WHOLE).unwrap();
        assert!(!format!("{settings:?}").contains("hunter2"));
        let mail = settings.mail.unwrap();
        assert_eq!(mail.from.email.to_string(), "desk@line.example");
        assert_eq!(mail.report_to.len(), 2);
        assert_eq!(mail.report_at.to_string(), "07:30:00");
        let earlier = format!("{WHOLE}report_mail_at = '06:45'");
        let mail = with(&earlier).unwrap().mail.unwrap();
        assert_eq!(mail.report_at.to_string(), "06:45:00");
    }

    #[test]
    fn mail_goes_over_no_network_unencrypted() {
        assert_eq!(
            at("smtps://mail.example:465").unwrap(),
            "smtps://mail.example:465"
        );
        assert_eq!(
            at("smtp://desk:hunter2@mail.example").unwrap(),
            "smtp://desk:hunter2@mail.example?tls=required"
        );
        for near in [
            "smtp://127.0.0.1:2525",
            "smtp://localhost",
            "smtp://[::1]:25",
        ] {
            assert_eq!(at(near).unwrap(), near);
        }
    }

    #[test]
    fn a_server_that_cannot_be_read_is_a_problem_and_not_repeated() {
        for wrong in [
            "mail.example",
            "https://mail.example",
            "smtp://",
            "smtps://desk@mail.example",
            "smtps://:hunter2@mail.example",
            "smtps://desk:hunter2@mail.example?tls=none",
            "smtp://desk:hunter2@mail.example/line.example",
        ] {
            let problems = at(wrong).unwrap_err();
            assert!(problems.contains("`smtp_url`"), "{wrong}: {problems}");
            assert!(!problems.contains("hunter2"), "{problems}");
        }
    }

    #[test]
    fn what_belongs_together_is_asked_for_at_once() {
        let problems = with("smtp_url = 'smtps://mail.example'").unwrap_err();
        let text = problems.to_string();
        for setting in ["mail_from", "report_mail_to", "public_origin"] {
            assert!(text.contains(&format!("`{setting}`")), "{text}");
        }
        assert_eq!(problems.0.len(), 3, "{text}");
        let problems = with("report_mail_at = '07:30'").unwrap_err().to_string();
        assert!(problems.contains("`smtp_url`"), "{problems}");
    }

    #[test]
    fn addresses_and_times_that_are_none_are_problems() {
        for (wrong, setting) in [
            ("mail_from = 'Nightlight'", "mail_from"),
            ("mail_from = 'a@line.example, b@line.example'", "mail_from"),
            ("report_mail_to = 'mei@line.example, mei'", "report_mail_to"),
            ("report_mail_at = '25:00'", "report_mail_at"),
            ("report_mail_at = 'at seven'", "report_mail_at"),
        ] {
            let key = format!("{setting} =");
            let others: Vec<&str> = WHOLE.lines().filter(|it| !it.starts_with(&key)).collect();
            let file = format!("{}\n{wrong}", others.join("\n"));
            let problems = with(&file).unwrap_err();
            assert_eq!(problems.0.len(), 1, "{problems}");
            assert!(
                problems.to_string().contains(&format!("`{setting}`")),
                "{problems}"
            );
        }
    }
}
