//! The voice library: what is installed, and nothing that is not.

use reqwest::Method;
use serde_json::Value;

use crate::support::program::{Program, with_a_key};
use crate::support::start_server;
use crate::support::visitor::refused;

#[tokio::test]
async fn the_library_has_the_voices_that_are_installed() {
    let empty = tempfile::tempdir().unwrap();
    let settings = format!(
        "engine_dir = '{}'\n{}",
        empty.path().display(),
        with_a_key()
    );
    let server = start_server(&settings).await;
    let program = Program::of(&server);
    let names = async |query: &str| -> Vec<String> {
        let listed = program.get_json(&format!("/voice-library/{query}")).await;
        let voices = listed.as_array().unwrap().iter();
        voices
            .map(|voice| voice["providerId"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        names("flite").await,
        ["slt", "rms", "awb", "kal"],
        "always there"
    );
    assert_eq!(names("flite?gender=female").await, ["slt"]);
    assert_eq!(names("flite?accent=scottish&language=en").await, ["awb"]);
    assert_eq!(names("flite?limit=1").await, ["slt"]);
    for not_fetched in ["kokoro", "piper", "openai"] {
        assert!(names(not_fetched).await.is_empty(), "{not_fetched}");
    }
    let accents: Value = program.get_json("/voice-library/flite/accents").await;
    assert_eq!(accents, serde_json::json!(["American", "Scottish"]));
    let found = program.get_json("/flite/voices/search?name=SL").await;
    assert_eq!(
        found,
        serde_json::json!([{"voiceId": "slt", "name": "Slt", "gender": "female", "accent": "American"}])
    );
    let all = program.get_json("/flite/voices/search").await;
    assert_eq!(all.as_array().unwrap().len(), 4);
    for unknown in [
        "/voice-library/11labs",
        "/voice-library/11labs/accents",
        "/11labs/voices/search?name=burt",
    ] {
        let asked = program.ask(Method::GET, unknown).await;
        refused(asked, 404, "resource-not-found").await;
    }
}
