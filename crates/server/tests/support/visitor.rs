//! A visitor's browser, as far as the server sees it: requests with a session cookie.

use std::net::IpAddr;
use std::sync::Mutex;

use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, header};
use serde_json::{Value, json};

pub const PUBLIC_KEY: &str = "nightlight-public";

pub struct Visitor {
    pub url: String,
    client: Client,
    cookie: Mutex<Option<String>>,
}

impl Visitor {
    pub fn of(url: &str) -> Self {
        Self::from_address(url, None)
    }

    /// One whose requests come from this address of the machine's.
    pub fn from_address(url: &str, address: impl Into<Option<IpAddr>>) -> Self {
        Self {
            url: url.to_owned(),
            // Where an answer leads is for the test to see. No roots: a debug build takes a while to read the machine's.
            client: Client::builder()
                .tls_certs_only([])
                .redirect(Policy::none())
                .local_address(address)
                .build()
                .expect("a client without special wishes can be built"),
            cookie: Mutex::new(None),
        }
    }

    /// The same browser, with the server at another address.
    pub fn at(self, url: &str) -> Self {
        Self {
            url: url.to_owned(),
            ..self
        }
    }

    /// The same browser at another node as well.
    pub fn also_at(&self, url: &str) -> Self {
        let visitor = Self::of(url);
        *visitor.cookie.lock().unwrap() = self.cookie();
        visitor
    }

    /// What the browser sends to be known by.
    pub fn cookie(&self) -> Option<String> {
        self.cookie.lock().unwrap().clone()
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url));
        match self.cookie.lock().unwrap().as_deref() {
            Some(cookie) => request.header(header::COOKIE, cookie),
            None => request,
        }
    }

    pub async fn send(&self, request: RequestBuilder) -> Response {
        let response = request.send().await.unwrap();
        if let Some(cookie) = response.headers().get(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap().split(';').next().unwrap();
            *self.cookie.lock().unwrap() = Some(cookie.to_owned());
        }
        response
    }

    pub async fn get(&self, path: &str) -> Response {
        self.send(self.request(Method::GET, path)).await
    }

    pub async fn get_json(&self, path: &str) -> Value {
        let response = self.get(path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        response.json().await.unwrap()
    }

    pub async fn post_json(&self, path: &str, body: impl Into<String>) -> Response {
        let request = self
            .request(Method::POST, path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(body.into());
        self.send(request).await
    }

    pub async fn ask_with(&self, body: Value) -> Response {
        let request = self
            .request(Method::POST, "/call/web")
            .bearer_auth(PUBLIC_KEY)
            .json(&body);
        self.send(request).await
    }

    pub async fn ask(&self) -> Response {
        self.ask_with(json!({"assistantId": "helpline"})).await
    }

    /// Asks for a call and gets one.
    pub async fn call(&self) -> Value {
        let response = self.ask().await;
        assert_eq!(response.status(), StatusCode::CREATED);
        response.json().await.unwrap()
    }

    /// The page's event stream: what it is told, one call-info after another.
    pub async fn events(&self) -> Events {
        let response = self.get("/api/calls/events").await;
        assert_eq!(response.status(), StatusCode::OK);
        Events {
            response,
            text: String::new(),
        }
    }
}

pub struct Events {
    response: Response,
    text: String,
}

impl Events {
    /// The next `call-updated`, or `None` when the stream has ended.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                if event.contains("event: call-updated") {
                    let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                    return Some(serde_json::from_str(data.unwrap()).unwrap());
                }
                continue;
            }
            let piece = self.response.chunk().await.ok()??;
            self.text.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }

    /// The info of the call once it has ended.
    pub async fn ended(&mut self) -> Value {
        loop {
            let info = self
                .next()
                .await
                .expect("the stream goes on until the call has ended");
            if info["status"] == "ended" {
                return info;
            }
        }
    }
}

/// Asserts an error answer's status and stable code; gives its body.
pub async fn refused(response: Response, status: u16, code: &str) -> Value {
    let answered = response.status().as_u16();
    let body: Value = response.json().await.expect("every refusal is JSON");
    assert_eq!(
        (answered, body["code"].as_str()),
        (status, Some(code)),
        "{body}"
    );
    assert_eq!(body["statusCode"], status);
    assert!(!body["message"].as_str().unwrap().is_empty());
    body
}
