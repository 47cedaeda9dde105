//! A mail server of a test's own: the commands of RFC 5321 over a real socket, in the clear. It keeps what it takes, refuses
//! as often as it is told to, and can be away.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// A mail as it was handed over.
#[derive(Debug, Clone)]
pub struct Received {
    pub from: String,
    pub to: String,
    pub data: String,
}

#[derive(Clone, Default)]
struct Kept {
    mails: Arc<Mutex<Vec<Received>>>,
    refusals: Arc<AtomicUsize>,
    refused: Arc<AtomicUsize>,
}

pub struct SmtpServer {
    pub address: SocketAddr,
    kept: Kept,
    serving: Option<JoinHandle<()>>,
}

impl SmtpServer {
    pub async fn start() -> Self {
        let mut server = Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            kept: Kept::default(),
            serving: None,
        };
        server.come_back().await;
        server
    }

    pub fn url(&self) -> String {
        format!("smtp://{}", self.address)
    }

    /// Nobody answers at its address.
    pub async fn go_away(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.abort();
            let _ = serving.await;
        }
    }

    /// At the same address.
    pub async fn come_back(&mut self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        self.address = listener.local_addr().unwrap();
        let kept = self.kept.clone();
        self.serving = Some(tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let kept = kept.clone();
                tokio::spawn(async move { drop(converse(stream, kept).await) });
            }
        }));
    }

    /// Says of the next mails, so many, that they are to be tried later.
    pub fn refuse(&self, times: usize) {
        self.kept.refusals.store(times, Ordering::SeqCst);
    }

    pub fn refused(&self) -> usize {
        self.kept.refused.load(Ordering::SeqCst)
    }

    pub fn mails(&self) -> Vec<Received> {
        self.kept.mails.lock().unwrap().clone()
    }

    /// Waits until it has taken so many, in real time.
    pub async fn took(&self, many: usize) -> Vec<Received> {
        let waited = tokio::time::timeout(Duration::from_secs(60), async {
            while self.mails().len() < many {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        waited
            .await
            .unwrap_or_else(|_| panic!("{many} mails, and there are {:?}", self.mails()));
        self.mails()
    }
}

async fn converse(stream: TcpStream, kept: Kept) -> std::io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 mail.test ESMTP\r\n").await?;
    let (mut from, mut to) = (String::new(), String::new());
    while let Some(line) = lines.next_line().await? {
        let command = line.split([' ', ':']).next().unwrap_or_default();
        let address = || {
            let inner = line
                .split_once('<')
                .and_then(|(_, rest)| rest.split_once('>'));
            inner.map(|(inner, _)| inner.to_owned()).unwrap_or_default()
        };
        let answer: &[u8] = match command.to_ascii_uppercase().as_str() {
            "EHLO" => b"250-mail.test\r\n250 8BITMIME\r\n",
            "HELO" | "NOOP" => b"250 OK\r\n",
            "RSET" => {
                (from, to) = Default::default();
                b"250 OK\r\n"
            }
            "MAIL" => {
                from = address();
                b"250 OK\r\n"
            }
            "RCPT" if from.is_empty() => b"503 MAIL first\r\n",
            "RCPT" => {
                let left = |left: usize| left.checked_sub(1);
                let refusals = &kept.refusals;
                match refusals.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left) {
                    Ok(_) => {
                        kept.refused.fetch_add(1, Ordering::SeqCst);
                        // As many do, with the address in it.
                        let refusal = format!("451 4.7.1 <{}>: greylisted\r\n", address());
                        write.write_all(refusal.as_bytes()).await?;
                        continue;
                    }
                    Err(_) => to = address(),
                }
                b"250 OK\r\n"
            }
            "DATA" if to.is_empty() => b"503 RCPT first\r\n",
            "DATA" => {
                write.write_all(b"354 go on, end with a dot\r\n").await?;
                let mut data = String::new();
                while let Some(line) = lines.next_line().await? {
                    if line == "." {
                        break;
                    }
                    data.push_str(line.strip_prefix('.').unwrap_or(&line));
                    data.push('\n');
                }
                let mail = Received {
                    from: std::mem::take(&mut from),
                    to: std::mem::take(&mut to),
                    data,
                };
                kept.mails.lock().unwrap().push(mail);
                b"250 taken\r\n"
            }
            "QUIT" => {
                write.write_all(b"221 bye\r\n").await?;
                return Ok(());
            }
            _ => b"502 not known\r\n",
        };
        write.write_all(answer).await?;
    }
    Ok(())
}
