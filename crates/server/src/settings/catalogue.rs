//! Which settings exist: name, default and meaning of each. `docs/settings.md` is checked against
//! this list, and `nightlight check-settings` prints it. It does not say how a value is read.

use std::borrow::Cow;

use crate::helpline::Helpline;

/// One setting as people meet it.
pub struct Setting {
    /// The key in the settings file; `NIGHTLIGHT_` and the key in capitals in the environment.
    pub key: &'static str,
    default: DefaultValue,
    pub meaning: &'static str,
}

enum DefaultValue {
    Worded(&'static str),
    /// It stands in the helpline's own files.
    TheHelplines(fn(&Helpline) -> String),
}

impl Setting {
    /// The default as the documentation words it.
    pub fn default_value(&self, helpline: &Helpline) -> Cow<'static, str> {
        match self.default {
            DefaultValue::Worded(words) => Cow::Borrowed(words),
            DefaultValue::TheHelplines(of) => Cow::Owned(of(helpline)),
        }
    }
}

/// The embedded voices by name.
pub const VOICES: &[&str] = &[
    "af_heart",
    "af_bella",
    "af_nicole",
    "af_sarah",
    "am_michael",
    "am_fenrir",
    "am_puck",
    "bf_emma",
    "bf_isabella",
    "bm_george",
    "bm_fable",
    "joe",
    "slt",
    "rms",
    "awb",
    "kal",
];

/// Those that ask little of a machine.
pub const LIGHTER_VOICES: &[&str] = &["joe", "slt", "rms", "awb", "kal"];

const fn setting(key: &'static str, default: &'static str, meaning: &'static str) -> Setting {
    Setting {
        key,
        default: DefaultValue::Worded(default),
        meaning,
    }
}

const fn helplines(
    key: &'static str,
    default: fn(&Helpline) -> String,
    meaning: &'static str,
) -> Setting {
    Setting {
        key,
        default: DefaultValue::TheHelplines(default),
        meaning,
    }
}

pub const SETTINGS: &[Setting] = &[
    setting(
        "listen",
        "127.0.0.1:8080",
        "Address and port of the web server.",
    ),
    setting(
        "public_origin",
        "the request's host",
        "Where browsers reach this server, such as https://nightlight.example. With https, cookies are marked Secure.",
    ),
    setting(
        "trusted_proxies",
        "none",
        "Proxies in front of this server, as addresses or networks: whom they name in X-Forwarded-For is taken for the client. Without it every connection's other end is.",
    ),
    setting(
        "max_connections",
        "4096, or what the limit of open files leaves",
        "Connections at the same time. When all are taken, those that merely rest give way, first of the address that has most.",
    ),
    setting(
        "media_port",
        "the port of `listen`",
        "UDP port of every call's media; 0 takes any free port.",
    ),
    setting(
        "media_bind",
        "every local address",
        "Addresses to receive media on: a list, or separated by commas.",
    ),
    setting(
        "media_advertise",
        "none",
        "Address that callers are told to send media to, behind NAT.",
    ),
    setting(
        "turn_urls",
        "none",
        "TURN servers for callers whose network lets no UDP through, such as turns:relay.example:443?transport=tcp: a list, or separated by commas.",
    ),
    setting(
        "turn_secret",
        "none",
        "Secret that these share with this server (coturn's static-auth-secret), 16 characters or more. Each call gets a password of its own that is made with it.",
    ),
    setting(
        "node_name",
        "none",
        "Name of this server among several behind one proxy, which sends /node/NAME/ to it: the addresses of its calls begin so.",
    ),
    setting(
        "database",
        "sqlite:var/nightlight.db",
        "Where call records are kept: a file (sqlite:PATH), PostgreSQL (postgres://NAME:PASSWORD@HOST/DATABASE), or nowhere (sqlite::memory:). In the environment DATABASE_URL gives it too; NIGHTLIGHT_DATABASE goes before.",
    ),
    setting(
        "records_keys",
        "none",
        "Keys that what callers said is encrypted with before it is stored, as nightlight new-records-key makes them: the first writes, all of them read. Without any it is stored as it is.",
    ),
    setting(
        "records_keys_file",
        "none",
        "The same, in a file with one key a line.",
    ),
    setting(
        "records_kept_days",
        "30",
        "Days that a call's record is kept after the call ended, 1 to 3650; then the server deletes it by itself.",
    ),
    setting(
        "closed_kept_days",
        "14",
        "Days that a case's record is kept after the duty team closed the case, 1 to 3650, unless `records_kept_days` is over before; then the server deletes it by itself.",
    ),
    setting(
        "closed_kept_days_helped",
        "`closed_kept_days`",
        "The same, of cases closed as helped.",
    ),
    setting(
        "closed_kept_days_referred",
        "`closed_kept_days`",
        "The same, of cases closed as referred.",
    ),
    setting(
        "closed_kept_days_not_reached",
        "`closed_kept_days`",
        "The same, of cases closed as not reached.",
    ),
    setting(
        "closed_kept_days_no_action_needed",
        "`closed_kept_days`",
        "The same, of cases closed as needing no action.",
    ),
    setting(
        "engine_dir",
        "var/engine",
        "Where the speech engine was put by `make setup`.",
    ),
    setting(
        "reader_dir",
        "crates/reader/weights",
        "The trained reader's weights; without them callers are read by rules alone.",
    ),
    setting("web_dir", "web/dist", "The built web app."),
    setting(
        "voice",
        "af_heart",
        "The assistant's voice: one of Kokoro's (af_heart, af_bella, af_nicole, af_sarah, am_michael, am_fenrir, am_puck, bf_emma, bf_isabella, bm_george, bm_fable), Piper's joe, or flite's slt, rms, awb, kal.",
    ),
    setting(
        "lighter_voice",
        "joe",
        "The voice of new calls while the first has no room, and where it cannot be had: joe, slt, rms, awb or kal.",
    ),
    setting(
        "tts_kokoro_dir",
        "none",
        "Another Kokoro model: a folder with model.onnx, vocab.json and voices/.",
    ),
    setting(
        "rendered_dir",
        "crates/speech/rendered",
        "The sentences that ship already spoken; only read.",
    ),
    setting(
        "voices_dir",
        "var/voices",
        "Where sentences are kept that were rendered on this machine. None of them holds a caller's words.",
    ),
    setting(
        "voice_threads",
        "one per core",
        "Threads that make the voice's sentences, after everything else.",
    ),
    setting(
        "transcribers",
        "one per core",
        "How many utterances are transcribed at the same time.",
    ),
    helplines(
        "assistant_name",
        |it| it.name().to_owned(),
        "What the assistant calls itself.",
    ),
    setting(
        "start_wait",
        "fixed",
        "Whether every caller is waited for equally long (fixed) or as long as fits how they stopped (adaptive).",
    ),
    helplines(
        "start_wait_seconds",
        |it| it.turns.start_wait_seconds.to_string(),
        "Wait after the caller stops before the assistant speaks, 0 to 5. Where it is adaptive: whenever it is not known how they stopped.",
    ),
    setting(
        "start_wait_least_seconds",
        "0.6",
        "The adaptive wait after a caller who sounds finished; no wait is shorter.",
    ),
    setting(
        "start_wait_most_seconds",
        "2.5",
        "The adaptive wait after a caller who does not sound finished; after one who whispers or cries the longer of this and `start_wait_seconds`.",
    ),
    helplines(
        "stop_words",
        |it| it.turns.stop_words.to_string(),
        "Words a caller must say to take the floor from the assistant.",
    ),
    helplines(
        "silence_timeout_seconds",
        |it| it.turns.silence_timeout_seconds.to_string(),
        "A call with the assistant ends after this much silence; that of a caller who has muted themselves after two minutes, and none while a duty officer is rung or on the line.",
    ),
    setting(
        "check_in_seconds",
        "15",
        "The assistant asks whether the caller is still there after this much silence.",
    ),
    helplines(
        "max_duration_seconds",
        |it| it.turns.max_duration_seconds.to_string(),
        "No call with the assistant alone lasts longer. While a duty officer is rung or on the line it does not count, and when they are gone at least five minutes are left.",
    ),
    setting(
        "max_calls",
        "25 per core",
        "Calls at the same time; further callers are told whom to ring.",
    ),
    setting(
        "max_chats",
        "1000",
        "Written conversations at the same time; those begun beyond that are told whom to ring.",
    ),
    setting(
        "chat_idle_seconds",
        "1800",
        "A written conversation ends when nothing was written for so long.",
    ),
    setting(
        "calls_per_minute",
        "60",
        "Calls that one visitor may ask for in a minute.",
    ),
    setting(
        "messages_per_minute",
        "240",
        "Messages that one visitor may write in a minute.",
    ),
    setting(
        "reads_per_minute",
        "1200",
        "Answers of the API that one visitor may read in a minute. What a call needs, the desk and this machine itself are not counted.",
    ),
    setting(
        "address_calls_per_minute",
        "3000",
        "Calls that may be asked for from one address in a minute. A school or a mobile carrier is one address.",
    ),
    setting(
        "address_messages_per_minute",
        "6000",
        "Messages that may be written from one address in a minute.",
    ),
    setting(
        "address_reads_per_minute",
        "12000",
        "Answers of the API that may be read from one address in a minute, and by one private key.",
    ),
    setting(
        "model_url",
        "none",
        "A chat model's API, in the form of OpenAI's: its base, such as https://api.example/v1. Callers' words are sent there.",
    ),
    setting("model_name", "none", "The model's name there."),
    setting("model_key", "none", "The key it asks for."),
    setting(
        "model_timeout_seconds",
        "half of the shortest wait, at least 0.1",
        "How long a turn waits for it, four fifths of the shortest wait (`start_wait_seconds`, or adaptive `start_wait_least_seconds`) at most; then the reply is the flow's own.",
    ),
    setting(
        "tts_url",
        "none",
        "A voice made elsewhere: an API in the form of OpenAI's, its base, such as https://api.example/v1. What is said to callers, their name and place among it, is sent there.",
    ),
    setting("tts_model", "none", "The speech model's name there."),
    setting("tts_voice", "none", "The voice's name there."),
    setting("tts_key", "none", "The key it asks for."),
    setting(
        "tts_timeout_seconds",
        "half of the shortest wait, at least 1; less beside a slow chat model",
        "How long a sentence waits for its first sound; then the call says something kept ready instead. At most four fifths of the shortest wait or 1, whichever is more, 3 in any case, and less beside a slow chat model.",
    ),
    setting(
        "public_key",
        "nightlight-public",
        "Key that the web page starts calls with. It is public.",
    ),
    setting(
        "private_key",
        "none",
        "Key of the platform API's other paths, 16 characters or more. Without it they are closed.",
    ),
    setting(
        "webhook_secret",
        "none",
        "Secret that messages to /api/webHook must carry in X-Vapi-Secret, 16 characters or more. Without it no call that they report is recorded, and they are 128 KB at most.",
    ),
    setting(
        "server_url",
        "none",
        "Where server messages (webhooks) about calls and written conversations go, such as https://records.example/hook, unless their assistant names a server of its own. What callers say goes there.",
    ),
    setting(
        "server_secret",
        "none",
        "What they carry in X-Vapi-Secret, so that the server there knows that they are from here.",
    ),
    setting(
        "voice_platform",
        "embedded",
        "Where calls are held: embedded, in this server, or hosted, on the platform at `hosted_platform_url`. Written conversations are held here in either case.",
    ),
    setting(
        "hosted_platform_url",
        "https://api.vapi.ai",
        "The hosted platform's API. In hosted mode pages call there, and callers' sound and words go there.",
    ),
    setting(
        "hosted_public_key",
        "none",
        "Key that pages start calls with there. It is public.",
    ),
    setting(
        "hosted_squad_id",
        "none",
        "The squad that answers there; `nightlight platform push` prints it.",
    ),
    setting(
        "hosted_assistant_id",
        "none",
        "An assistant that answers there alone, in the squad's place.",
    ),
    setting(
        "hosted_private_key",
        "none",
        "Key that `nightlight platform push` changes what is kept there with. Serving needs none.",
    ),
    setting(
        "feedback_link",
        "https://nightlight.example/feedback",
        "The feedback form.",
    ),
    setting(
        "platform_link",
        "https://vapi.ai",
        "The voice platform's site, for the \"Built with\" credit.",
    ),
    setting(
        "log",
        "info",
        "Which log lines are written, in the form of RUST_LOG.",
    ),
    setting("log_format", "text", "Log lines as text or json."),
    setting(
        "otlp_endpoint",
        "none",
        "A collector of OpenTelemetry traces, by OTLP over HTTP: its base, such as http://127.0.0.1:4318. Times of the work for each call go there, and nothing that was said.",
    ),
    setting(
        "error_reporting_dsn",
        "none",
        "Where errors of this server and its pages are reported, as a DSN of Sentry or of what speaks as it does, such as https://KEY@errors.example/1. Their kind and place in the program go there, and nothing that was said.",
    ),
    setting(
        "operator_key",
        "none",
        "Key that opens /api/status, its page /status and /metrics from other machines, 16 characters or more. From this machine itself they are open without it.",
    ),
    setting(
        "return_within_seconds",
        "30",
        "How long a call whose line was lost, or that a crash cut off, waits for its caller; then it ends, to be rung back.",
    ),
    setting(
        "officers_answer_within_seconds",
        "60",
        "How long duty officers are rung for a warm transfer before the assistant is back with the caller and says whom to ring.",
    ),
    setting(
        "case_untouched_minutes",
        "30",
        "How long a case that somebody has taken may lie untouched before it is back in the queue, above its equals; an urgent one half of it.",
    ),
    setting(
        "smtp_url",
        "none",
        "The mail server that the morning report is handed to: smtps://NAME:PASSWORD@HOST, or smtp://… where it encrypts by STARTTLS. Without it nothing is mailed.",
    ),
    setting(
        "mail_from",
        "none",
        "Who writes that mail, such as Nightlight <desk@line.example>.",
    ),
    setting(
        "report_mail_to",
        "none",
        "Whom the morning report is mailed to: a list, or separated by commas. It holds numbers and a link to the desk, nothing that was said.",
    ),
    setting(
        "report_mail_at",
        "07:30",
        "When it is mailed, by the clock of Singapore.",
    ),
    setting(
        "oidc_issuer",
        "none",
        "An identity provider (OpenID Connect) that officers may sign in by, as it writes its own address, such as https://id.line.example. Password and code go on beside it. Whether it asks for a second factor is for the provider to see to.",
    ),
    setting(
        "oidc_client_id",
        "none",
        "What this server is called there. The provider sends browsers back to /api/desk/provider/callback below public_origin.",
    ),
    setting(
        "oidc_client_secret",
        "none",
        "What this server shows there that it is itself.",
    ),
    setting(
        "oidc_name_claim",
        "email",
        "What of the provider's word is an officer's sign-in name, the first time: email, which it must say that it has verified, or preferred_username, where nobody can choose their own.",
    ),
    setting(
        "oidc_name",
        "your organisation",
        "What the button to sign in by the provider calls it.",
    ),
    setting(
        "wrap_up_seconds",
        "60",
        "How long a duty officer is not rung after a call, unless they say sooner that they are on duty.",
    ),
    setting(
        "desk_session_rest_minutes",
        "30",
        "Minutes without a request after which who is signed in at the desk has to sign in again, 5 to 1440. An open page of the desk makes requests, and a line to a call counts as one.",
    ),
    setting(
        "desk_session_hours",
        "12",
        "Hours after signing in at the desk after which one has to sign in again in any case, 1 to 168.",
    ),
    setting(
        "finish_seconds",
        "0",
        "How long live calls may go on to their own end when the server is told to stop and takes no new ones: where there are others that do.",
    ),
    setting(
        "drain_seconds",
        "25",
        "How long those left then get to say whom to ring, and end; what is said takes up to 20 seconds.",
    ),
];
