"""The last release of the official Python client that has test suites, workflows and logs, against a server at ORIGIN, with KEY.
Tells as JSON what came of each method of its parts that the newest client has no more: that one stands behind it on PYTHONPATH. Runs
after the newest client, of whose calls one is there."""

import inspect
import json
import os
import time
import typing
from pathlib import Path

from vapi import Vapi
from vapi.core.api_error import ApiError
from vapi.types.create_test_suite_test_chat_dto import CreateTestSuiteTestChatDto
from vapi.types.log import Log
from vapi.types.target_plan import TargetPlan
from vapi.types.test_suite import TestSuite
from vapi.types.test_suite_run import TestSuiteRun
from vapi.types.test_suite_test_chat import TestSuiteTestChat
from vapi.types.test_suite_test_scorer_ai import TestSuiteTestScorerAi
from vapi.types.test_suite_test_voice import TestSuiteTestVoice
from vapi.types.workflow import Workflow

CLIENT = Vapi(token=os.environ["KEY"], base_url=os.environ["ORIGIN"])
MET: dict[str, str] = {}
# The client tries what is refused with 409 or 501 twice more, seconds later.
ONCE = {"max_retries": 0}
NOBODY = "00000000-0000-4000-8000-000000000000"
RUN_WITHIN_SECONDS = 120


def parts() -> list[str]:
    """What of this client the newest lacks, by their folders."""
    this, newest = ({at.parent.name for at in Path(place, "vapi").glob("*/client.py")} for place in os.environ["PYTHONPATH"].split(os.pathsep))
    assert newest and this - newest, (this, newest)
    return sorted(this - newest)


def watched(part: str) -> typing.Callable:
    """Asks a method of this part, by what of its name is its own, and notes that it answered."""

    def asked(method: str, *arguments, **named):
        answer = getattr(getattr(CLIENT, part), method)(*arguments, **named)
        MET[f"{part}.{method}"] = "works"
        return answer

    return asked


def refused(status: int, code: str, ask: typing.Callable) -> str:
    """What the server said as it refused this."""
    try:
        answer = ask()
    except ApiError as error:
        assert (error.status_code, error.body["code"]) == (status, code), (error.status_code, error.body)
        return error.body["message"]
    raise AssertionError(f"it was answered: {answer}")


def test_suites() -> None:
    suites, tests, runs = (watched(part) for part in ("test_suites", "test_suite_tests", "test_suite_runs"))
    helpline = TargetPlan(assistant_id="helpline")
    suite = suites("test_suite_controller_create", name="Nights", target_plan=helpline)
    assert isinstance(suite, TestSuite) and (suite.name, suite.target_plan.assistant_id) == ("Nights", "helpline")
    assert suites("test_suite_controller_find_one", suite.id) == suite
    page = suites("test_suite_controller_find_all_paginated", limit=5, sort_order="ASC", created_at_ge=suite.created_at)
    assert ([one.id for one in page.results], page.metadata.total_items) == ([suite.id], 1)
    assert suites("test_suite_controller_update", suite.id, name="All nights").name == "All nights"

    words = "I'm safe, I just feel very low\nI don't want to live any more"
    by_a_model = {"type": "chat", "script": words, "scorers": [TestSuiteTestScorerAi(rubric="Is it kind?")]}
    judged = tests("test_suite_test_controller_create", suite.id, request=CreateTestSuiteTestChatDto(**by_a_model))
    assert isinstance(judged, TestSuiteTestChat) and (judged.script, judged.scorers[0].rubric) == (words, "Is it kind?")
    assert tests("test_suite_test_controller_remove", suite.id, judged.id).id == judged.id
    made = []
    for agency in ("SOS", "SPF"):
        # The type has one scorer, which a model judges by; ours needs none.
        scorers = [{"type": "outcome", "transferTo": agency}]
        body = {"type": "chat", "script": words, "scorers": scorers, "name": agency}
        made.append(tests("test_suite_test_controller_create", suite.id, request=body))
    assert [(one.type, one.script, one.name) for one in made] == [("chat", words, "SOS"), ("chat", words, "SPF")]
    # By voice: a call of some twenty seconds, with the server's own ears.
    scorers = [{"type": "outcome", "urgent": False, "endedReason": "customer-ended-call"}]
    body = {"type": "voice", "script": "I'm safe, I just feel very sad.", "scorers": scorers}
    spoken = tests("test_suite_test_controller_create", suite.id, request=body)
    assert isinstance(spoken, TestSuiteTestVoice) and spoken.test_suite_id == suite.id
    assert tests("test_suite_test_controller_find_one", suite.id, spoken.id) == spoken
    page = tests("test_suite_test_controller_find_all_paginated", suite.id, sort_order="ASC")
    assert [one.id for one in page.results] == [*(one.id for one in made), spoken.id]
    changed = tests("test_suite_test_controller_update", suite.id, spoken.id, request={"type": "voice", "name": "Aloud"})
    assert (changed.name, changed.script) == ("Aloud", spoken.script)

    run = runs("test_suite_run_controller_create", suite.id, name="first")
    assert isinstance(run, TestSuiteRun) and run.test_suite_id == suite.id
    deadline = time.monotonic() + RUN_WITHIN_SECONDS
    while (read := runs("test_suite_run_controller_find_one", suite.id, run.id)).status in ("queued", "in-progress"):
        assert time.monotonic() < deadline, read.status
        time.sleep(0.2)
    scored = [result.attempts[0].scorer_results[0].result for result in read.test_results]
    assert (read.status, scored) == ("completed", ["pass", "fail", "pass"]), read
    heard = read.test_results[2].attempts[0].call.artifact.transcript
    assert "I just feel very sad" in heard, heard
    page = runs("test_suite_run_controller_find_all_paginated", suite.id)
    assert [one.id for one in page.results] == [run.id]
    assert runs("test_suite_run_controller_update", suite.id, run.id, name="the first").name == "the first"
    assert runs("test_suite_run_controller_remove", suite.id, run.id).id == run.id
    assert tests("test_suite_test_controller_remove", suite.id, spoken.id).id == spoken.id
    assert suites("test_suite_controller_remove", suite.id).id == suite.id
    refused(404, "resource-not-found", lambda: CLIENT.test_suites.test_suite_controller_find_one(suite.id))


def workflows() -> None:
    workflow = watched("workflow")
    talk = {"type": "conversation", "name": "talk"}
    made = workflow("workflow_controller_create", name="Nights", nodes=[talk], edges=[])
    assert isinstance(made, Workflow) and (made.name, made.nodes[0].name) == ("Nights", "talk")
    assert workflow("workflow_controller_find_one", made.id) == made
    assert [one.id for one in workflow("workflow_controller_find_all")] == [made.id]
    assert workflow("workflow_controller_update", made.id, name="Days").name == "Days"
    assert workflow("workflow_controller_delete", made.id).id == made.id


def logs() -> None:
    asked = watched("logs")
    (call,) = CLIENT.calls.list()
    found = list(asked("get", type="Call", call_id=call.id, sort_order="ASC", limit=10))
    assert all(isinstance(one, Log) and one.call_id == call.id for one in found), found
    assert [one.status for one in found] == ["in-progress", "ended"], found
    assert list(CLIENT.logs.get(call_id=NOBODY)) == []


def everything_else_is_refused() -> None:
    """Whatever of these parts has not answered by now must say that it is not offered."""
    for part in parts():
        real = getattr(CLIENT, part)
        for method, _ in inspect.getmembers(type(real), inspect.isfunction):
            name = f"{part}.{method}"
            if not method.startswith("_") and name not in MET:
                ask = getattr(real, method)
                needed = {
                    argument: NOBODY if parameter.annotation is str else {}
                    for argument, parameter in inspect.signature(ask).parameters.items()
                    if parameter.default is inspect.Parameter.empty
                }
                MET[name] = f"refused: {refused(501, 'not-offered', lambda: ask(**needed, request_options=ONCE))}"


for story in (test_suites, workflows, logs, everything_else_is_refused):
    story()
print(json.dumps(MET))
