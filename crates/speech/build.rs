//! Links flite and its voices, and says what to install when they are missing.
//!
//! Debian's flite1-dev brings no pkg-config file, so the usual directories are searched.

use std::env;
use std::path::{Path, PathBuf};

const LIBRARIES: [&str; 7] = [
    "flite_cmu_us_slt",
    "flite_cmu_us_rms",
    "flite_cmu_us_awb",
    "flite_cmu_us_kal16",
    "flite_usenglish",
    "flite_cmulex",
    "flite",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FLITE_LIB_DIR");

    let Some(directory) = candidates().into_iter().find(|d| holds_all(d)) else {
        println!(
            "cargo::error=flite, the embedded voice, is not installed: run `apt-get install flite1-dev` \
             (or set FLITE_LIB_DIR to the directory of libflite.so and its voices)"
        );
        return;
    };
    println!("cargo::rustc-link-search=native={}", directory.display());
    for library in LIBRARIES {
        println!("cargo::rustc-link-lib=dylib={library}");
    }
}

fn candidates() -> Vec<PathBuf> {
    if let Some(directory) = env::var_os("FLITE_LIB_DIR") {
        return vec![directory.into()];
    }
    let architecture = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    [
        format!("/usr/lib/{architecture}-linux-gnu"),
        "/usr/lib64".to_owned(),
        "/usr/lib".to_owned(),
        "/usr/local/lib".to_owned(),
    ]
    .map(PathBuf::from)
    .into()
}

fn holds_all(directory: &Path) -> bool {
    LIBRARIES
        .iter()
        .all(|library| directory.join(format!("lib{library}.so")).exists())
}
