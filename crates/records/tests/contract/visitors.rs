//! One visitor never gets another's call.

use proptest::prelude::*;
use records::{CallId, Records, VisitorId};

use crate::story::*;

/// Whatever a few visitors do in whatever order, each sees the samples and their own.
pub fn one_visitor_never_gets_anothers_call<G>(open: impl AsyncFn() -> (G, Records)) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    // What happens to a call after it began: nothing, a turn, its end, its deletion.
    let deeds = prop::collection::vec((0..3usize, 0..4u8), 1..12);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    runner
        .run(&deeds, |deeds| {
            runtime.block_on(async {
                let (_guard, records) = open().await;
                let visitors = [
                    VisitorId::random(),
                    VisitorId::random(),
                    VisitorId::random(),
                ];
                let mut own: [Vec<CallId>; 3] = Default::default();
                for (who, deed) in deeds {
                    let call = new_call(Some(visitors[who]));
                    records.start_call(call.clone()).await.unwrap();
                    own[who].push(call.call_id);
                    match deed {
                        1 => records
                            .put_turn(call.call_id, turn(0, "said"))
                            .await
                            .unwrap(),
                        2 => records
                            .finish_call(call.call_id, finished_call(&call, "over"))
                            .await
                            .unwrap(),
                        3 => {
                            records.delete_call(call.call_id).await.unwrap();
                            own[who].pop();
                        }
                        _ => {}
                    }
                }
                for (who, visitor) in visitors.into_iter().enumerate() {
                    let seen = listed(&records, visitor).await;
                    let (samples, seen): (Vec<_>, Vec<_>) =
                        seen.into_iter().partition(|record| record.sample);
                    prop_assert_eq!(samples.len(), 10);
                    let mut seen = seen;
                    seen.sort_by_key(|record| record.id);
                    let seen: Vec<CallId> = seen.into_iter().map(|record| record.call_id).collect();
                    prop_assert_eq!(&seen, &own[who]);
                    let latest = records.latest_of(visitor).await.unwrap();
                    prop_assert_eq!(
                        latest.map(|record| record.call_id),
                        own[who].last().copied()
                    );
                    for (owner, calls) in own.iter().enumerate() {
                        for call_id in calls {
                            let got = records.call_of(visitor, *call_id).await.unwrap();
                            prop_assert_eq!(got.is_some(), owner == who);
                        }
                    }
                    for sample in samples {
                        prop_assert!(
                            records
                                .call_of(visitor, sample.call_id)
                                .await
                                .unwrap()
                                .is_none()
                        );
                    }
                }
                Ok(())
            })
        })
        .unwrap();
}
