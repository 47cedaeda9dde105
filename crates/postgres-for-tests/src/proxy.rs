//! A network between a store and its database, which can be cut, can swallow what it is given, and can lead to another server.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// How a connection is cut: the message that the store has just sent is lost, or its answer is, or the connection stays
/// open and carries nothing any more.
#[derive(Debug, Clone, Copy)]
pub enum Cut {
    BeforeItArrives,
    BeforeItIsAnswered,
    ToSilence,
}

/// Takes connections on a port of its own.
pub struct Proxy {
    server: String,
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Where new connections lead.
    leads_to: Mutex<String>,
    /// So many messages of the store get through first.
    planned: Mutex<Option<(usize, Cut)>>,
    has_cut: AtomicBool,
    /// Connections of an earlier age than this swallow everything.
    age: watch::Sender<usize>,
    refusing: watch::Sender<bool>,
}

impl Proxy {
    pub async fn before(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::<State>::default();
        state.leads_to.lock().unwrap().clone_from(&server);
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let address = shared.leads_to.lock().unwrap().clone();
                if !*shared.refusing.borrow()
                    && let Ok(server) = TcpStream::connect(address).await
                {
                    tokio::spawn(pass_on(client, server, Arc::clone(&shared)));
                }
            }
        });
        Self {
            server,
            port,
            state,
        }
    }

    /// From now on new connections lead to this server. Those there are stay where they are.
    pub fn lead_to(&self, server: String) {
        *self.state.leads_to.lock().unwrap() = server;
    }

    /// The same database by way of this.
    pub fn url(&self, url: &str) -> String {
        url.replace(&self.server, &format!("127.0.0.1:{}", self.port))
    }

    /// Cuts one connection, once: after `messages` of the store, on whatever connection.
    pub fn cut_after(&self, messages: usize, cut: Cut) {
        self.state.has_cut.store(false, Ordering::SeqCst);
        *self.state.planned.lock().unwrap() = Some((messages, cut));
    }

    /// Whether it has come to that.
    pub fn stop_cutting(&self) -> bool {
        *self.state.planned.lock().unwrap() = None;
        self.state.has_cut.load(Ordering::SeqCst)
    }

    /// From now on the connections there are stay open and carry nothing; new ones do.
    pub fn swallow(&self) {
        self.state.age.send_modify(|age| *age += 1);
    }

    /// Ends all connections and takes no new ones.
    pub fn refuse(&self, refusing: bool) {
        self.state.refusing.send_replace(refusing);
    }
}

impl State {
    /// What becomes of the next message of the store.
    fn cut(&self) -> Option<Cut> {
        let mut planned = self.planned.lock().unwrap();
        let (left, cut) = planned.as_mut()?;
        if *left > 0 {
            *left -= 1;
            return None;
        }
        let cut = *cut;
        *planned = None;
        self.has_cut.store(true, Ordering::SeqCst);
        Some(cut)
    }
}

async fn pass_on(mut client: TcpStream, mut server: TcpStream, state: Arc<State>) {
    let (mut asked, mut answered) = (vec![0; 65_536], vec![0; 65_536]);
    let born = *state.age.borrow();
    let (mut age, mut refusing) = (state.age.subscribe(), state.refusing.subscribe());
    loop {
        tokio::select! {
            biased;
            () = until(&mut age, |age| *age > born) => std::future::pending().await,
            () = until(&mut refusing, |refusing| *refusing) => return,
            read = client.read(&mut asked) => {
                let Ok(length @ 1..) = read else { return };
                let cut = state.cut();
                match cut {
                    Some(Cut::BeforeItArrives) => return,
                    Some(Cut::ToSilence) => std::future::pending().await,
                    Some(Cut::BeforeItIsAnswered) | None => {}
                }
                if server.write_all(&asked[..length]).await.is_err() {
                    return;
                }
                if cut.is_some() {
                    // It is carried out, and nobody hears of it.
                    let _ = server.read(&mut answered).await;
                    return;
                }
            }
            read = server.read(&mut answered) => {
                let Ok(length @ 1..) = read else { return };
                if client.write_all(&answered[..length]).await.is_err() {
                    return;
                }
            }
        }
    }
}

async fn until<T>(told: &mut watch::Receiver<T>, holds: impl FnMut(&T) -> bool) {
    // The proxy is gone with its test, and everything it carries.
    if told.wait_for(holds).await.is_err() {
        std::future::pending().await
    }
}
