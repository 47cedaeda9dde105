//! Who on a call hears whom, frame by frame, and what becomes of an officer's line.

use async_trait::async_trait;

use super::*;
use crate::media::CloseReason;

/// A line that hands on what it is sent, and from which nothing comes.
struct Silent(mpsc::UnboundedSender<AudioFrame>);

#[async_trait]
impl Transport for Silent {
    async fn next(&mut self) -> FromCaller {
        std::future::pending().await
    }

    fn send_audio(&mut self, frame: &AudioFrame) {
        let _ = self.0.send(*frame);
    }

    fn send_packet(&mut self, _packet: &[u8]) {}

    fn send_message(&mut self, _text: &str) {}

    async fn close(&mut self) {}
}

const A: OfficerId = OfficerId(Uuid::from_u128(1));
const B: OfficerId = OfficerId(Uuid::from_u128(2));

fn frame(level: i16) -> AudioFrame {
    [level; FRAME_SAMPLES]
}

/// Two officers with these parts, and what each is sent.
fn two(parts: [Part; 2]) -> (Legs, [mpsc::UnboundedReceiver<AudioFrame>; 2]) {
    let mut legs = Legs::new(Plan::default());
    let lines = [(A, parts[0]), (B, parts[1])].map(|(officer, part)| {
        let (sent, line) = mpsc::unbounded_channel();
        let _ = legs.add(officer, part, Box::new(Silent(sent)));
        line
    });
    (legs, lines)
}

/// The caller says 1, the assistant 10, A 100 and B 1000: what the caller, A and B hear.
async fn heard_by_each(parts: [Part; 2]) -> [i16; 3] {
    let (mut legs, mut lines) = two(parts);
    let mut for_the_caller = 0;
    for _ in 0..4 {
        legs.hear_caller(&frame(1));
        legs.hear(A, &frame(100), Duration::ZERO, |_| {});
        legs.hear(B, &frame(1_000), Duration::ZERO, |_| {});
        let exchanged = legs.exchange(FromAssistant::Frame(&frame(10)));
        for_the_caller = exchanged.for_the_caller[0];
    }
    let mut last = [0; 2];
    for (line, last) in lines.iter_mut().zip(&mut last) {
        for _ in 0..4 {
            *last = line.recv().await.expect("a frame a beat")[0];
        }
    }
    [for_the_caller, last[0], last[1]]
}

#[tokio::test]
async fn everybody_gets_the_sum_of_those_they_hear_and_never_themselves() {
    let both = heard_by_each([Part::Officer, Part::Officer]).await;
    assert_eq!(both, [1_110, 1_011, 111]);
    let briefed = heard_by_each([Part::Officer, Part::Briefed]).await;
    assert_eq!(briefed, [110, 11, 0]);
    let coached = heard_by_each([Part::Officer, Part::Coach]).await;
    assert_eq!(coached, [110, 1_011, 111]);
    let listened = heard_by_each([Part::Listener, Part::Officer]).await;
    assert_eq!(listened, [1_010, 1_011, 11]);
}

#[tokio::test]
async fn on_hold_the_caller_hears_the_assistant_and_officers_each_other() {
    let (mut legs, mut lines) = two([Part::Officer, Part::Coach]);
    let mut beat = async |legs: &mut Legs| {
        let (mut for_the_caller, mut heard) = (0, [0; 2]);
        for _ in 0..4 {
            legs.hear_caller(&frame(1));
            legs.hear(A, &frame(100), Duration::ZERO, |_| {});
            legs.hear(B, &frame(1_000), Duration::ZERO, |_| {});
            for_the_caller = legs
                .exchange(FromAssistant::Frame(&frame(10)))
                .for_the_caller[0];
            for (line, heard) in lines.iter_mut().zip(&mut heard) {
                *heard = line.recv().await.expect("a frame a beat")[0];
            }
        }
        [for_the_caller, heard[0], heard[1]]
    };
    assert_eq!(beat(&mut legs).await, [110, 1_011, 111]);
    legs.put_caller_on_hold();
    assert_eq!(beat(&mut legs).await, [10, 1_010, 110]);
    legs.take_caller_off_hold();
    assert_eq!(beat(&mut legs).await, [110, 1_011, 111]);
}

#[tokio::test]
async fn what_was_said_aside_does_not_reach_the_caller_late() {
    let (mut legs, _lines) = two([Part::Officer, Part::Officer]);
    legs.put_caller_on_hold();
    for _ in 0..4 {
        legs.hear(A, &frame(100), Duration::ZERO, |_| {});
    }
    legs.take_caller_off_hold();
    for _ in 0..4 {
        let exchanged = legs.exchange(FromAssistant::Nothing);
        assert_eq!(exchanged.for_the_caller[0], 0);
    }
}

#[tokio::test]
async fn who_is_muted_is_heard_by_nobody() {
    let (mut legs, _lines) = two([Part::Officer, Part::Officer]);
    let _ = legs.mute(A, true);
    for _ in 0..4 {
        legs.hear(A, &frame(100), Duration::ZERO, |_| {});
        let exchanged = legs.exchange(FromAssistant::Nothing);
        assert_eq!(exchanged.for_the_caller[0], 0);
    }
}

/// A line that is gone at once.
struct Gone;

#[async_trait]
impl Transport for Gone {
    async fn next(&mut self) -> FromCaller {
        FromCaller::Closed(CloseReason::MediaLost)
    }

    fn send_audio(&mut self, _frame: &AudioFrame) {}

    fn send_packet(&mut self, _packet: &[u8]) {}

    fn send_message(&mut self, _text: &str) {}

    async fn close(&mut self) {}
}

#[tokio::test]
async fn an_older_line_of_the_same_officer_gives_way_and_its_end_is_not_theirs() {
    let mut legs = Legs::new(Plan::default());
    let _ = legs.add(A, Part::Briefed, Box::new(Gone));
    // It has told of its end by now, and another line of theirs is there.
    tokio::task::yield_now().await;
    let (sent, _line) = mpsc::unbounded_channel();
    let _ = legs.add(A, Part::Officer, Box::new(Silent(sent)));
    let next = futures_util::FutureExt::now_or_never(legs.next());
    assert!(
        next.is_none(),
        "what the first line told is of no use any more"
    );
    assert_eq!(legs.part_of(A), Some(Part::Officer));
}
