//! A PostgreSQL server of a test's own, from Debian's packages: empty, durable as a real one, on a free port of this
//! machine, in a directory that is gone with it. [`PostgresServer::shared`] is one for a whole test program, with a
//! database for each test; [`PostgresServer::start`] is one that a test may stop, kill and hold up.
//!
//! A shell beside it waits for the test program's end, however that comes, and then ends the server and removes its
//! directory; should the shell be killed too, the server ends with it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod proxy;

pub use proxy::{Cut, Proxy};

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

const MISSING: &str = "PostgreSQL's programs are missing, and these tests need them: run `make setup`, or \
                       `apt-get install postgresql`, then run this again";

/// Who owns everything on the server.
const OWNER: &str = "nightlight";
const START_WITHIN: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(20);
const PORTS_TRIED: usize = 5;

/// Small, and as careful as a real one: what is told durable is on disk.
const CONFIGURATION: &str = "
fsync = on
full_page_writes = on
synchronous_commit = on
shared_buffers = 16MB
min_wal_size = 32MB
max_wal_size = 128MB
max_connections = 100
autovacuum_max_workers = 1
max_worker_processes = 2
max_parallel_workers = 0
listen_addresses = '127.0.0.1'
unix_socket_permissions = 0700
log_min_messages = warning
";

/// By its socket, which only its own directory's owner reaches, everybody is let in, a standby too; by TCP with a password.
const WHO_MAY_COME: &str = "
local all all trust
local replication all trust
host all all 127.0.0.1/32 scram-sha-256
";

/// Starts the server, and ends it when nobody holds its standard input any more. Its children are let go on first, should
/// the test have held them up. The word `keep` leaves the directory.
const GUARDIAN: &str = r#"
place=$1; shift
"$@" >>"$place/log" 2>&1 &
server=$!
echo "$server"
IFS= read -r word || word=remove
kill -CONT "$server" $(cat "/proc/$server/task/$server/children") 2>/dev/null
if [ "$word" = keep ]; then
  kill -INT "$server" 2>/dev/null; wait "$server"
else
  kill -QUIT "$server" 2>/dev/null; wait "$server"
  rm -rf "$place"
fi
"#;

/// Asked of a database: how many of its connections wait for a lock that another one holds.
pub const WAITING_FOR_A_LOCK: &str = "SELECT count(*) FROM pg_stat_activity \
    WHERE datname = current_database() AND wait_event_type = 'Lock'";

/// One server. Stopped and removed when dropped, and at the latest with this program.
pub struct PostgresServer {
    programs: PathBuf,
    place: PathBuf,
    password: String,
    port: u16,
    running: Mutex<Option<Running>>,
    databases: AtomicU32,
}

struct Running {
    guardian: Child,
    process: String,
}

impl PostgresServer {
    /// The one that the tests of this program share. Not to be stopped or held up.
    pub fn shared() -> &'static Self {
        static SHARED: LazyLock<PostgresServer> = LazyLock::new(PostgresServer::start);
        &SHARED
    }

    /// A new, empty one.
    pub fn start() -> Self {
        let programs = programs().unwrap_or_else(|| panic!("{MISSING}"));
        Self::started(programs, password(), Self::lay_cluster)
    }

    /// A second one that follows this one. From now on what this one says is committed is on the disks of both.
    pub fn standby(&self) -> Self {
        let (programs, password) = (self.programs.clone(), self.password.clone());
        let standby = Self::started(programs, password, |standby| standby.lay_copy_of(self));
        // Only now: the copy is not to wait for a standby of its own when it is the primary.
        self.sql(
            "postgres",
            "ALTER SYSTEM SET synchronous_standby_names = '*'",
        );
        self.sql("postgres", "SELECT pg_reload_conf()");
        let follows = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
        while self.sql("postgres", follows) != "1" {
            std::thread::sleep(LOOK_EVERY);
        }
        standby
    }

    /// Makes a standby the primary, and waits until it is.
    pub fn promote(&self) {
        assert_eq!(self.sql("postgres", "SELECT pg_promote()"), "t");
    }

    fn started(programs: PathBuf, password: String, lay: impl FnOnce(&Self)) -> Self {
        let place = tempfile::Builder::new()
            .prefix("nightlight-postgres-")
            .tempdir()
            .unwrap()
            .keep();
        let mut server = Self {
            programs,
            place,
            password,
            port: 0,
            running: Mutex::new(None),
            databases: AtomicU32::new(0),
        };
        lay(&server);
        for _ in 0..PORTS_TRIED {
            server.port = free_port();
            match server.run() {
                Ok(()) => return server,
                // Somebody else was quicker to take the port.
                Err(log) if log.contains("Address already in use") => {}
                Err(log) => panic!("the PostgreSQL server for tests did not start:\n{log}"),
            }
        }
        panic!("no port of {PORTS_TRIED} stayed free for the PostgreSQL server for tests");
    }

    /// A new, empty database; gives its url, with a password in it.
    pub fn database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.make_database(&name, &[]);
        self.url(&name)
    }

    /// A new, empty database of this name, made with these options of `createdb`.
    pub fn make_database(&self, name: &str, options: &[&str]) {
        let mut createdb = Command::new(self.programs.join("createdb"));
        self.over_the_socket(&mut createdb).args(options).arg(name);
        succeeded(createdb.output());
    }

    /// The url of a database on this server, whether it is there or not.
    pub fn url(&self, database: &str) -> String {
        let Self { password, port, .. } = self;
        format!("postgres://{OWNER}:{password}@127.0.0.1:{port}/{database}")
    }

    /// What stands between `//` and `@` in its urls: what no message may repeat.
    pub fn password(&self) -> &str {
        &self.password
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Runs statements past the program under test, and gives what they answer, as `psql` writes it.
    pub fn sql(&self, database: &str, statements: &str) -> String {
        let mut psql = Command::new(self.programs.join("psql"));
        self.over_the_socket(&mut psql)
            .args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align"])
            .args(["--set", "ON_ERROR_STOP=1", "--command", statements])
            .arg(database);
        succeeded(psql.output()).trim().to_owned()
    }

    /// A database's dump, as `pg_dump` writes it: statements that make it anew.
    pub fn dump(&self, database: &str) -> String {
        let mut pg_dump = Command::new(self.programs.join("pg_dump"));
        self.over_the_socket(&mut pg_dump)
            .args(["--inserts", "--no-owner", "--no-privileges"])
            .arg(database);
        succeeded(pg_dump.output())
    }

    /// Changes its configuration from its next start on.
    pub fn configure(&self, lines: &str) {
        append(&self.data().join("postgresql.conf"), lines);
    }

    /// A file among its data, owned by it: a certificate, a key.
    pub fn lay_file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.data().join(name);
        std::fs::write(&path, content).unwrap();
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(&path, private).unwrap();
        self.give_away(&path);
        path
    }

    /// All that is in its files, one after another: tables, indices, the write-ahead log.
    pub fn all_files(&self) -> Vec<u8> {
        let (mut bytes, mut folders) = (Vec::new(), vec![self.data()]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    // One that is gone by now holds nothing.
                    false => bytes.extend(std::fs::read(path).unwrap_or_default()),
                }
            }
        }
        bytes
    }

    /// Ends it in order; its data stay.
    pub fn stop(&self) {
        self.end("keep\n");
    }

    /// Starts it where it stopped, on the same port.
    pub fn start_again(&self) {
        self.run().unwrap_or_else(|log| panic!("{log}"));
    }

    /// Ends it as a power cut does. [`Self::stop`] clears up after it.
    pub fn kill(&self) {
        let process = self.process();
        let children = self.children();
        signal("KILL", &[process]);
        signal("KILL", &children);
    }

    /// Every process of it stands still: connections stay, nothing answers.
    pub fn hold_up(&self) {
        signal("STOP", &[self.process()]);
        signal("STOP", &self.children());
    }

    pub fn let_go_on(&self) {
        signal("CONT", &self.children());
        signal("CONT", &[self.process()]);
    }

    fn process(&self) -> String {
        let running = self.running.lock().unwrap();
        running.as_ref().unwrap().process.clone()
    }

    fn children(&self) -> Vec<String> {
        let process = self.process();
        let children = format!("/proc/{process}/task/{process}/children");
        let children = std::fs::read_to_string(children).unwrap_or_default();
        children.split_whitespace().map(str::to_owned).collect()
    }

    fn data(&self) -> PathBuf {
        self.place.join("data")
    }

    fn lay_cluster(&self) {
        self.give_away(&self.place);
        let given = self.place.join("password");
        std::fs::write(&given, &self.password).unwrap();
        self.give_away(&given);
        let mut initdb = self.as_the_servers_owner(&[]);
        initdb
            .arg(self.programs.join("initdb"))
            .arg("--pgdata")
            .arg(self.data())
            .arg("--pwfile")
            .arg(&given)
            .args(["--username", OWNER, "--encoding", "UTF8", "--locale", "C"])
            // It is written whole before it is used; what comes after is synchronised.
            .arg("--no-sync");
        succeeded(initdb.output());
        append(&self.data().join("postgresql.conf"), CONFIGURATION);
        std::fs::write(self.data().join("pg_hba.conf"), WHO_MAY_COME).unwrap();
    }

    fn lay_copy_of(&self, primary: &Self) {
        self.give_away(&self.place);
        let mut copy = self.as_the_servers_owner(&[]);
        copy.arg(self.programs.join("pg_basebackup"))
            .args(["--write-recovery-conf", "--checkpoint=fast", "--no-sync"])
            .arg("--pgdata")
            .arg(self.data())
            .arg("--host")
            .arg(&primary.place)
            .args(["--port", &primary.port.to_string(), "--username", OWNER]);
        succeeded(copy.output());
    }

    /// Starts it and waits until it takes connections, or gives what it said instead.
    fn run(&self) -> Result<(), String> {
        let log = self.place.join("log");
        std::fs::write(&log, "").unwrap();
        // One that was killed leaves word that it is ready.
        let _ = std::fs::remove_file(self.data().join("postmaster.pid"));
        let server = self.as_the_servers_owner(&["--pdeathsig", "QUIT"]);
        let mut guardian = Command::new("/bin/sh")
            .args(["-c", GUARDIAN, "guardian"])
            .arg(&self.place)
            .arg(server.get_program())
            .args(server.get_args())
            .arg(self.programs.join("postgres"))
            .arg("-D")
            .arg(self.data())
            .arg("-p")
            .arg(self.port.to_string())
            .arg("-k")
            .arg(&self.place)
            .current_dir("/")
            // What a terminal tells its foreground is not for it: it has to clear up.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut process = String::new();
        BufReader::new(guardian.stdout.take().unwrap())
            .read_line(&mut process)
            .unwrap();
        let process = process.trim().to_owned();
        *self.running.lock().unwrap() = Some(Running { guardian, process });
        let begun = Instant::now();
        loop {
            let state = std::fs::read_to_string(self.data().join("postmaster.pid"));
            // The eighth line is written last: whether it takes connections, if only to read.
            let state = state.unwrap_or_default();
            if matches!(
                state.lines().nth(7).map(str::trim),
                Some("ready" | "standby")
            ) {
                return Ok(());
            }
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            // Who comes before it is ready is told so, and that is fatal for their connection alone.
            let has_failed = said
                .lines()
                .any(|line| line.contains("FATAL") && !line.contains("the database system is "));
            if has_failed || begun.elapsed() > START_WITHIN {
                self.end("keep\n");
                return Err(said);
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }

    fn end(&self, word: &str) {
        let Some(mut running) = self.running.lock().unwrap().take() else {
            return;
        };
        let mut told = running.guardian.stdin.take().unwrap();
        let _ = told.write_all(word.as_bytes());
        drop(told);
        running.guardian.wait().unwrap();
    }

    /// PostgreSQL refuses to run as root.
    fn as_the_servers_owner(&self, options: &[&str]) -> Command {
        let mut command = Command::new("setpriv");
        command.args(options).current_dir("/");
        if let Some(owner) = servers_owner() {
            let (user, group) = (format!("--reuid={owner}"), format!("--regid={owner}"));
            command.args([user, group, "--clear-groups".to_owned()]);
        }
        command.arg("--");
        command
    }

    fn give_away(&self, path: &Path) {
        if let Some(owner) = servers_owner() {
            chown(path, Some(owner), Some(owner)).unwrap();
        }
    }

    fn over_the_socket<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command
            .arg("--host")
            .arg(&self.place)
            .args(["--port", &self.port.to_string(), "--username", OWNER])
            .current_dir("/")
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.end("");
        // After a stop there is nobody who would.
        let _ = std::fs::remove_dir_all(&self.place);
    }
}

/// Of the newest version that is installed.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let of_version = |entry: std::fs::DirEntry| {
        let version: u32 = entry.file_name().to_str()?.parse().ok()?;
        let programs = entry.path().join("bin");
        programs
            .join("initdb")
            .exists()
            .then_some((version, programs))
    };
    let newest = versions.flatten().filter_map(of_version).max()?;
    Some(newest.1)
}

/// The user and group that the server runs as, where this program is root.
fn servers_owner() -> Option<u32> {
    let root = std::fs::metadata("/proc/self").unwrap().uid() == 0;
    let named = |name: &str| {
        let id = Command::new("id").args(["-u", name]).output().ok()?;
        String::from_utf8(id.stdout).ok()?.trim().parse().ok()
    };
    let of_postgres = || named("postgres").or_else(|| named("nobody"));
    root.then(|| of_postgres().expect("Debian has a user `nobody`"))
}

fn free_port() -> u16 {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    taken.local_addr().unwrap().port()
}

fn password() -> String {
    let mut bytes = [0; 16];
    let mut chance = std::fs::File::open("/dev/urandom").unwrap();
    chance.read_exact(&mut bytes).unwrap();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn append(path: &Path, lines: &str) {
    let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
    writeln!(file, "{lines}").unwrap();
}

fn signal(name: &str, processes: &[String]) {
    if processes.is_empty() {
        return;
    }
    // One may have ended by itself meanwhile.
    let _ = Command::new("kill")
        .arg(format!("-{name}"))
        .args(processes)
        .stderr(Stdio::null())
        .status();
}

fn succeeded(done: std::io::Result<Output>) -> String {
    let done = done.unwrap();
    let (said, complained) = (
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr),
    );
    assert!(done.status.success(), "{said}{complained}");
    said.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The other half of the next test.
    #[test]
    #[ignore = "not left out: run by the next test, as a program of its own that can be killed"]
    fn the_program_that_is_killed() {
        let server = PostgresServer::start();
        println!("at {} {}", server.place.display(), server.process());
        loop {
            std::thread::park();
        }
    }

    #[test]
    fn a_killed_program_leaves_no_server_and_no_directory() {
        let mut program = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--nocapture", "the_program_that_is_killed"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let told = BufReader::new(program.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
            .find_map(|line| {
                let (_, told) = line.split_once("at /")?;
                let (place, process) = told.split_once(' ')?;
                Some((format!("/{place}"), format!("/proc/{process}/cmdline")))
            });
        let (place, process) = told.unwrap();
        let serves = || std::fs::read(&process).is_ok_and(|line| !line.is_empty());
        assert!(serves() && Path::new(&place).exists());
        program.kill().unwrap();
        program.wait().unwrap();
        let begun = Instant::now();
        while serves() || Path::new(&place).exists() {
            assert!(begun.elapsed() < START_WITHIN, "{place} is still there");
            std::thread::sleep(LOOK_EVERY);
        }
    }

    #[test]
    fn what_was_stored_is_there_after_a_stop_a_kill_and_a_stand_still() {
        let server = PostgresServer::start();
        server.make_database("kept", &[]);
        server.sql("kept", "CREATE TABLE numbers AS SELECT 42 AS number");
        server.stop();
        server.start_again();
        server.kill();
        server.stop();
        server.start_again();
        server.hold_up();
        server.let_go_on();
        assert_eq!(server.sql("kept", "SELECT number FROM numbers"), "42");
    }
}
