//! One running server: its parts opened in order, its work, and its orderly end. Reading settings
//! and waiting for signals is the command's.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use call::media::{Media, MediaSettings};
use call::{Switchboard, SwitchboardParts};
use desk::{Desk, Who};
use flow::AssistantScript;
use jiff::{SignedDuration, Timestamp};
use jobs::{Jobs, Pace};
use reader::Reader;
use records::{Database, Records, SoleUse};
use resources::{Kind, Resources};
use speech::{EndOfTurn, EngineFiles, MoonshineTranscriber, Transcriber};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use turn::EndCallPhrases;

use crate::app::{self, App, HolderRate, Rates};
use crate::aside::{self, Missing, Opened};
use crate::casework;
use crate::changes;
use crate::chat_model::{Advisers, Configured};
use crate::connections::{self, Connections};
use crate::descriptors;
use crate::duty::DutyRoom;
use crate::helpline::HELPLINE;
use crate::identity_provider::IdentityProvider;
use crate::journal::RecordsJournal;
use crate::kept_beside;
use crate::lease::{self, LEASE};
use crate::lines::{ATTEMPT_WITHIN, Lines};
use crate::open_pages::Notifications;
use crate::rate::Rate;
use crate::recovery::{self, complete_left_behind};
use crate::rendering::{render_ahead, render_the_first};
use crate::report::mail::ReportMail;
use crate::retention;
use crate::settings::{self, Settings};
use crate::telemetry;
use crate::voices::Voices;
use crate::watched_ears;
use crate::watched_records::watched;
use crate::webhooks::{self, Webhooks};
use crate::written::queue::ExchangeQueue;
use crate::written::{WrittenConversations, exchange};

/// A network that is gone for ten seconds and comes back carries the call on as if nothing had been. A page that finds
/// its line lost earlier comes back by itself.
const MEDIA_LOST_AFTER: Duration = Duration::from_secs(15);
const SWEEP_EVERY: Duration = Duration::from_secs(5);
/// Whether the last live call has ended.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// For requests and writes still under way once every call has ended.
const LAST_WORK: Duration = Duration::from_secs(5);
/// From one address: a team that begins its night signs in from one, and a guesser is held back by each account's lock.
const SIGN_INS_PER_MINUTE: u32 = 30;
/// From one address.
const PAGE_FAULTS_PER_MINUTE: u32 = 30;
/// From one address. Each costs a look at the database.
const WRONG_TOKENS_PER_MINUTE: u32 = 30;
/// What was stored last is on its way to open pages for so long.
const TOLD_WITHIN: Duration = Duration::from_millis(300);

/// What it hears, speaks and reads with.
pub struct Engine {
    pub transcriber: Arc<dyn Transcriber>,
    pub voices: Voices,
    /// Where the wait is to fit the speaker, unless the model is missing.
    pub end_of_turn: Option<Arc<dyn EndOfTurn>>,
    pub reader: Arc<Reader>,
}

impl Engine {
    /// The embedded engine of these settings. Loading takes a second or two of a thread.
    pub async fn load(settings: &Settings) -> anyhow::Result<Self> {
        let files = EngineFiles::locate(&settings.engine_dir)?;
        if let Some(missing) = files.missing_fuller() {
            tracing::warn!(%missing, "everybody is heard by the quicker of the two models");
        }
        let pool = settings.transcribers;
        let transcriber =
            tokio::task::spawn_blocking(move || MoonshineTranscriber::load(&files, pool))
                .await
                .context("the speech engine stopped while loading")??;
        let (engines, voice) = (settings.engine_dir.clone(), settings.voice.clone());
        let script = script(settings);
        let runtime = tokio::runtime::Handle::current();
        let load = move || Voices::load(&engines, &voice, &script, &runtime);
        let voices = tokio::task::spawn_blocking(load)
            .await
            .context("the voice stopped while loading")??;
        Ok(Self {
            transcriber: Arc::new(transcriber),
            voices,
            end_of_turn: crate::end_of_turn::load(settings).await?,
            reader: crate::reading::load(settings).await?,
        })
    }
}

/// A server that takes calls until it is stopped.
pub struct Server {
    pub address: SocketAddr,
    app: App,
    serving: JoinHandle<()>,
    /// The lease, until it is let go of.
    keeping: JoinHandle<()>,
    letting_go: CancellationToken,
    /// The database, where it could not be opened.
    missing: Option<Missing>,
    /// Until everything is stored.
    _sole_use: Option<SoleUse>,
}

impl Server {
    pub async fn start(settings: Settings, engine: Engine) -> anyhow::Result<Self> {
        telemetry::metrics();
        let script = Arc::new(script(&settings));
        let reader = engine.reader;
        let chat_model = Configured::of(&settings, &script)?;
        // What an earlier run left is ended only by a server that can take calls: its ports are its own, and so is a
        // database in a file.
        let listener = TcpListener::bind(settings.listen).await.with_context(|| {
            format!(
                "cannot listen on {}: set `listen` to a free address",
                settings.listen
            )
        })?;
        let address = listener.local_addr()?;
        let media = Media::bind(MediaSettings {
            bind: settings.media.bind.clone(),
            port: settings.media.port,
            advertise: settings.media.advertise,
            setup_timeout: ATTEMPT_WITHIN,
            media_timeout: MEDIA_LOST_AFTER,
        })
        .await?;
        if settings.records_keys.is_empty() {
            tracing::warn!(
                "records are stored unencrypted: make a key with `nightlight new-records-key`, and set records_keys_file"
            );
        }
        let Opened {
            records,
            database,
            sole_use,
            missing,
        } = aside::open(&settings).await?;
        let desk = Desk::on(&database, settings.desk_sessions);
        let resources = Resources::on(&database);
        let (records, storage) = watched(records, missing.is_some());
        let identity_provider = settings.identity_provider.clone();
        let identity_provider = identity_provider.map(IdentityProvider::new).transpose()?;
        let identity_provider = identity_provider.map(Arc::new);
        let mailing = match &missing {
            None => mailing(&settings, &database, &records, &desk).await?,
            // The night's numbers are in the database.
            Some(_) => None,
        };
        let idle_after = settings.written.idle_after;
        let name = settings.node_name.as_deref();
        records.hold(LEASE, name).await?;
        if missing.is_none() {
            aside::take_in_what_is_left(&settings, &records).await;
        }
        let left = complete_left_behind(&records, &script, idle_after).await?;

        let tasks = TaskTracker::new();
        let (stopping, stopped) = (CancellationToken::new(), CancellationToken::new());
        // Before anything of this server is stored.
        let changes = records.changes().await?;
        let journal = Arc::new(RecordsJournal::new(
            records.clone(),
            tasks.clone(),
            stopping.clone(),
            stopped.clone(),
            chat_model.clone(),
        ));
        let webhooks = Webhooks::new(webhooks::Parts {
            records: records.clone(),
            resources: resources.clone(),
            database,
            own: settings.message_server.clone(),
            script: Arc::clone(&script),
            tasks: tasks.clone(),
            stopping: stopping.clone(),
            stopped: stopped.clone(),
        })?;
        let webhooks = Arc::new(webhooks);
        let advisers = Advisers {
            model: chat_model.clone(),
            webhooks: Arc::clone(&webhooks),
        };
        let always_said = call::fixed_sentences(&script);
        for voice in &engine.voices.rendered {
            render_the_first(voice, &always_said).await;
        }
        let (transcriber, ears) = watched_ears::watched(engine.transcriber);
        let first_voice = engine.voices.in_order.first().cloned();
        let first_voice = first_voice.context("there is no voice: run `make setup`")?;
        let duty = Arc::new(DutyRoom::new(settings.wrap_up));
        let switchboard = Switchboard::open(SwitchboardParts {
            transcriber,
            voices: engine.voices.in_order,
            end_of_turn: engine.end_of_turn,
            script: Arc::clone(&script),
            reader: Arc::clone(&reader),
            plan: plan(&settings.plan),
            end_call_phrases: EndCallPhrases::new(&HELPLINE.end_call_phrases),
            authorities: HELPLINE.authorities.clone(),
            journal: Arc::clone(&journal) as _,
            chat_model: Some(Arc::new(advisers) as _),
            desk: Some(Arc::clone(&duty) as _),
            answered_within: settings.officers_answer_within,
            max_calls: settings.max_calls,
            return_within: settings.return_within,
        })
        .await
        .context("the voice cannot speak")?;
        duty.serves(&switchboard);
        let max_connections = connections_for(&settings);
        tracing::info!(
            %address,
            media = ?media.addresses(),
            max_calls = settings.max_calls,
            max_connections,
            open_files = descriptors::limit(),
            chat_model = chat_model.is_some(),
            trained_reader = reader.is_whole(),
            completed = left.completed,
            going_on = left.going_on,
            cut_off = left.cut_off,
            "taking calls"
        );
        let written = Arc::new(WrittenConversations::new(settings.written.most, idle_after));
        let rates = Arc::new(Rates {
            calls: rate(&settings.rates.calls),
            messages: rate(&settings.rates.messages),
            reads: rate(&settings.rates.reads),
            reads_by_key: Rate::per_minute(settings.rates.reads.of_one_address),
            sign_ins: Rate::per_minute(SIGN_INS_PER_MINUTE),
            page_faults: Rate::per_minute(PAGE_FAULTS_PER_MINUTE),
            wrong_tokens: Rate::per_minute(WRONG_TOKENS_PER_MINUTE),
        });
        for voice in engine.voices.rendered {
            let switchboard = Arc::clone(&switchboard);
            tasks.spawn(render_ahead(
                voice,
                always_said.clone(),
                move || switchboard.live_calls() > 0,
                stopping.clone(),
            ));
        }
        let app = App {
            settings: Arc::new(settings),
            script,
            reader,
            records,
            storage,
            ears,
            ends: Arc::default(),
            started_at: Timestamp::now(),
            journal,
            asked: Arc::default(),
            notifications: Notifications::default(),
            switchboard,
            webhooks,
            resources,
            desk,
            identity_provider,
            duty,
            case_bell: Arc::default(),
            queue_views: Arc::default(),
            voice: Arc::new(engine.voices.best),
            first_voice,
            installed_voices: Arc::new(engine.voices.installed),
            lines: Arc::new(Lines::default()),
            lease: Arc::default(),
            chat_model,
            written,
            exchanges: ExchangeQueue::of_this_machine(),
            trials: Arc::default(),
            rates,
            media,
            leaving: CancellationToken::new(),
            stopping,
            stopped: stopped.clone(),
            tasks,
        };
        if app.settings.webhook_secret.is_none() {
            tracing::info!(
                "webhook_secret is not set: /api/webHook answers questions and records no calls"
            );
        }
        let letting_go = CancellationToken::new();
        let keeping = tokio::spawn({
            let (records, lease) = (app.records.clone(), Arc::clone(&app.lease));
            let (name, letting_go) = (app.settings.node_name.clone(), letting_go.clone());
            async move { lease::keep(records, &lease, name.as_deref(), letting_go).await }
        });
        app.tasks.spawn(sweep(app.clone()));
        // Until the streams end: those of calls that are drained are told too.
        tokio::spawn(changes::pass_on(app.clone(), changes));
        app.tasks.spawn(forget(app.clone()));
        app.tasks.spawn(casework::keep(app.clone()));
        app.tasks.spawn(Arc::clone(&app.webhooks).run());
        if let Some((report, jobs)) = mailing {
            let stopping = app.stopping.clone();
            app.tasks.spawn(report.run(jobs, Pace::USUAL, stopping));
        }
        let serving = tokio::spawn(connections::serve(
            listener,
            app::router(app.clone()),
            Connections::new(max_connections),
            app.settings.trusted_proxies.clone(),
            stopped,
        ));
        Ok(Self {
            address,
            app,
            serving,
            keeping,
            letting_go,
            missing,
            _sole_use: sole_use,
        })
    }

    /// Until a database that could not be opened at the start can be, and nobody is on a call: a start takes in then what was kept
    /// aside meanwhile. Never, where it was opened.
    pub async fn is_better_started_again(&self) {
        match &self.missing {
            Some(missing) => missing.until_it_opens().await,
            None => std::future::pending().await,
        }
        until_no_call_is_left(&self.app).await;
    }

    /// Admits nobody new, lets live calls go on for a while, lets those left say whom to ring and end, stores what is to
    /// be stored. Takes the two bounds and a few seconds at most.
    pub async fn stop(self) {
        let Self {
            app,
            mut serving,
            keeping,
            letting_go,
            missing,
            ..
        } = self;
        app.leaving.cancel();
        let live_calls = app.switchboard.live_calls();
        tracing::info!(live_calls, "stopping");
        let ended = until_no_call_is_left(&app);
        // Everything that a live call needs is there until then: its storage, and the way back to it.
        let _ = tokio::time::timeout(app.settings.finish, ended).await;
        app.stopping.cancel();
        app.switchboard.drain(app.settings.drain).await;
        // The ends of the calls are being stored; that is let finish before streams are closed.
        app.tasks.close();
        if tokio::time::timeout(LAST_WORK, app.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!(
                "some records are not stored yet; the next start, or another node, completes them"
            );
        }
        if live_calls > 0 {
            tokio::time::sleep(TOLD_WITHIN).await;
        }
        letting_go.cancel();
        let _ = tokio::time::timeout(LAST_WORK, keeping).await;
        app.stopped.cancel();
        if tokio::time::timeout(LAST_WORK, &mut serving).await.is_err() {
            serving.abort();
        }
        if let Some(missing) = missing {
            missing.hand_over(LAST_WORK).await;
        }
        tracing::info!("stopped");
    }
}

/// Live, or promised and about to be joined.
async fn until_no_call_is_left(app: &App) {
    while app.switchboard.live_calls() > 0 || app.lines.waiting() > 0 {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// The morning report by mail, where a mail server is set, and the queue that it goes by.
async fn mailing(
    settings: &Settings,
    database: &Database,
    records: &Records,
    desk: &Desk,
) -> anyhow::Result<Option<(Arc<ReportMail>, Jobs)>> {
    let Some(mail) = settings.mail.clone() else {
        return Ok(None);
    };
    let origin = settings.public_origin.as_deref();
    let origin = origin.context("mail leads to the desk: set public_origin")?;
    let report = ReportMail::new(records.clone(), desk.clone(), mail, origin)?;
    let jobs = Jobs::open(database).await?;
    Ok(Some((Arc::new(report), jobs)))
}

/// How many connections there may be; says so where they are too few for the calls.
fn connections_for(settings: &Settings) -> usize {
    let open_files = descriptors::limit();
    let max_connections = descriptors::connections(settings.max_connections, open_files);
    let wanted = settings.max_connections.unwrap_or(0);
    if max_connections < wanted.max(settings.max_calls + descriptors::BESIDE_CALLS) {
        tracing::warn!(
            max_connections,
            open_files,
            max_calls = settings.max_calls,
            "too few connections for the calls, or fewer than were asked for: raise max_connections, \
             and the limit of open files (LimitNOFILE, ulimit -n)"
        );
    }
    max_connections
}

fn rate(settings: &settings::HolderRate) -> HolderRate {
    HolderRate {
        of_visitors: Rate::per_minute(settings.of_one_visitor),
        of_addresses: Rate::per_minute(settings.of_one_address),
    }
}

/// The helpline's script under its configured name.
pub fn script(settings: &Settings) -> AssistantScript {
    HELPLINE.script(&settings.assistant_name)
}

/// Turn-taking as set; everything else as the floor has it.
pub fn plan(settings: &settings::Plan) -> turn::Plan {
    turn::Plan {
        // A reply is due by its first sound, not by its first packet.
        start_wait: settings.start_wait.fixed.saturating_sub(speech::LEAD_IN),
        adaptive_wait: adaptive_wait(&settings.start_wait),
        stop_words: settings.stop_words,
        silence_timeout: settings.silence_timeout,
        check_in_after: settings.check_in,
        max_duration: settings.max_duration,
        assistant_speaks_first: settings.assistant_speaks_first,
        ..turn::Plan::default()
    }
}

fn adaptive_wait(settings: &settings::StartWait) -> Option<turn::AdaptiveWait> {
    let bounds = settings.adaptive.as_ref()?;
    Some(turn::AdaptiveWait {
        least: bounds.least,
        most: bounds.most,
        ..turn::AdaptiveWait::default()
    })
}

/// Deletes what is past its time, until the server stops.
async fn forget(app: App) {
    let time = SignedDuration::try_from(app.settings.records_kept)
        .expect("the longest time that can be set is ten years");
    let purge = |past, most| {
        let app = app.clone();
        async move {
            let purged = app.records.purge(past, most).await?;
            // What a program says was said before can be a caller's words; the others are of calls that are past their time.
            for kind in [
                Kind::Session,
                Kind::EvalRun,
                Kind::TestSuiteRun,
                Kind::Delivery,
                Kind::CallSteps,
            ] {
                app.resources.forget(kind, past.ended_before).await?;
            }
            if let Err(error) = kept_beside::forget(&app.resources, &purged.cases).await {
                tracing::error!(%error, "of cases whose records were deleted something is left beside them; it goes at its own time");
            }
            retention::note(&app.desk, Who::Server, &purged.cases).await;
            Ok(purged)
        }
    };
    retention::keep_for(time, purge, app.stopping.clone()).await;
}

async fn sweep(app: App) {
    let mut ticks = tokio::time::interval(SWEEP_EVERY);
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                app.lines.sweep(Instant::now());
                exchange::end_the_idle(&app);
                // What is measured is put together here too, not only when somebody asks.
                telemetry::metrics().run_upkeep();
                recovery::give_up(&app).await;
            }
            () = app.stopping.cancelled() => return,
        }
    }
}
