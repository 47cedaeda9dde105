//! A server for a program that is not written in Rust: prints the url of an empty database, and is there until its standard
//! input ends.

use std::io::{Read, stdin};

use postgres_for_tests::PostgresServer;

fn main() -> std::io::Result<()> {
    let server = PostgresServer::start();
    println!("{}", server.database());
    stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
