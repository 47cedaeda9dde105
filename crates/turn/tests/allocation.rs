//! A frame comes 62 times a second and call: taking one in costs no memory.
//!
//! Alone in its file because the allocator that counts is the whole program's.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::Duration;

use turn::{AdaptiveWait, Command, Event, Floor, Plan, VOICE_FRAME};

/// The system's allocator, counting what this thread asks for.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is handed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Takes in voiced or unvoiced frames and gives how many allocations that made.
fn take_frames(floor: &mut Floor, now: &mut Duration, voiced: bool, count: u32) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    for _ in 0..count {
        *now += VOICE_FRAME;
        floor.handle(Event::VoiceFrame { voiced }, *now);
        while let Some(command) = floor.poll_command() {
            std::hint::black_box::<Command>(command);
        }
        std::hint::black_box(floor.poll_deadline());
    }
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn taking_in_a_frame_allocates_nothing() {
    take_frames_of_a_call(Plan::default());
    take_frames_of_a_call(Plan {
        adaptive_wait: Some(AdaptiveWait::default()),
        ..Plan::default()
    });
}

fn take_frames_of_a_call(plan: Plan) {
    let mut floor = Floor::new(plan);
    let mut now = Duration::ZERO;
    floor.handle(Event::CallConnected, now);
    floor.handle(Event::PlayoutStarted, now);

    // Over the assistant: silence, an onset, an overlap with a pause, its end.
    assert_eq!(take_frames(&mut floor, &mut now, false, 100), 0);
    assert_eq!(take_frames(&mut floor, &mut now, true, 100), 0);
    assert_eq!(take_frames(&mut floor, &mut now, false, 100), 0);

    // With the floor: silence, speech in pieces.
    floor.handle(Event::PlayoutFinished, now);
    assert_eq!(take_frames(&mut floor, &mut now, true, 2000), 0);
}
