//! An authorization server, as far as a client sees it that has an id and a secret.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::json;

/// Gives out `token-1`, `token-2` and so on, each for an hour.
#[derive(Clone)]
pub struct TokenEndpoint {
    address: SocketAddr,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    asked: Vec<String>,
    refusals: VecDeque<StatusCode>,
    given: usize,
}

impl TokenEndpoint {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = Self {
            address: listener.local_addr().unwrap(),
            kept: Arc::default(),
        };
        let routes = Router::new()
            .route("/token", post(give))
            .with_state(endpoint.clone());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        endpoint
    }

    pub fn url(&self) -> String {
        format!("http://{}/token", self.address)
    }

    pub fn refuses_first(&self, with: &[StatusCode]) {
        self.kept.lock().unwrap().refusals = with.iter().copied().collect();
    }

    /// What it was asked, as it came.
    pub fn asked(&self) -> Vec<String> {
        self.kept.lock().unwrap().asked.clone()
    }
}

async fn give(State(endpoint): State<TokenEndpoint>, asked: String) -> Response {
    let mut kept = endpoint.kept.lock().unwrap();
    kept.asked.push(asked);
    if let Some(refusal) = kept.refusals.pop_front() {
        return refusal.into_response();
    }
    kept.given += 1;
    let token = format!("token-{}", kept.given);
    Json(json!({"access_token": token, "token_type": "Bearer", "expires_in": 3600})).into_response()
}
