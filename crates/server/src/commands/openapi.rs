//! `nightlight openapi`: prints the document that `/openapi.json` serves, without a server.

use std::io::Write;

use anyhow::Context;

pub fn run() -> anyhow::Result<()> {
    let document = crate::app::openapi()
        .to_pretty_json()
        .context("the document is not JSON")?;
    writeln!(std::io::stdout(), "{document}").context("cannot write")
}
