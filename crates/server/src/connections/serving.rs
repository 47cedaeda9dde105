//! Takes connections in and has each speak HTTP within its bounds. A request's head must have come whole some time after
//! the answer before it, its body after that, and whoever takes no bytes any more has gone; a call's socket and an event
//! stream last as long as they like.

use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{StatusCode, header};
use axum::response::Response;
use axum::serve::Listener;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;
use tower_http::timeout::RequestBodyDeadlineLayer;

use super::{Connections, Doing, Place};
use crate::client_address::{ClientAddress, FromThisMachine, TrustedProxies};

/// From a connection's beginning, or the answer before, until the head of a request is there: also how long one may rest.
const HEAD_WITHIN: Duration = Duration::from_secs(30);
/// The largest body is a megabyte.
const BODY_WITHIN: Duration = Duration::from_secs(30);
/// For how long the other end may take none of what is sent to it.
const TAKEN_WITHIN: Duration = Duration::from_secs(30);
/// A request's head: many times what a browser sends.
const MOST_HEAD_BYTES: usize = 32 * 1024;
/// While nobody gives way, it is looked this often whether a request has become too old.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Serves until it is told to stop, and then lets requests under way be answered.
pub async fn serve(
    mut listener: TcpListener,
    router: Router,
    connections: Arc<Connections>,
    proxies: TrustedProxies,
    stopped: CancellationToken,
) {
    let router = router.layer(RequestBodyDeadlineLayer::new(BODY_WITHIN));
    let proxies = Arc::new(proxies);
    let open = TaskTracker::new();
    let accepting = async {
        loop {
            let (stream, peer) = Listener::accept(&mut listener).await;
            let place = place(&connections, &proxies, peer.ip()).await;
            let one = Connection {
                place: Arc::new(place),
                router: router.clone(),
                proxies: Arc::clone(&proxies),
                peer: peer.ip(),
            };
            open.spawn(one.speak(stream, stopped.clone()));
        }
    };
    tokio::select! {
        () = accepting => {}
        () = stopped.cancelled() => {}
    }
    drop(listener);
    open.close();
    open.wait().await;
}

async fn place(connections: &Arc<Connections>, proxies: &TrustedProxies, peer: IpAddr) -> Place {
    let address = (!proxies.include(peer)).then(|| ClientAddress::of(peer));
    loop {
        if let Some(place) = connections.take_in(address, Instant::now()) {
            return place;
        }
        let _ = tokio::time::timeout(LOOK_AGAIN, connections.closed.notified()).await;
    }
}

struct Connection {
    place: Arc<Place>,
    router: Router,
    proxies: Arc<TrustedProxies>,
    peer: IpAddr,
}

impl Connection {
    async fn speak(self, stream: TcpStream, stopped: CancellationToken) {
        // The kernel gives up on who takes nothing, also within an answer or an event stream.
        let _ = SockRef::from(&stream).set_tcp_user_timeout(Some(TAKEN_WITHIN));
        let gives_way = self.place.gives_way.clone();
        let service = service_fn(move |request| self.clone_for_a_request().answer(request));
        let speaking = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_WITHIN)
            .max_buf_size(MOST_HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        let mut speaking = pin!(speaking);
        let mut stopping = pin!(stopped.cancelled());
        let mut told = false;
        loop {
            tokio::select! {
                // What goes wrong is the client's, and says nothing to anybody else.
                _ = speaking.as_mut() => return,
                () = gives_way.cancelled() => return,
                () = &mut stopping, if !told => {
                    told = true;
                    speaking.as_mut().graceful_shutdown();
                }
            }
        }
    }

    fn clone_for_a_request(&self) -> Self {
        Self {
            place: Arc::clone(&self.place),
            router: self.router.clone(),
            proxies: Arc::clone(&self.proxies),
            peer: self.peer,
        }
    }

    async fn answer(
        self,
        request: hyper::Request<Incoming>,
    ) -> Result<Response<Answer>, Infallible> {
        let asking = Asking(Arc::clone(&self.place));
        self.place.is_at(Doing::Asking, Instant::now());
        let client = self.proxies.client(self.peer, request.headers());
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(client);
        if let Some(here) = FromThisMachine::of(self.peer, request.headers()) {
            request.extensions_mut().insert(here);
        }
        request.extensions_mut().insert(Talks(self.place));
        let response = self.router.oneshot(request).await?;
        let kind = response.headers().get(header::CONTENT_TYPE);
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            asking.0.is_at(Doing::Talking, Instant::now());
            return Ok(response.map(|body| Answer { body, asking: None }));
        }
        if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream")) {
            asking.0.is_at(Doing::Listening, Instant::now());
        }
        Ok(response.map(|body| Answer {
            body,
            asking: Some(asking),
        }))
    }
}

/// On a request: what is upgraded keeps this for as long as its socket is open, and with it the connection's place.
#[derive(Clone)]
pub struct Talks(#[expect(dead_code, reason = "it is only kept")] Arc<Place>);

/// Until the answer has been handed over.
struct Asking(Arc<Place>);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.is_at(Doing::Resting, Instant::now());
    }
}

/// An answer's body, by whose end its connection is known to rest.
struct Answer {
    body: Body,
    asking: Option<Asking>,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(None) = polled {
            self.asking = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use axum::routing::{get, post};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::task::JoinHandle;

    use super::*;

    struct Served {
        address: std::net::SocketAddr,
        connections: Arc<Connections>,
        stopped: CancellationToken,
        serving: JoinHandle<()>,
    }

    /// A server of three paths, with so many connections.
    async fn served(most: usize) -> Served {
        let silence =
            || Body::from_stream(futures_util::stream::pending::<Result<Bytes, axum::Error>>());
        let events =
            move || async move { ([(header::CONTENT_TYPE, "text/event-stream")], silence()) };
        let router = Router::new()
            .route("/health", get(async || "ok"))
            .route(
                "/chat",
                post(async |body: Result<Bytes, _>| body.map_err(|_| StatusCode::BAD_REQUEST)),
            )
            .route("/events", get(events));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (connections, stopped) = (Connections::new(most), CancellationToken::new());
        let serving = serve(
            listener,
            router,
            Arc::clone(&connections),
            TrustedProxies::default(),
            stopped.clone(),
        );
        Served {
            address,
            connections,
            stopped,
            serving: tokio::spawn(serving),
        }
    }

    impl Served {
        /// A connection from one of this machine's addresses, on which this is said.
        async fn connect(&self, from: u8, said: &str) -> TcpStream {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind(([127, 0, 0, from], 0).into()).unwrap();
            let mut stream = socket.connect(self.address).await.unwrap();
            stream.write_all(said.as_bytes()).await.unwrap();
            stream
        }

        async fn health(&self, from: u8) -> String {
            let asked = async {
                let request = "GET /health HTTP/1.1\r\nhost: x\r\n\r\n";
                let mut stream = self.connect(from, request).await;
                answer(&mut stream).await
            };
            let in_time = tokio::time::timeout(Duration::from_secs(5), asked).await;
            in_time.expect("health is answered")
        }
    }

    /// What comes back at first; empty when the connection is closed.
    async fn answer(stream: &mut TcpStream) -> String {
        let mut bytes = [0; 4096];
        let read = stream.read(&mut bytes).await.unwrap_or(0);
        String::from_utf8_lossy(&bytes[..read]).into_owned()
    }

    async fn closed_after(mut stream: TcpStream) -> Duration {
        let began = Instant::now();
        while !answer(&mut stream).await.is_empty() {}
        began.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn who_sends_no_whole_request_is_let_go() {
        let served = served(10).await;
        for said in ["", "GET /health HTTP/1.1\r\nhost: x\r\nslow: "] {
            let stream = served.connect(2, said).await;
            let took = closed_after(stream).await;
            assert!(took <= HEAD_WITHIN + Duration::from_secs(1), "{took:?}");
        }
        let mut drop_by_drop = served.connect(2, "GET /health HTTP/1.1\r\n").await;
        let began = Instant::now();
        while drop_by_drop.write_all(b"x: y\r\n").await.is_ok() {
            tokio::time::sleep(Duration::from_secs(1)).await;
            assert!(began.elapsed() < HEAD_WITHIN * 2, "it may go on for ever");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_comes_by_drops_is_not_waited_for() {
        let served = served(10).await;
        let head = "POST /chat HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n";
        let mut stream = served.connect(2, head).await;
        let began = Instant::now();
        let told = loop {
            let _ = stream.write_all(b"x").await;
            let told = tokio::time::timeout(Duration::from_secs(1), answer(&mut stream)).await;
            if let Ok(told) = told {
                break told;
            }
            assert!(began.elapsed() < BODY_WITHIN * 2, "it may go on for ever");
        };
        assert!(told.starts_with("HTTP/1.1 400"), "{told}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_at_rest_is_used_again_and_ends_when_it_is_not() {
        let served = served(10).await;
        let request = "GET /health HTTP/1.1\r\nhost: x\r\n\r\n";
        let mut stream = served.connect(2, request).await;
        assert!(answer(&mut stream).await.ends_with("ok"));
        tokio::time::sleep(HEAD_WITHIN / 2).await;
        stream.write_all(request.as_bytes()).await.unwrap();
        assert!(answer(&mut stream).await.ends_with("ok"));
        let took = closed_after(stream).await;
        assert!(took >= HEAD_WITHIN - Duration::from_secs(1), "{took:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn an_event_stream_lasts() {
        let served = served(10).await;
        let mut stream = served
            .connect(2, "GET /events HTTP/1.1\r\nhost: x\r\n\r\n")
            .await;
        assert!(answer(&mut stream).await.starts_with("HTTP/1.1 200"));
        let hour = Duration::from_secs(3600);
        assert!(
            tokio::time::timeout(hour, answer(&mut stream))
                .await
                .is_err()
        );
    }

    #[tokio::test]
    async fn who_holds_every_connection_keeps_nobody_out() {
        let served = served(20).await;
        let mut held = Vec::new();
        for _ in 0..100 {
            held.push(served.connect(2, "").await);
        }
        let events = "GET /events HTTP/1.1\r\nhost: x\r\n\r\n";
        let mut page = served.connect(3, events).await;
        assert!(answer(&mut page).await.starts_with("HTTP/1.1 200"));
        for _ in 0..50 {
            held.push(served.connect(2, "").await);
        }
        assert!(served.health(4).await.ends_with("ok"));
        assert_eq!(served.connections.table().open.len(), 20);
        let goes_on = tokio::time::timeout(Duration::from_millis(50), answer(&mut page)).await;
        assert!(goes_on.is_err(), "the page is still told what happens");
    }

    #[tokio::test]
    async fn event_streams_of_one_address_keep_nobody_out() {
        let served = served(20).await;
        let mut held = Vec::new();
        let filling = async {
            for _ in 0..30 {
                let events = "GET /events HTTP/1.1\r\nhost: x\r\n\r\n";
                let mut stream = served.connect(2, events).await;
                assert!(answer(&mut stream).await.starts_with("HTTP/1.1 200"));
                held.push(stream);
            }
        };
        let in_time = tokio::time::timeout(Duration::from_secs(5), filling).await;
        in_time.expect("one more has room too");
        assert!(served.health(3).await.ends_with("ok"));
    }

    #[tokio::test]
    async fn at_the_end_requests_are_answered_and_nobody_new_is_taken_in() {
        let served = served(10).await;
        let resting = served.connect(2, "").await;
        let head = "POST /chat HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n";
        let mut under_way = served.connect(3, head).await;
        // Its head has been read once the table knows of it.
        while !served
            .connections
            .table()
            .open
            .values()
            .any(|open| open.doing == Doing::Asking)
        {
            tokio::task::yield_now().await;
        }
        served.stopped.cancel();
        closed_after(resting).await;
        under_way.write_all(b"hi").await.unwrap();
        assert!(answer(&mut under_way).await.ends_with("hi"));
        served.serving.await.unwrap();
        assert!(TcpStream::connect(served.address).await.is_err());
    }
}
