//! Migrations are embedded at compile time; a new file among them needs a new build.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
