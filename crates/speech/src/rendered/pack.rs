//! A file of renderings: each under its key, one after the other, so that it can grow.
//!
//! `nightlight voice 1`, then records: the key (16 bytes), the length of what follows the check (4 bytes,
//! little-endian), a check (the first 4 bytes of its SHA-256), and the rendering. What a crash left half-written at
//! the end is not there.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use super::coding::Rendering;

const HEADER: &[u8] = b"nightlight voice 1\n";
const RECORD_HEADER: usize = 16 + 4 + 4;
/// No sentence is longer: three minutes.
const LARGEST: u32 = 1 << 20;

/// Names a sentence in a voice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub(super) [u8; 16]);

/// Why a pack cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    #[error("{} cannot be used ({error}): make sure that it can be read and written, and that the disk is not full", .file.display())]
    Io { file: PathBuf, error: io::Error },
    #[error("{} is not a file of rendered speech: remove it, it is made again", .file.display())]
    Foreign { file: PathBuf },
    #[error("a sentence in {} is damaged: remove the file, it is made again", .file.display())]
    Damaged { file: PathBuf },
    #[error("{} belongs to another process: stop that one first", .file.display())]
    InUse { file: PathBuf },
    #[error("no thread could be started: {error}")]
    Thread { error: io::Error },
}

/// Where a rendering is in its file.
#[derive(Debug, Clone, Copy)]
struct Place {
    offset: u64,
    length: u32,
    check: [u8; 4],
}

/// An open pack.
#[derive(Debug)]
pub(super) struct Pack {
    path: PathBuf,
    open: Mutex<Open>,
}

#[derive(Debug)]
struct Open {
    /// None while there is no file, or nothing in it.
    file: Option<File>,
    places: HashMap<Key, Place>,
    end: u64,
    grows: bool,
}

impl Pack {
    /// One that is only read; it may be absent.
    pub fn shipped(path: &Path) -> Result<Self, PackError> {
        match File::open(path) {
            Ok(file) => Self::index(path, file, false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self {
                path: path.to_owned(),
                open: Mutex::new(Open {
                    file: None,
                    places: HashMap::new(),
                    end: 0,
                    grows: false,
                }),
            }),
            Err(error) => Err(io_error(path)(error)),
        }
    }

    /// One that grows. Where another process has it, it is only read.
    pub fn own(path: &Path) -> Result<Self, PackError> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(io_error(path))?;
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io_error(path))?;
        let grows = file.try_lock().is_ok();
        if grows && file.metadata().map_err(io_error(path))?.len() < HEADER.len() as u64 {
            file.set_len(0).map_err(io_error(path))?;
            file.write_all(HEADER).map_err(io_error(path))?;
        }
        Self::index(path, file, grows)
    }

    fn index(path: &Path, file: File, grows: bool) -> Result<Self, PackError> {
        let size = file.metadata().map_err(io_error(path))?.len();
        let mut reader = BufReader::new(&file);
        let mut header = vec![0; HEADER.len()];
        reader.rewind().map_err(io_error(path))?;
        if reader.read_exact(&mut header).is_err() || header != HEADER {
            return Err(PackError::Foreign {
                file: path.to_owned(),
            });
        }
        let mut places = HashMap::new();
        let mut end = HEADER.len() as u64;
        loop {
            let mut record = [0; RECORD_HEADER];
            if reader.read_exact(&mut record).is_err() {
                break;
            }
            let (key, place) = place_of(&record, end);
            let next = place.offset + u64::from(place.length);
            if place.length > LARGEST || next > size {
                break;
            }
            places.insert(key, place);
            end = next;
            reader
                .seek_relative(i64::from(place.length))
                .map_err(io_error(path))?;
        }
        Ok(Self {
            path: path.to_owned(),
            open: Mutex::new(Open {
                file: Some(file),
                places,
                end,
                grows,
            }),
        })
    }

    pub fn holds(&self, key: Key) -> bool {
        self.open().places.contains_key(&key)
    }

    pub fn read(&self, key: Key) -> Result<Rendering, PackError> {
        let damaged = || PackError::Damaged {
            file: self.path.clone(),
        };
        let mut open = self.open();
        let place = *open.places.get(&key).ok_or_else(damaged)?;
        let file = open.file.as_mut().ok_or_else(damaged)?;
        let mut bytes = vec![0; place.length as usize];
        file.seek(SeekFrom::Start(place.offset))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(io_error(&self.path))?;
        let rendering = Rendering::from_bytes(&bytes).filter(|_| check_of(&bytes) == place.check);
        if rendering.is_none() {
            // It is not asked for again.
            open.places.remove(&key);
        }
        rendering.ok_or_else(damaged)
    }

    pub fn add(&self, key: Key, rendering: &Rendering) -> Result<(), PackError> {
        let record = record(key, rendering);
        let mut open = self.open();
        let Open {
            file: Some(file),
            places,
            end,
            grows: true,
        } = &mut *open
        else {
            return Err(PackError::InUse {
                file: self.path.clone(),
            });
        };
        // Over what a crash may have left there.
        let after = *end + record.len() as u64;
        file.seek(SeekFrom::Start(*end))
            .and_then(|_| file.write_all(&record))
            .and_then(|()| file.set_len(after))
            .and_then(|()| file.sync_data())
            .map_err(io_error(&self.path))?;
        if let Some(header) = record.first_chunk() {
            let (key, place) = place_of(header, *end);
            places.insert(key, place);
        }
        *end = after;
        Ok(())
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes a pack of these renderings, by one rename. How many there were.
pub(super) fn write_whole(
    path: &Path,
    renderings: impl Iterator<Item = (Key, Arc<Rendering>)>,
) -> Result<usize, PackError> {
    let unfinished = path.with_extension("unfinished");
    let mut file = File::create(&unfinished).map_err(io_error(&unfinished))?;
    file.write_all(HEADER).map_err(io_error(&unfinished))?;
    let mut count = 0;
    for (key, rendering) in renderings {
        file.write_all(&record(key, &rendering))
            .map_err(io_error(&unfinished))?;
        count += 1;
    }
    file.sync_all().map_err(io_error(&unfinished))?;
    std::fs::rename(&unfinished, path).map_err(io_error(path))?;
    Ok(count)
}

fn record(key: Key, rendering: &Rendering) -> Vec<u8> {
    let bytes = rendering.to_bytes();
    let mut record = Vec::with_capacity(RECORD_HEADER + bytes.len());
    record.extend(key.0);
    record.extend((bytes.len() as u32).to_le_bytes());
    record.extend(check_of(&bytes));
    record.extend(bytes);
    record
}

/// The record that begins at `at`.
fn place_of(record: &[u8; RECORD_HEADER], at: u64) -> (Key, Place) {
    let mut key = [0; 16];
    key.copy_from_slice(&record[..16]);
    let mut length = [0; 4];
    length.copy_from_slice(&record[16..20]);
    let mut check = [0; 4];
    check.copy_from_slice(&record[20..24]);
    let place = Place {
        offset: at + RECORD_HEADER as u64,
        length: u32::from_le_bytes(length),
        check,
    };
    (Key(key), place)
}

fn check_of(bytes: &[u8]) -> [u8; 4] {
    let hash = Sha256::digest(bytes);
    [hash[0], hash[1], hash[2], hash[3]]
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> PackError + '_ {
    |error| PackError::Io {
        file: path.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn rendering(level: i16) -> Rendering {
        Rendering::of(&[level; 1_000]).unwrap()
    }

    const A: Key = Key([1; 16]);
    const B: Key = Key([2; 16]);

    #[test]
    fn what_was_added_is_there_when_it_is_opened_again() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("voices/heart.pack");
        let pack = Pack::own(&path).unwrap();
        pack.add(A, &rendering(400)).unwrap();
        pack.add(B, &rendering(-900)).unwrap();
        assert_eq!(pack.read(A).unwrap(), rendering(400));
        drop(pack);
        let pack = Pack::own(&path).unwrap();
        assert_eq!(pack.read(B).unwrap(), rendering(-900));
        assert_eq!(pack.read(A).unwrap(), rendering(400));
    }

    #[test]
    fn what_a_crash_left_half_written_is_not_there_and_is_written_over() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("heart.pack");
        let pack = Pack::own(&path).unwrap();
        pack.add(A, &rendering(400)).unwrap();
        pack.add(B, &rendering(-900)).unwrap();
        drop(pack);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();

        let pack = Pack::own(&path).unwrap();
        assert!(pack.holds(A) && !pack.holds(B));
        pack.add(B, &rendering(77)).unwrap();
        drop(pack);
        let pack = Pack::shipped(&path).unwrap();
        assert_eq!(pack.read(A).unwrap(), rendering(400));
        assert_eq!(pack.read(B).unwrap(), rendering(77));
    }

    #[test]
    fn a_damaged_sentence_is_said_to_be_so_and_not_offered_again() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("heart.pack");
        Pack::own(&path).unwrap().add(A, &rendering(400)).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let pack = Pack::shipped(&path).unwrap();
        let error = pack.read(A).unwrap_err();
        assert!(error.to_string().contains("remove the file"), "{error}");
        assert!(!pack.holds(A));
    }

    #[test]
    fn a_file_of_something_else_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("heart.pack");
        std::fs::write(&path, "these are not the sounds you seek").unwrap();
        assert!(matches!(Pack::own(&path), Err(PackError::Foreign { .. })));
        assert!(matches!(
            Pack::shipped(&path),
            Err(PackError::Foreign { .. })
        ));
    }

    #[test]
    fn a_second_process_reads_it_and_writes_nothing() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("heart.pack");
        let first = Pack::own(&path).unwrap();
        first.add(A, &rendering(400)).unwrap();
        let second = Pack::own(&path).unwrap();
        assert!(second.holds(A));
        assert!(matches!(
            second.add(B, &rendering(1)),
            Err(PackError::InUse { .. })
        ));
    }

    #[test]
    fn a_pack_is_written_whole_and_always_the_same() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("heart.pack");
        let renderings = || [(A, Arc::new(rendering(5))), (B, Arc::new(rendering(6)))];
        assert_eq!(write_whole(&path, renderings().into_iter()).unwrap(), 2);
        let once = std::fs::read(&path).unwrap();
        write_whole(&path, renderings().into_iter()).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), once);
        assert_eq!(Pack::shipped(&path).unwrap().read(B).unwrap(), rendering(6));
    }
}
