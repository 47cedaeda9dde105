//! Lists the files of the language, so that a new one needs no line of Rust.

use std::{env, fmt::Write as _, fs, path::Path};

const LANGUAGE: &str = "../../config/language/en-SG";

fn main() {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join(LANGUAGE);
    let mut files = Vec::new();
    for folder in ["", "signals/"] {
        let path = root.join(folder);
        println!("cargo::rerun-if-changed={}", path.display());
        for entry in fs::read_dir(&path).expect("the language has a folder") {
            let path = entry.expect("a readable folder").path();
            if path.extension().is_some_and(|kind| kind == "toml") {
                let name = path.file_name().expect("a file has a name");
                files.push((format!("{folder}{}", name.display()), path));
            }
        }
    }
    files.sort();
    let mut list = String::from("&[\n");
    for (name, path) in files {
        println!("cargo::rerun-if-changed={}", path.display());
        writeln!(list, "({name:?}, include_str!({path:?})),").expect("a string takes all");
    }
    list.push(']');
    let out = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("language.rs");
    fs::write(out, list).expect("the build folder can be written");
}
