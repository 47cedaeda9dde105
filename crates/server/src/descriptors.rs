//! How many files and sockets this process may have open, and how many of them connections may take.

use rlimit::Resource;

/// Kept for what is no connection: the database, models, logs, the media port, a file being served.
const KEPT: u64 = 256;
/// A connection costs up to 40 KB of memory, and a call needs one or two.
const USUALLY: usize = 4096;
/// Connections there must be room for beside those of calls: pages, their events, whoever looks at `/health`.
pub const BESIDE_CALLS: usize = 64;

/// Raises the limit as far as this process may. Most systems start with 1,024, which is few.
pub fn raise() {
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
}

pub fn limit() -> u64 {
    Resource::NOFILE.get_soft().unwrap_or(1024)
}

/// How many connections there may be: as many as was asked for, as far as the descriptors go.
pub fn connections(asked_for: Option<usize>, limit: u64) -> usize {
    let left = limit.saturating_sub(KEPT).max(limit / 2);
    let left = usize::try_from(left).unwrap_or(usize::MAX);
    asked_for.unwrap_or(USUALLY).min(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_descriptors_for_what_is_none() {
        assert_eq!(connections(None, 1024), 768);
        assert_eq!(connections(None, 1_048_576), USUALLY);
        assert_eq!(connections(Some(100), 1024), 100);
        assert_eq!(connections(Some(100_000), 65_536), 65_280);
        assert_eq!(connections(None, 256), 128);
    }
}
