//! A program that holds the private key, as far as the server sees it.

use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::Value;

use super::TestServer;

pub const PRIVATE_KEY: &str = "0123456789abcdef";

/// The setting that lets it in.
pub fn with_a_key() -> String {
    format!("private_key = '{PRIVATE_KEY}'")
}

pub struct Program {
    url: String,
    client: Client,
}

impl Program {
    pub fn of(server: &TestServer) -> Self {
        Self {
            url: server.url.clone(),
            client: Client::new(),
        }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url));
        request.bearer_auth(PRIVATE_KEY)
    }

    pub async fn ask(&self, method: Method, path: &str) -> Response {
        self.request(method, path).send().await.unwrap()
    }

    pub async fn send(&self, method: Method, path: &str, body: Value) -> Response {
        let request = self.request(method, path).json(&body);
        request.send().await.unwrap()
    }

    pub async fn post(&self, path: &str, body: Value) -> Response {
        self.send(Method::POST, path, body).await
    }

    /// What it made, by an answer that says so.
    pub async fn made(&self, path: &str, body: Value) -> Value {
        let response = self.post(path, body).await;
        assert_eq!(response.status(), StatusCode::CREATED, "{path}");
        response.json().await.unwrap()
    }

    pub async fn get_json(&self, path: &str) -> Value {
        let response = self.ask(Method::GET, path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        response.json().await.unwrap()
    }

    pub async fn changed(&self, path: &str, body: Value) -> Value {
        let response = self.send(Method::PATCH, path, body).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        response.json().await.unwrap()
    }

    pub async fn removed(&self, path: &str) -> Value {
        let response = self.ask(Method::DELETE, path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        response.json().await.unwrap()
    }
}
