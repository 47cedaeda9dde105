//! What a trace tells of a call: which piece of work began and ended when, for whoever tunes the line.
//!
//! A call's trace bears the call's own id, so that whatever is done for it is found together: by whichever process, before
//! and after it was cut off. Its first span is the admission; all others lead back to that. Where no collector is set, none
//! of this is kept. What a span can be told is a number, a yes or no, or a word that stands in the program: nothing of a
//! caller's fits in.

use std::borrow::Cow;
use std::cell::Cell;
use std::time::Duration;

use opentelemetry::trace::{
    SpanContext, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceId, TraceState, Tracer,
};
use opentelemetry::{Context, KeyValue, Value, global};
use uuid::Uuid;

/// Whose spans these are.
const TRACER: &str = "nightlight";

thread_local! {
    /// The call whose first span begins at this moment on this thread.
    static BEGINS: Cell<Option<Uuid>> = const { Cell::new(None) };
}

/// A piece of work. It ends when it is dropped.
#[derive(Debug)]
pub struct Span(Context);

/// What a span can be told.
pub trait Telling: sealed::Telling {}
impl<T: sealed::Telling> Telling for T {}

mod sealed {
    use super::{Duration, Value};

    pub trait Telling {
        fn value(self) -> Value;
    }

    impl Telling for bool {
        fn value(self) -> Value {
            self.into()
        }
    }

    impl Telling for u32 {
        fn value(self) -> Value {
            i64::from(self).into()
        }
    }

    impl Telling for &'static str {
        fn value(self) -> Value {
            self.into()
        }
    }

    /// In seconds.
    impl Telling for Duration {
        fn value(self) -> Value {
            self.as_secs_f64().into()
        }
    }
}

impl Span {
    /// The first of a call's or a written conversation's trace.
    pub fn first_of(call: Uuid, name: &'static str) -> Self {
        BEGINS.set(Some(call));
        let span = begin(name, SpanKind::Internal, &Context::new());
        BEGINS.set(None);
        span
    }

    /// More of a call's trace, wherever that began.
    pub fn of(call: Uuid, name: &'static str) -> Self {
        let (trace, first) = ids_of(call);
        let state = TraceState::default();
        let first = SpanContext::new(trace, first, TraceFlags::SAMPLED, true, state);
        let context = Context::new().with_remote_span_context(first);
        begin(name, SpanKind::Internal, &context)
    }

    /// A request that somebody made of this process; a trace of its own. By its method and the pattern of its path, never
    /// by the path.
    pub fn of_a_request(name: String) -> Self {
        begin(name, SpanKind::Server, &Context::new())
    }

    /// A part of this work, which may outlast it.
    pub fn within(&self, name: &'static str) -> Self {
        begin(name, SpanKind::Internal, &self.0)
    }

    pub fn tell(&self, what: &'static str, value: impl Telling) {
        let told = KeyValue::new(what, sealed::Telling::value(value));
        self.0.span().set_attribute(told);
    }

    /// It came to nothing, for this reason.
    pub fn failed(&self, why: &'static str) {
        self.0.span().set_status(Status::error(why));
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        self.0.span().end();
    }
}

fn begin(name: impl Into<Cow<'static, str>>, kind: SpanKind, within: &Context) -> Span {
    let tracer = global::tracer(TRACER);
    let span = tracer.span_builder(name).with_kind(kind);
    let span = tracer.build_with_context(span, within);
    Span(within.with_span(span))
}

/// For whoever gives spans their ids: those that the one that begins now must have, if it is a call's first.
pub fn ids_of_a_first_span() -> Option<(TraceId, SpanId)> {
    BEGINS.get().map(ids_of)
}

fn ids_of(call: Uuid) -> (TraceId, SpanId) {
    let (_, last) = call.as_u64_pair();
    (TraceId::from(call.as_u128()), SpanId::from(last))
}
