//! Evidence on disk: what was heard as WAV and what happened as JSON lines, one of each a call.

use std::path::Path;

use serde_json::Value;

#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    #[error("cannot write recordings to the directory given with --record ({0})")]
    Directory(#[from] std::io::Error),
    #[error("cannot write a recording ({0})")]
    Wav(#[from] hound::Error),
}

/// Writes `call-NN.wav` and `call-NN.jsonl`; both run on the call's clock.
pub fn write(
    directory: &Path,
    call: usize,
    heard: &[i16],
    timeline: &[Value],
) -> Result<(), RecordingError> {
    std::fs::create_dir_all(directory)?;
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut wav = hound::WavWriter::create(directory.join(format!("call-{call:02}.wav")), spec)?;
    for &sample in heard {
        wav.write_sample(sample)?;
    }
    wav.finalize()?;
    let lines: String = timeline.iter().map(|event| format!("{event}\n")).collect();
    std::fs::write(directory.join(format!("call-{call:02}.jsonl")), lines)?;
    Ok(())
}
