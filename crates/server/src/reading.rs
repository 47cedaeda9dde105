//! Who reads the callers' words: both readers, or the rules alone where the trained one's files are
//! missing or damaged. A helpline that reads less well still answers.

use ::reader::Reader;
use ::reader::trained::{Files, OpenError};

use crate::settings::Settings;

/// The reader of this process, and what is wrong with the trained one, if anything.
pub fn reader(settings: &Settings) -> (Reader, Option<OpenError>) {
    let files = Files::new(&settings.reader_dir, &settings.engine_dir);
    match Reader::open(&files) {
        Ok(reader) => (reader, None),
        Err(trouble) => (Reader::rules_alone(), Some(trouble)),
    }
}
