//! Somebody at the duty desk, as far as the server sees them: requests with the desk's cookie, and the desk's events.

use desk::{AccountId, Desk, NewAccount, Role, SessionBounds, Who, code_at};
use flow::Agency;
use jiff::Timestamp;
use records::{Database, RecordsKeys};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, header};
use serde_json::{Value, json};

use super::TestServer;

pub const PASSWORD: &str = "a lantern at 3 am";

/// The desk in this server's database, as its command line reaches it.
pub async fn desk_of(server: &TestServer) -> Desk {
    let database = Database::open(&server.database, RecordsKeys::none())
        .await
        .unwrap();
    Desk::on(&database, SessionBounds::default())
}

pub struct Officer {
    pub id: AccountId,
    pub sign_in_name: String,
    /// The secret in their authenticator app.
    pub app: String,
    url: String,
    client: Client,
    pub cookie: Option<String>,
}

impl Officer {
    /// Invited from the command line, and signed in.
    pub async fn signed_in(
        server: &TestServer,
        name: &str,
        role: Role,
        agencies: &[Agency],
    ) -> Self {
        let mut officer = Self::invited(server, name, role, agencies).await;
        let signed_in = officer.sign_in().await;
        assert_eq!(signed_in.status(), StatusCode::OK);
        officer
    }

    /// Who has accepted their invitation, and not signed in yet.
    pub async fn invited(server: &TestServer, name: &str, role: Role, agencies: &[Agency]) -> Self {
        let desk = desk_of(server).await;
        if !desk.is_open().await.unwrap() {
            invite(&desk, "first", Role::Administrator, &[]).await;
        }
        let invited = invite(&desk, name, role, agencies).await;
        let token = invited.token.expose_secret();
        let now = Timestamp::now();
        let shown = desk.invitation(token, now).await.unwrap().unwrap();
        let app = shown.totp_secret.expose_secret().clone();
        // An app's code is good once: the one for signing in is the next.
        let code = code_at(&app, now - A_STEP).unwrap().into();
        let password = String::from(PASSWORD).into();
        desk.accept(token, password, code, now).await.unwrap();
        Self {
            id: invited.account.id,
            sign_in_name: shown.sign_in_name.to_string(),
            app,
            url: server.url.clone(),
            client: Client::new(),
            cookie: None,
        }
    }

    /// The same session, asking this node by its name, as a proxy would lead there.
    pub fn at_node(&self, server: &TestServer, name: &str) -> Self {
        Self {
            sign_in_name: self.sign_in_name.clone(),
            app: self.app.clone(),
            url: format!("{}/node/{name}", server.url),
            client: self.client.clone(),
            cookie: self.cookie.clone(),
            ..*self
        }
    }

    /// Says what they are at.
    pub async fn says(&self, duty: &Value) {
        let request = self.request(Method::PUT, "/api/desk/duty").json(duty);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{duty}");
    }

    pub async fn sign_in(&mut self) -> Response {
        let code = code_at(&self.app, Timestamp::now()).unwrap();
        self.try_to_sign_in(PASSWORD, &code).await
    }

    pub async fn try_to_sign_in(&mut self, password: &str, code: &str) -> Response {
        let attempt = json!({"signInName": self.sign_in_name, "password": password, "code": code});
        let request = self
            .request(Method::POST, "/api/desk/sign-in")
            .json(&attempt);
        let response = request.send().await.unwrap();
        if let Some(cookie) = response.headers().get(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap().split(';').next().unwrap();
            self.cookie = Some(cookie.to_owned());
        }
        response
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url));
        match &self.cookie {
            Some(cookie) => request.header(header::COOKIE, cookie),
            None => request,
        }
    }

    pub async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    pub async fn get_json(&self, path: &str) -> Value {
        let response = self.get(path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        response.json().await.unwrap()
    }

    pub async fn post(&self, path: &str) -> Response {
        self.request(Method::POST, path).send().await.unwrap()
    }

    /// Opens a page of the desk, and goes on duty.
    pub async fn on_duty(&self) -> DeskEvents {
        let events = self.events("/api/desk/events").await;
        self.says(&json!({"onDuty": true})).await;
        events
    }

    /// Opens a live call on a page of the desk.
    pub async fn opens(&self, call: &str) -> DeskEvents {
        self.events(&format!("/api/desk/live/{call}/events")).await
    }

    async fn events(&self, path: &str) -> DeskEvents {
        let response = self.get(path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        DeskEvents {
            response,
            text: String::new(),
            told: String::new(),
        }
    }
}

const A_STEP: std::time::Duration = std::time::Duration::from_secs(30);

async fn invite(desk: &Desk, name: &str, role: Role, agencies: &[Agency]) -> desk::Invited {
    let new = NewAccount {
        name: name.to_owned(),
        sign_in_name: format!("{name}@line.example").parse().unwrap(),
        role,
        agencies: agencies.iter().copied().collect(),
        languages: ["en".parse().unwrap()].into(),
    };
    let invited = desk.invite(Who::CommandLine, new, Timestamp::now()).await;
    invited.unwrap()
}

/// What a page of the desk is told.
pub struct DeskEvents {
    response: Response,
    text: String,
    /// All that came, as it came.
    pub told: String,
}

impl DeskEvents {
    /// Waits until the server has closed the stream.
    pub async fn end(&mut self) {
        while self.response.chunk().await.unwrap().is_some() {}
    }

    /// The next event of this name.
    pub async fn next(&mut self, name: &str) -> Value {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                if event.lines().any(|line| line == format!("event: {name}")) {
                    let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                    return serde_json::from_str(data.unwrap()).unwrap();
                }
                continue;
            }
            let piece = self.response.chunk().await.unwrap();
            let piece = piece.unwrap_or_else(|| panic!("the stream ended before {name}"));
            let piece = std::str::from_utf8(&piece).unwrap();
            self.text.push_str(piece);
            self.told.push_str(piece);
        }
    }
}
