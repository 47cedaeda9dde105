#![allow(clippy::unwrap_used)]
use speech::*;
fn espeak(voice: &str, speed: &str, text: &str) -> Vec<i16> {
    let out = std::process::Command::new("espeak-ng")
        .args(["-v", voice, "-s", speed, "--stdout", text])
        .output()
        .unwrap()
        .stdout;
    let f = std::env::temp_dir().join(format!("e{}.wav", std::process::id()));
    std::fs::write(&f, out).unwrap();
    let o = std::process::Command::new("sox")
        .arg(&f)
        .args([
            "-r", "16000", "-t", "raw", "-e", "signed", "-b", "16", "-c", "1", "-",
        ])
        .output()
        .unwrap()
        .stdout;
    o.chunks_exact(2)
        .map(|c| i16::from_le_bytes([c[0], c[1]]))
        .collect()
}
fn norm(s: &str) -> Vec<String> {
    s.to_lowercase()
        .replace(['\'', '’'], "")
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_owned)
        .collect()
}
fn dist(a: &[String], b: &[String]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut prev = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cur = row[j + 1];
            row[j + 1] = (prev + usize::from(x != y)).min(cur + 1).min(row[j] + 1);
            prev = cur;
        }
    }
    row[b.len()]
}
fn noise(n: usize, amp: i32, seed: &mut u32) -> Vec<i16> {
    (0..n)
        .map(|_| {
            *seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            if amp == 0 {
                0
            } else {
                ((*seed >> 16) as i32 % (2 * amp + 1) - amp) as i16
            }
        })
        .collect()
}
#[tokio::main]
async fn main() {
    let m = MoonshineTranscriber::load(&EngineFiles::find().unwrap(), 1).unwrap();
    let short = [
        "yes",
        "no",
        "yeah",
        "nope",
        "okay",
        "help",
        "no, I'm not",
        "yes please",
        "he hit me",
        "I'm scared",
    ];
    let long = [
        "My husband hit me and I am hiding in the bathroom.",
        "I don't want to live any more.",
        "Is there somewhere safe I can stay tonight?",
        "He said he would kill me if I left.",
    ];
    let mut clips = vec![];
    for (set, is_short) in [(&short[..], true), (&long[..], false)] {
        for s in set {
            for v in ["slt", "rms", "awb", "kal"] {
                for pace in [1.0, 1.25] {
                    clips.push((
                        is_short,
                        *s,
                        FliteVoice::named(v)
                            .unwrap()
                            .at_pace(pace)
                            .speak(Secret::new(s.to_string()))
                            .collect()
                            .await
                            .unwrap(),
                    ));
                }
            }
            for v in ["en-gb", "en-us+f3", "en-gb-scotland+m2"] {
                for sp in ["150", "200"] {
                    clips.push((is_short, *s, espeak(v, sp, s)));
                }
            }
        }
    }
    for c in &mut clips {
        let b = c.2.iter().position(|x| x.unsigned_abs() > 200).unwrap_or(0);
        let e =
            c.2.iter()
                .rposition(|x| x.unsigned_abs() > 200)
                .unwrap_or(c.2.len());
        c.2 = c.2[b..e].to_vec();
    }

    for (lead, trail) in [
        (100, 200),
        (100, 500),
        (100, 800),
        (200, 500),
        (200, 800),
        (300, 500),
        (300, 800),
        (300, 1200),
        (500, 800),
    ] {
        let (mut es, mut ns, mut el, mut nl) = (0, 0, 0, 0);
        let mut flips = vec![];
        let t = std::time::Instant::now();
        for (is_short, text, clip) in &clips {
            let mut seed = 9;
            let mut x = vec![0; lead * 16];
            x.extend(noise(300 * 16, 12, &mut seed));
            x.extend(clip);
            x.extend(noise(250 * 16, 12, &mut seed));
            x.extend(vec![0; trail * 16]);
            let w = m.transcribe(x.into()).await.unwrap();
            let (r, h) = (norm(text), norm(w.expose_secret()));
            let d = dist(&r, &h);
            if *is_short {
                es += d;
                ns += r.len();
            } else {
                el += d;
                nl += r.len();
            }
            if (*text == "yes" || *text == "no" || *text == "yeah") && d > 0 {
                flips.push(format!("{text}:{}", w.expose_secret()));
            }
        }
        println!(
            "natural + {lead}/{trail}: short {:.3} long {:.3} {:.1}s yes/no/yeah {}/42 {flips:?}",
            es as f32 / ns as f32,
            el as f32 / nl as f32,
            t.elapsed().as_secs_f32(),
            flips.len()
        );
    }
}
