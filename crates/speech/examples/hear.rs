#![allow(clippy::unwrap_used)]
use speech::*;
fn frac(x: &[i16]) -> String {
    let mut d = VoiceDetector::new();
    let v: Vec<bool> = x
        .chunks_exact(256)
        .map(|c| d.is_voice(c.try_into().unwrap()))
        .collect();
    let n = v.iter().filter(|b| **b).count();
    let mut run = 0;
    let mut best = 0;
    for b in &v {
        if *b {
            run += 1;
            best = best.max(run)
        } else {
            run = 0
        }
    }
    format!("{:.2} longest {} ms", n as f32 / v.len() as f32, best * 16)
}
fn rms(x: &[i16]) -> f32 {
    (x.iter().map(|s| f32::from(*s).powi(2)).sum::<f32>() / x.len() as f32).sqrt()
}
fn sox(args: &[&str]) -> Vec<i16> {
    let o = std::process::Command::new("sox")
        .args([
            "-n", "-r", "16000", "-t", "raw", "-e", "signed", "-b", "16", "-c", "1", "-", "synth",
            "5",
        ])
        .args(args)
        .output()
        .unwrap();
    assert!(o.status.success(), "{}", String::from_utf8_lossy(&o.stderr));
    o.stdout
        .chunks_exact(2)
        .map(|c| i16::from_le_bytes([c[0], c[1]]))
        .collect()
}
#[tokio::main]
async fn main() {
    println!("silence {}", frac(&[0; 80000]));
    for v in ["0.001", "0.01", "0.1", "0.5"] {
        for (k, f) in [
            ("sine", "50"),
            ("sine", "100"),
            ("sine", "440"),
            ("sine", "1000"),
            ("square", "100"),
            ("sawtooth", "120"),
            ("whitenoise", ""),
            ("pinknoise", ""),
            ("brownnoise", ""),
        ] {
            let mut a = vec![k];
            if !f.is_empty() {
                a.push(f);
            }
            a.extend(["vol", v]);
            let x = sox(&a);
            println!("{k} {f} vol {v} rms {:.0}: {}", rms(&x), frac(&x));
        }
    }
    let x = sox(&["sine", "440", "sine", "480", "remix", "-", "vol", "0.3"]);
    println!("ringback {}", frac(&x));
    for voice in ["slt", "rms", "awb", "kal"] {
        let s = FliteVoice::named(voice)
            .unwrap()
            .speak(Secret::new(
                "My husband hit me and I am hiding in the bathroom. Please help me.".into(),
            ))
            .collect()
            .await
            .unwrap();
        for g in [1.0, 0.3, 0.1, 0.03, 0.01, 0.003] {
            let x: Vec<i16> = s.iter().map(|a| (f32::from(*a) * g) as i16).collect();
            let mut padded = vec![0; 16000];
            padded.extend(&x);
            println!(
                "speech {voice} gain {g} rms {:.0}: {}",
                rms(&x),
                frac(&padded)
            );
        }
    }
}
