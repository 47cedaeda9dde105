//! Which voices this process speaks with: one made elsewhere if it is set, the one of this machine that was asked for,
//! a lighter one for when they have no room, and flite, which always works. A helpline that sounds worse still answers.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use engines::{Runtime, Threads, in_checkout};
use flow::AssistantScript;
use remote_voice::{RemoteSettings, RemoteVoice};
use sha2::{Digest, Sha256};
use speech::{FliteVoice, KokoroSpeaker, NeuralVoice, Packs, RenderedVoice, Voice};
use tokio::runtime::Handle;

use crate::settings::{self, VoiceName};
use crate::standby_voice::Standby;

/// The last resort.
const ALWAYS: &str = "slt";
/// In the program itself.
const FLITES: [&str; 4] = ["slt", "rms", "awb", "kal"];
/// Of these, those that are understood best.
const FLITES_OF_CALLERS: [&str; 2] = ["rms", "slt"];
/// What the natural voice needs besides all else.
const NEEDED_MEMORY: u64 = 600 << 20;

/// The voices of calls, the best first; at least one.
pub struct Voices {
    pub in_order: Vec<Arc<dyn Voice>>,
    /// The first of them: not always the one that was asked for.
    pub best: VoiceName,
    /// Those whose fixed sentences can be made ahead.
    pub rendered: Vec<Arc<RenderedVoice>>,
    /// All that are loaded, and those that take nothing to be: a call may be asked for with any of them.
    pub installed: InstalledVoices,
}

/// The voices that calls may be asked for with, by name.
#[derive(Default)]
pub struct InstalledVoices(Vec<(VoiceName, Arc<dyn Voice>)>);

impl InstalledVoices {
    /// Those that take nothing to be loaded.
    pub fn of_the_program() -> Self {
        let mut installed = Self::default();
        for name in FLITES {
            if let Ok(voice) = FliteVoice::named(name) {
                installed.add(VoiceName::Flite(name.to_owned()), Arc::new(voice));
            }
        }
        installed
    }

    /// The one of this id, where no other provider's is meant.
    pub fn named(&self, provider: Option<&str>, id: &str) -> Option<&(VoiceName, Arc<dyn Voice>)> {
        let is_meant = |name: &VoiceName| {
            name.as_str() == id && provider.is_none_or(|provider| provider == name.provider())
        };
        self.0.iter().find(|(name, _)| is_meant(name))
    }

    /// One for a made-up caller: another than the assistant's. It takes no more than the program itself, and goes nowhere.
    pub fn of_who_talks_to(&self, assistants: &VoiceName) -> Option<&Arc<dyn Voice>> {
        let others = FLITES_OF_CALLERS.map(|name| VoiceName::Flite(name.to_owned()));
        let mut others = others.iter().filter(|name| *name != assistants);
        others.find_map(|other| {
            let found = self.0.iter().find(|(name, _)| name == other);
            found.map(|(_, voice)| voice)
        })
    }

    /// As `provider/voiceId`, with commas between.
    pub fn names(&self) -> String {
        let names = self
            .0
            .iter()
            .map(|(name, _)| format!("{}/{}", name.provider(), name.as_str()));
        names.collect::<Vec<_>>().join(", ")
    }

    fn add(&mut self, name: VoiceName, voice: Arc<dyn Voice>) {
        if !self.0.iter().any(|(known, _)| *known == name) {
            self.0.push((name, voice));
        }
    }
}

impl Voices {
    /// Loads them; takes a second or two of a thread. The one made elsewhere does its work on `runtime`.
    pub fn load(
        engines: &Path,
        voice: &settings::Voice,
        script: &AssistantScript,
        runtime: &Handle,
    ) -> anyhow::Result<Self> {
        let always = VoiceName::Flite(ALWAYS.to_owned());
        let mut voices = Self {
            in_order: Vec::new(),
            best: always.clone(),
            rendered: Vec::new(),
            installed: InstalledVoices::default(),
        };
        if let Some(settings) = &voice.remote {
            match remote(settings, voice, runtime.clone()) {
                Ok(made_elsewhere) => {
                    // It may be gone at any moment: then what is always said must be here.
                    let kept = call::fixed_sentences(script);
                    voices.best = VoiceName::Elsewhere(settings.voice.clone());
                    voices.add_rendered(made_elsewhere.only_with(kept));
                    let voice = voices.in_order.last().cloned();
                    if let Some(voice) = voice {
                        voices.installed.add(voices.best.clone(), voice);
                    }
                }
                Err(error) => tracing::error!(
                    error = format!("{error:#}"),
                    "the voice at tts_url cannot be had, callers hear one of this machine"
                ),
            }
        }
        let mut wanted: Vec<&VoiceName> = Vec::new();
        for name in [&voice.name, &voice.lighter, &always] {
            if !wanted.contains(&name) {
                wanted.push(name);
            }
        }
        for name in wanted {
            if let Err(error) = voices.add(name, engines, voice) {
                tracing::error!(
                    voice = name.as_str(),
                    error = format!("{error:#}"),
                    "this voice cannot be had, callers hear a lighter one"
                );
            }
            // What always works needs nothing behind it.
            if matches!(name, VoiceName::Flite(_)) && voices.some_of_this_machine() {
                break;
            }
        }
        anyhow::ensure!(
            voices.some_of_this_machine(),
            "there is no voice: run `make setup`"
        );
        for (name, voice) in InstalledVoices::of_the_program().0 {
            voices.installed.add(name, voice);
        }
        Ok(voices)
    }

    /// Whether there is a voice beside the one made elsewhere.
    fn some_of_this_machine(&self) -> bool {
        let elsewhere = self.rendered.iter().filter(|voice| !voice.works_here());
        self.in_order.len() > elsewhere.count()
    }

    fn add_rendered(&mut self, voice: RenderedVoice) {
        let voice = Arc::new(voice);
        self.rendered.push(Arc::clone(&voice));
        self.in_order.push(voice);
    }

    fn add(
        &mut self,
        name: &VoiceName,
        engines: &Path,
        voice: &settings::Voice,
    ) -> anyhow::Result<()> {
        let threads = Threads(voice.threads);
        let added: Arc<dyn Voice> = match name {
            VoiceName::Kokoro(speaker) => {
                let rendered = Arc::new(kokoro(*speaker, engines, voice)?);
                self.rendered.push(Arc::clone(&rendered));
                rendered
            }
            VoiceName::Joe => {
                let (engines, runtime) = (engines.to_owned(), Runtime::load(engines)?);
                let load = move || NeuralVoice::piper(&engines, &runtime, threads);
                match self.in_order.is_empty() {
                    true => Arc::new(load()?),
                    false => Arc::new(Standby::of(load)),
                }
            }
            VoiceName::Flite(name) => Arc::new(FliteVoice::named(name)?),
            VoiceName::Elsewhere(_) => anyhow::bail!("it is not of this machine"),
        };
        if self.in_order.is_empty() {
            self.best = name.clone();
        }
        self.installed.add(name.clone(), Arc::clone(&added));
        self.in_order.push(added);
        Ok(())
    }
}

/// Those that this machine could speak with, and the one made elsewhere. Looks at files; reads none.
pub fn installed(engines: &Path, voice: &settings::Voice) -> Vec<VoiceName> {
    let of_kokoro = voice.kokoro_dir.as_deref().unwrap_or(engines);
    let mut installed = VoiceName::all_of_this_machine();
    installed.retain(|name| match name {
        VoiceName::Kokoro(speaker) => speaker.is_fetched(of_kokoro),
        VoiceName::Joe => NeuralVoice::piper_is_fetched(engines),
        VoiceName::Flite(_) => true,
        VoiceName::Elsewhere(_) => false,
    });
    let elsewhere = voice.remote.as_ref();
    installed.extend(elsewhere.map(|it| VoiceName::Elsewhere(it.voice.clone())));
    installed
}

/// Kokoro with its sentences.
pub fn kokoro(
    speaker: KokoroSpeaker,
    engines: &Path,
    voice: &settings::Voice,
) -> anyhow::Result<RenderedVoice> {
    if let Some(free) = free_memory().filter(|free| *free < NEEDED_MEMORY) {
        anyhow::bail!(
            "{} MB of memory are free, and the natural voice needs {}: close something, or set `voice` to joe or slt",
            free >> 20,
            NEEDED_MEMORY >> 20
        );
    }
    let runtime = Runtime::load(engines)?;
    let model = voice.kokoro_dir.as_deref().unwrap_or(engines);
    let natural = NeuralVoice::kokoro(model, &runtime, speaker, Threads(voice.threads))?;
    let packs = Packs {
        shipped: in_checkout(&voice.rendered_dir).join(pack_name(speaker)),
        own: voice.voices_dir.join(pack_name(speaker)),
    };
    RenderedVoice::open(natural, &packs).context("the rendered sentences cannot be used")
}

/// The voice at `tts_url`, with its sentences.
pub fn remote(
    settings: &RemoteSettings,
    voice: &settings::Voice,
    runtime: Handle,
) -> anyhow::Result<RenderedVoice> {
    let digest = Sha256::digest(settings.identity());
    let digits: String = digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let file = format!("remote-{digits}.pack");
    let packs = Packs {
        shipped: in_checkout(&voice.rendered_dir).join(&file),
        own: voice.voices_dir.join(&file),
    };
    let made_elsewhere = RemoteVoice::new(settings.clone(), runtime)?;
    RenderedVoice::open(made_elsewhere, &packs).context("the rendered sentences cannot be used")
}

/// The file of a speaker's renderings.
pub fn pack_name(speaker: KokoroSpeaker) -> String {
    format!("{}.pack", speaker.name())
}

/// What the system could give, in bytes; None where it does not say.
fn free_memory() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::settings::Settings;

    #[test]
    fn where_the_wanted_voice_cannot_be_had_the_one_that_answers_is_named() {
        let nothing_fetched = tempfile::tempdir().unwrap();
        let settings = Settings::from_sources(Some("voice = 'af_heart'"), []).unwrap();
        let voices = {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            let script = AssistantScript::built_in();
            Voices::load(
                nothing_fetched.path(),
                &settings.voice,
                &script,
                runtime.handle(),
            )
            .unwrap()
        };
        assert_eq!(voices.best.as_str(), "slt");
        assert_eq!(voices.in_order.len(), 1);
        let installed = |provider, id| voices.installed.named(provider, id).is_some();
        assert!(installed(None, "rms") && installed(Some("flite"), "slt"));
        assert!(!installed(Some("11labs"), "slt") && !installed(None, "burt"));
        assert!(!installed(Some("kokoro"), "af_heart"), "it was not fetched");
    }

    #[test]
    fn a_made_up_caller_has_another_voice_than_the_assistant() {
        let installed = InstalledVoices::of_the_program();
        for (assistants, callers) in [("slt", "rms"), ("rms", "slt"), ("awb", "rms")] {
            let assistants = VoiceName::Flite(assistants.to_owned());
            let voice = installed.of_who_talks_to(&assistants).unwrap();
            let (_, expected) = installed.named(Some("flite"), callers).unwrap();
            assert!(Arc::ptr_eq(voice, expected), "{callers}");
        }
    }
}
