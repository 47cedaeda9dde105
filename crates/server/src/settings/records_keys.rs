//! The keys that records are sealed with: given, or in a file.

use records::{RecordsKeys, RecordsKeysError};

use super::values::Values;

const GIVEN: &str = "records_keys";
const IN_A_FILE: &str = "records_keys_file";

/// None where none are set. An empty file is a slip: who names one means to encrypt.
pub(super) fn read(values: &mut Values) -> RecordsKeys {
    let given = values.optional_text(GIVEN);
    let file = values.optional_text(IN_A_FILE);
    let (setting, text) = match (given, file) {
        (Some(_), Some(_)) => {
            values.problem(
                IN_A_FILE,
                "there are keys in records_keys too",
                "give one of the two",
            );
            return RecordsKeys::none();
        }
        (Some(given), None) => (GIVEN, given),
        (None, Some(file)) => match std::fs::read_to_string(&file) {
            Ok(text) => (IN_A_FILE, text),
            Err(error) => {
                values.problem(
                    IN_A_FILE,
                    format!("{file} cannot be read ({})", error.kind()),
                    "give the path of a file that this program may read",
                );
                return RecordsKeys::none();
            }
        },
        (None, None) => return RecordsKeys::none(),
    };
    let wrong = match RecordsKeys::parse(&text) {
        Ok(keys) if !keys.is_empty() => return keys,
        Ok(_) => String::from("it holds no key"),
        Err(wrong @ (RecordsKeysError::NotAKey | RecordsKeysError::Twice)) => wrong.to_string(),
    };
    // The text is not repeated.
    values.problem(
        setting,
        wrong,
        "make a key with `nightlight new-records-key`",
    );
    RecordsKeys::none()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Settings, SettingsProblems};

    fn with(settings: &[(&str, &str)]) -> Result<Settings, SettingsProblems> {
        let environment = settings
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        Settings::from_sources(None, environment)
    }

    const GIVEN: &str = "NIGHTLIGHT_RECORDS_KEYS";
    const IN_A_FILE: &str = "NIGHTLIGHT_RECORDS_KEYS_FILE";

    #[test]
    fn records_keys_are_given_or_stand_in_a_file_and_the_first_comes_first() {
        assert!(with(&[]).unwrap().records_keys.is_empty());
        let [first, second] = [(); 2].map(|()| records::new_records_key());
        let (first, second) = (first.expose_secret(), second.expose_secret());
        let given = with(&[(GIVEN, &format!("{first}, {second}"))]).unwrap();
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("keys");
        std::fs::write(
            &file,
            format!("# of November\n{first}\n\n{second} # of May\n"),
        )
        .unwrap();
        let in_a_file = with(&[(IN_A_FILE, file.to_str().unwrap())]).unwrap();
        let names = |settings: &Settings| settings.records_keys.ids().map(str::to_owned).collect();
        let (given_names, names): (Vec<_>, Vec<_>) = (names(&given), names(&in_a_file));
        assert_eq!(given_names, names);
        assert_eq!(names.len(), 2);
        let alone = with(&[(GIVEN, first)]).unwrap();
        assert_eq!(alone.records_keys.ids().next(), Some(names[0].as_str()));
        let printed = format!("{given:?}");
        assert!(!printed.contains(first) && !printed.contains(second));
    }

    #[test]
    fn what_is_no_key_is_refused_and_not_repeated() {
        let key = records::new_records_key();
        let key = key.expose_secret();
        let place = tempfile::tempdir().unwrap();
        let empty = place.path().join("empty");
        std::fs::write(&empty, "# to come\n").unwrap();
        let empty = empty.to_str().unwrap();
        for (settings, wrong) in [
            (vec![(GIVEN, &key[1..])], "not 64 hexadecimal digits"),
            (vec![(GIVEN, &key[2..])], "not 64 hexadecimal digits"),
            (
                vec![(GIVEN, "a phrase that somebody made up")],
                "not 64 hexadecimal digits",
            ),
            (vec![(GIVEN, format!("{key} {key}").as_str())], "twice"),
            (vec![(IN_A_FILE, "/nowhere/keys")], "cannot be read"),
            (vec![(IN_A_FILE, empty)], "holds no key"),
            (
                vec![(GIVEN, key), (IN_A_FILE, empty)],
                "give one of the two",
            ),
        ] {
            let problems = with(&settings).unwrap_err();
            assert_eq!(problems.0.len(), 1, "{problems}");
            let told = problems.to_string();
            let (variable, _) = settings[settings.len() - 1];
            assert!(told.contains(variable) && told.contains(wrong), "{told}");
            assert!(
                !told.contains(&key[8..40]) && !told.contains("phrase"),
                "{told}"
            );
        }
    }
}
