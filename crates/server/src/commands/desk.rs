//! `nightlight desk`: the first account, and a way in when nobody at the desk can sign in. Everybody else is invited from the
//! desk itself. The server may run meanwhile.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use desk::{Desk, Invited, Language, NewAccount, Role, SessionBounds, SignInName, Who};
use flow::Agency;
use jiff::Timestamp;
use records::Database;

use crate::settings::Settings;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Make an account, and print the link by which its holder gets in. The first one opens the desk, and is an
    /// administrator's.
    AddOfficer(NewOfficer),
    /// Print a new link for an account whose holder has lost the first, a password or an authenticator.
    InviteAgain {
        /// What they sign in with.
        #[arg(value_name = "SIGN_IN_NAME")]
        sign_in_name: SignInName,
    },
    /// Name every account, closed ones too.
    List,
}

#[derive(Debug, Args)]
struct NewOfficer {
    /// What they sign in with: of the form of an e-mail address. Nothing is sent there.
    #[arg(value_name = "SIGN_IN_NAME")]
    sign_in_name: SignInName,
    /// What colleagues see.
    #[arg(long)]
    name: String,
    /// officer, supervisor, administrator or auditor; usually officer, and the first an administrator.
    #[arg(long)]
    role: Option<Role>,
    /// For whose calls they are rung first, and whose cases they see: PAVE,SOS,…
    #[arg(long, value_delimiter = ',')]
    agencies: Vec<Agency>,
    /// In which they can talk to a caller, by their codes: en,zh,ms,ta.
    #[arg(long, value_delimiter = ',', default_value = "en")]
    languages: Vec<Language>,
}

pub fn run(config: Option<&Path>, arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    runtime.block_on(async {
        let desk = opened(&settings).await?;
        match &arguments.what {
            What::AddOfficer(new) => add(&desk, new, &settings).await,
            What::InviteAgain { sign_in_name } => {
                invite_again(&desk, sign_in_name, &settings).await
            }
            What::List => list(&desk).await,
        }
    })
}

/// The desk of these settings' database.
pub async fn opened(settings: &Settings) -> anyhow::Result<Desk> {
    let (url, keys) = (&settings.database, settings.records_keys.clone());
    let database = Database::open(url.expose_secret(), keys).await?;
    Ok(Desk::on(&database, SessionBounds::default()))
}

async fn add(desk: &Desk, new: &NewOfficer, settings: &Settings) -> anyhow::Result<()> {
    let usual = match desk.is_open().await? {
        true => Role::Officer,
        false => Role::Administrator,
    };
    let new = NewAccount {
        name: new.name.clone(),
        sign_in_name: new.sign_in_name.clone(),
        role: new.role.unwrap_or(usual),
        agencies: BTreeSet::from_iter(new.agencies.iter().copied()),
        languages: BTreeSet::from_iter(new.languages.iter().cloned()),
    };
    let invited = desk.invite(Who::CommandLine, new, Timestamp::now()).await?;
    tell(&invited, settings);
    Ok(())
}

async fn invite_again(desk: &Desk, name: &SignInName, settings: &Settings) -> anyhow::Result<()> {
    let now = Timestamp::now();
    let accounts = desk.accounts(now).await?;
    let Some(account) = accounts.iter().find(|it| it.sign_in_name == *name) else {
        bail!("nobody signs in with {name}: see `nightlight desk list`");
    };
    let invited = desk.invite_again(Who::CommandLine, account.id, now).await?;
    tell(&invited, settings);
    Ok(())
}

async fn list(desk: &Desk) -> anyhow::Result<()> {
    let accounts = desk.accounts(Timestamp::now()).await?;
    if accounts.is_empty() {
        println!("There is no account, and so no desk: begin with `nightlight desk add-officer`.");
    }
    for account in accounts {
        let agencies: Vec<&str> = account.agencies.iter().map(|it| it.as_str()).collect();
        println!(
            "{}\t{}\t{}\t{}\t{}",
            account.sign_in_name,
            account.name,
            account.role,
            account.state.as_str(),
            agencies.join(",")
        );
    }
    Ok(())
}

/// The link is printed and stands nowhere else: the token behind the # is not sent with a request for the page.
fn tell(invited: &Invited, settings: &Settings) {
    let origin = settings.public_origin.clone();
    let origin = origin.unwrap_or_else(|| format!("http://{}", settings.listen));
    println!(
        "{} is invited as {}. Hand over this link by a way that only they can read; it is good once, until {}:",
        invited.account.name, invited.account.role, invited.until
    );
    println!("{origin}/desk#{}", invited.token.expose_secret());
}
