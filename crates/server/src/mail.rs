//! Handing a mail to the mail server that is set. What is in it is the caller's of this room; whom it is for is in no log.

use std::time::Duration;

use anyhow::Context;
use jobs::Trouble;
use lettre::message::{Mailbox, Message, header::ContentType};
use lettre::transport::smtp::extension::ClientId;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};

use crate::settings;

/// For each answer of the server.
const PATIENCE: Duration = Duration::from_secs(30);
/// For all of them.
const WITHIN: Duration = Duration::from_secs(120);

/// A way to the mail server. A connection is made for each mail: there is one a morning.
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// One mail, to one reader.
pub struct Letter<'l> {
    pub to: &'l Mailbox,
    /// The same for the same mail, however often it is handed over: who gets it twice sees it once.
    pub name: &'l str,
    pub subject: &'l str,
    pub text: String,
}

impl Mailer {
    pub fn new(mail: &settings::Mail) -> anyhow::Result<Self> {
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(mail.server.expose_secret());
        // Its own words would repeat the url.
        let builder = builder
            .ok()
            .context("the mail server cannot be used: look at smtp_url")?;
        let domain = mail.from.email.domain().to_owned();
        let transport = builder
            .hello_name(ClientId::Domain(domain))
            .timeout(Some(PATIENCE))
            .build();
        Ok(Self {
            transport,
            from: mail.from.clone(),
        })
    }

    pub async fn send(&self, letter: Letter<'_>) -> Result<(), Trouble> {
        let id = format!("<{}@{}>", letter.name, self.from.email.domain());
        let message = Message::builder()
            .from(self.from.clone())
            .to(letter.to.clone())
            .message_id(Some(id))
            .subject(letter.subject)
            .header(ContentType::TEXT_PLAIN)
            .body(letter.text)
            .map_err(|_| because("the mail cannot be written"))?;
        let sent = tokio::time::timeout(WITHIN, self.transport.send(message)).await;
        match sent {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(trouble(&error)),
            Err(_) => Err(because("the mail server takes too long")),
        }
    }
}

/// Without what the server said, which may name the reader.
fn trouble(error: &lettre::transport::smtp::Error) -> Trouble {
    if let Some(code) = error.status() {
        return Trouble {
            what: "the mail server refused it",
            code: code.to_string().parse().ok(),
        };
    }
    because(match error {
        error if error.is_timeout() => "the mail server does not answer",
        error if error.is_tls() => "there is no encrypted way to the mail server",
        error if error.is_client() => "the mail server does not offer what it takes",
        error if error.is_response() => "the mail server's answer cannot be read",
        _ => "the mail server cannot be reached",
    })
}

fn because(what: &'static str) -> Trouble {
    Trouble { what, code: None }
}
