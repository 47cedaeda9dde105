"""The official Python client against a server at ORIGIN, with KEY. Tells as JSON what each of its methods came to."""

import gzip
import inspect
import json
import os
import threading
import time
import typing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
from vapi import Vapi, types
from vapi.core.api_error import ApiError
from vapi.types import (
    AnalysisPlan,
    AnalyticsOperation,
    AnalyticsQuery,
    Assistant,
    Call,
    Chat,
    CreateStructuredOutputDto,
    Eval,
    EvalRun,
    File,
    JsonSchema,
    OpenAiFunction,
    Server,
    Session,
    Squad,
    SquadMemberDto,
    StartSpeakingPlan,
)
from websockets.sync.client import connect

CLIENT = Vapi(token=os.environ["KEY"], base_url=os.environ["ORIGIN"])
MET: dict[str, str] = {}
# The client tries what is refused with 409 or 501 twice more, seconds later.
ONCE = {"max_retries": 0}
NOBODY = "00000000-0000-4000-8000-000000000000"


class Watched:
    """A part of the client whose methods are noted as they answer."""

    def __init__(self, name: str):
        self.name = name

    def __getattr__(self, method: str):
        real = getattr(getattr(CLIENT, self.name), method)

        def noted(*arguments, **named):
            answer = real(*arguments, **named)
            MET[f"{self.name}.{method}"] = "works"
            return answer

        return noted


def parts() -> list[str]:
    """The client's own, by what it says it has: none is forgotten."""
    properties = inspect.getmembers(type(CLIENT), lambda member: isinstance(member, property))
    return [name for name, _ in properties if not name.startswith("_") and name != "with_raw_response"]


def methods(part: str) -> list[tuple[str, inspect.Signature]]:
    real = getattr(CLIENT, part)
    members = inspect.getmembers(type(real), inspect.isfunction)
    return [(name, inspect.signature(getattr(real, name))) for name, _ in members if not name.startswith("_")]


def refused(status: int, code: str, ask) -> str:
    """What the server said as it refused this."""
    try:
        answer = ask()
    except ApiError as error:
        assert (error.status_code, error.body["code"]) == (status, code), (error.status_code, error.body)
        return error.body["message"]
    raise AssertionError(f"it was answered: {answer}")


def assistants() -> None:
    assistants = Watched("assistants")
    made = assistants.create(
        name="Night line",
        first_message_mode="assistant-speaks-first",
        start_speaking_plan=StartSpeakingPlan(wait_seconds=0.6),
        max_duration_seconds=900,
        end_call_phrases=["goodbye"],
        server=Server(url="https://crm.example/hook", headers={"X-Secret": "s3cret"}),
        analysis_plan=AnalysisPlan(min_messages_threshold=2),
        metadata={"team": "night"},
    )
    assert isinstance(made, Assistant) and made.name == "Night line" and made.start_speaking_plan.wait_seconds == 0.6
    read = assistants.get(made.id)
    assert read == made and read.server.headers == {"X-Secret": "s3cret"}
    listed = assistants.list(limit=10, created_at_ge=made.created_at)
    assert [one.id for one in listed] == [made.id]
    assert [one.id for one in assistants.list()] == [made.id, "helpline"]
    changed = assistants.update(made.id, name="Day line")
    assert changed.name == "Day line" and changed.metadata == {"team": "night"} and changed.updated_at >= made.updated_at
    assert assistants.delete(made.id).id == made.id
    refused(404, "resource-not-found", lambda: CLIENT.assistants.get(made.id))
    helpline = assistants.get("helpline")
    assert helpline.first_message_mode == "assistant-speaks-first-with-model-generated-message"
    assert helpline.stop_speaking_plan.num_words == 2
    refused(409, "resource-built-in", lambda: CLIENT.assistants.delete("helpline", request_options=ONCE))


def squads() -> None:
    squads = Watched("squads")
    made = squads.create(name="Two", members=[SquadMemberDto(assistant_id="helpline")])
    assert isinstance(made, Squad) and made.members[0].assistant_id == "helpline"
    assert squads.get(made.id) == made
    assert [one.id for one in squads.list()] == [made.id, "helpline-to-authorities"]
    changed = squads.update(made.id, name="Three", members=made.members)
    assert changed.name == "Three"
    assert squads.delete(made.id).id == made.id
    authorities = squads.get("helpline-to-authorities")
    assert authorities.members[0].assistant_destinations[0].assistant_name == "Authorities"


def tools() -> None:
    tools = Watched("tools")
    function = OpenAiFunction(name="look_up", description="Looks a case up.")
    made = tools.create(request={"type": "function", "function": function})
    assert made.type == "function" and made.function.name == "look_up"
    assert tools.get(made.id).model_dump() == made.model_dump()
    assert [one.id for one in tools.list()] == [made.id, "product_query"]
    changed = tools.update(made.id, request={"type": "function", "function": OpenAiFunction(name="look_up_again")})
    assert changed.function.name == "look_up_again"
    assert tools.delete(made.id).id == made.id


def phone_numbers() -> None:
    numbers = Watched("phone_numbers")
    made = numbers.create(request={"provider": "vapi", "name": "Front door", "sip_uri": "sip:front@nightlight.example"})
    assert made.provider == "vapi" and made.name == "Front door"
    assert numbers.get(made.id).model_dump() == made.model_dump()
    assert [one.id for one in numbers.list()] == [made.id]
    page = numbers.phone_number_controller_find_all_paginated(search="front", page=1, limit=10)
    assert [one.id for one in page.results] == [made.id] and page.metadata.total_items == 1
    changed = numbers.update(made.id, request={"provider": "vapi", "name": "Back door"})
    assert changed.name == "Back door"
    assert numbers.delete(made.id).id == made.id


def files() -> None:
    files = Watched("files")
    made = files.create(file=("agencies.txt", b"who helps at night", "text/plain"))
    assert isinstance(made, File) and made.bytes == 18 and made.status == "done"
    assert files.get(made.id).name == "agencies.txt"
    assert [one.id for one in files.list()] == [made.id]
    content = httpx.get(made.url, headers={"Authorization": f"Bearer {os.environ['KEY']}"})
    assert content.content == b"who helps at night"
    assert files.update(made.id, name="night.txt").name == "night.txt"
    assert files.delete(made.id).id == made.id


def knowledge_bases() -> None:
    bases = Watched("knowledge_bases_v_2")
    made = bases.knowledge_base_v_2_controller_create(name="Agencies", description="who helps")
    assert made.name == "Agencies"
    assert bases.knowledge_base_v_2_controller_find_one(made.id).description == "who helps"
    assert [one.id for one in bases.knowledge_base_v_2_controller_find_all()] == [made.id]
    assert bases.knowledge_base_v_2_controller_update(made.id, name="Helpers").name == "Helpers"
    text = CLIENT.files.create(file=("house.md", b"# Parking\nIt is behind the house.", "text/markdown"))
    attached = bases.knowledge_base_v_2_controller_file_attach(made.id, file_id=text.id)
    assert attached.status == "ready" and attached.file_id == text.id and attached.file_name == "house.md"
    assert bases.knowledge_base_v_2_controller_files_get(made.id) == [attached]
    whole = bases.knowledge_base_v_2_controller_find_one(made.id)
    assert [one.id for one in whole.files] == [attached.id] and whole.tool_id
    told_of_parking(whole.tool_id)
    assert bases.knowledge_base_v_2_controller_file_retry(made.id, text.id).status == "ready"
    assert bases.knowledge_base_v_2_controller_file_detach(made.id, text.id).file_id == text.id
    assert bases.knowledge_base_v_2_controller_files_get(made.id) == []
    CLIENT.files.delete(text.id)
    assert bases.knowledge_base_v_2_controller_remove(made.id).id == made.id


def told_of_parking(tool: str) -> None:
    """An assistant with this tool answers from what was attached, after what it says first."""
    model = {"provider": "openai", "model": "gpt-4o-mini", "toolIds": [tool]}
    assistant = CLIENT.assistants.create(first_message="Good evening {{name}}.", model=model)
    overrides = {"variableValues": {"name": "Mei"}}
    chat = CLIENT.chats.create(input="", assistant_id=assistant.id, assistant_overrides=overrides)
    assert chat.output[0].content.startswith("Good evening Mei. I'm an AI counsellor"), chat.output
    for words in ("yes, I am safe", "where is the parking?"):
        chat = CLIENT.chats.create(input=words, previous_chat_id=chat.id)
    assert "It is behind the house." in chat.output[0].content, chat.output
    CLIENT.chats.delete(chat.id)
    CLIENT.assistants.delete(assistant.id)


def structured_outputs() -> None:
    outputs = Watched("structured_outputs")
    made = outputs.structured_output_controller_create(name="Facts", schema=JsonSchema(type="object"), type="ai")
    assert made.name == "Facts" and made.schema_.type == "object"
    assert outputs.structured_output_controller_find_one(made.id) == made
    page = outputs.structured_output_controller_find_all(name="Facts", sort_order="ASC")
    assert [one.id for one in page.results] == [made.id] and page.metadata.current_page == 1
    changed = outputs.structured_output_controller_update(made.id, schema_override="false", description="of a call")
    assert changed.description == "of a call"
    assert outputs.structured_output_controller_remove(made.id).id == made.id


def sessions_and_chats() -> None:
    sessions, chats = Watched("sessions"), Watched("chats")
    assistant = CLIENT.assistants.create(name="Night line")
    session = sessions.create(name="Case 7", assistant_id=assistant.id)
    assert isinstance(session, Session) and session.status == "active"
    first = chats.create(input="I feel very low", session_id=session.id)
    assert isinstance(first, Chat) and first.session_id == session.id and first.assistant_id == assistant.id
    assert first.output[0].role == "assistant" and first.output[0].content
    second = chats.create(input=[{"role": "user", "content": "It is about my work"}], previous_chat_id=first.id)
    assert second.previous_chat_id == first.id and len(second.messages) == 2
    assert len(sessions.get(session.id).messages) == 4
    pieces, whole = streamed(session.id)
    assert pieces and "".join(pieces) == whole["output"][0]["content"] and whole["sessionId"] == session.id
    assert [one.id for one in sessions.list(name="Case 7").results] == [session.id]
    page = chats.list(assistant_id=assistant.id, limit=5)
    assert [one.session_id for one in page.results] == [session.id] and page.metadata.total_items == 1
    assert chats.get(first.id).session_id == session.id
    begun = chats.create(input="", assistant_id="helpline")
    assert "AI counsellor" in begun.output[0].content
    refused(400, "field-invalid", lambda: CLIENT.chats.create(input=[{"role": "assistant", "content": "x"}], assistant_id="helpline"))
    for chat in (first, begun):
        assert chats.delete(chat.id).id
        refused(404, "chat-not-found", lambda: CLIENT.chats.get(chat.id))
    assert sessions.update(session.id, status="completed").status == "completed"
    refused(410, "chat-over", lambda: CLIENT.chats.create(input="hello?", session_id=session.id))
    assert sessions.delete(session.id).id == session.id
    CLIENT.assistants.delete(assistant.id)


def streamed(session: str) -> tuple[list[str], dict]:
    """The pieces of a streamed answer, and the whole chat behind them."""
    try:
        answer = CLIENT.chats.create(input="My boss shouts at me", session_id=session, stream=True)
    except ApiError as not_json:
        assert not_json.status_code == 200 and not_json.headers["content-type"].startswith("text/event-stream")
        pieces, whole = [], None
        for event in filter(None, not_json.body.split("\n\n")):
            lines = dict(line.split(": ", 1) for line in event.split("\n") if ": " in line)
            data = json.loads(lines["data"])
            if lines.get("event") == "chat-complete":
                whole = data
            else:
                assert data["path"] == "chat.output[0].content" and data["sessionId"] == session
                pieces.append(data["delta"])
        return pieces, whole
    raise AssertionError(f"the client reads events now: {answer}")


def calls() -> None:
    calls = Watched("calls")
    made = calls.create(name="Mei rang", assistant_id="helpline", transport={"provider": "vapi.websocket"})
    assert isinstance(made, Call) and made.status == "queued" and made.name == "Mei rang"
    refused(501, "not-offered", lambda: CLIENT.calls.create(assistant_id="helpline", customer={"number": "+6561234567"}, request_options=ONCE))
    refused(409, "call-under-way", lambda: CLIENT.calls.delete(made.id, request_options=ONCE))
    hear_the_greeting(made.transport.websocketCallUrl)
    assert ended(made.id) == (read := calls.get(made.id))
    assert read.name == "Mei rang" and read.assistant_id == "helpline" and read.ended_reason == "customer-ended-call"
    assert read.started_at and read.ended_at and "AI: " in read.artifact.transcript
    assert read.artifact.messages[0].role == "bot" and read.analysis.summary
    assert read.analysis.structured_data["transfer_to"] == "Not Applicable"
    assert [one.id for one in calls.list(limit=10, created_at_ge=read.created_at)] == [made.id]
    assert calls.list(created_at_gt=read.created_at) == []
    assert calls.update(made.id, name="Mei").name == "Mei"
    the_log_of(calls, made.id)
    found_in(made.id)
    again = ended_call()
    assert calls.delete(again.id).id == again.id
    refused(404, "call-not-found", lambda: CLIENT.calls.get(again.id))
    # The first stays, for the other client to read.
    assert [one.id for one in calls.list()] == [made.id]


def the_log_of(calls: Watched, call: str) -> None:
    """The client answers with nothing; the file is in its raw answer."""
    assert calls.call_artifact_controller_call_logs_download(call) is None
    answer = CLIENT.calls.with_raw_response.call_artifact_controller_call_logs_download(call)
    assert answer.headers["content-type"] == "application/gzip"
    lines = [json.loads(line) for line in gzip.decompress(answer._response.content).splitlines()]
    assert (lines[0]["type"], lines[0]["status"]) == ("status-update", "in-progress"), lines
    assert lines[-1]["endedReason"] == "customer-ended-call", lines
    assert any(line["body"] == "assistant spoke" and line["duration"] > 0 for line in lines), lines
    assert "counsellor" not in json.dumps(lines)


def found_in(call: str) -> None:
    """What is known of a call comes in the fields of a structured output, and is kept with it unless that is a preview."""
    outputs = Watched("structured_outputs")
    fields = {"urgent": JsonSchema(type="boolean"), "transfer_to": JsonSchema(type="string"), "mood": JsonSchema(type="string")}
    output = CLIENT.structured_outputs.structured_output_controller_create(name="Facts", schema=JsonSchema(type="object", properties=fields))
    expected = {"name": "Facts", "result": {"urgent": False, "transfer_to": "Not Applicable"}}
    run = outputs.structured_output_controller_run
    preview = run(call_ids=[call], structured_output_id=output.id, preview_enabled=True)
    assert preview.model_dump()[output.id] == expected
    assert CLIENT.calls.get(call).artifact.structured_outputs is None
    assert run(call_ids=[call], structured_output_id=output.id).message
    assert CLIENT.calls.get(call).artifact.structured_outputs == {output.id: expected}
    of_nobody = JsonSchema(type="object", properties={"mood": JsonSchema(type="string")})
    unknown = CreateStructuredOutputDto(name="Mood", schema=of_nobody)
    refused(501, "not-offered", lambda: CLIENT.structured_outputs.structured_output_controller_run(call_ids=[call], structured_output=unknown, request_options=ONCE))
    CLIENT.structured_outputs.structured_output_controller_remove(output.id)


def ended_call(assistant: str = "helpline") -> Call:
    made = CLIENT.calls.create(assistant_id=assistant, transport={"provider": "vapi.websocket"})
    hear_the_greeting(made.transport.websocketCallUrl)
    return ended(made.id)


def ended(call: str) -> Call:
    deadline = time.monotonic() + 30
    while (read := CLIENT.calls.get(call)).status != "ended":
        assert time.monotonic() < deadline, read.status
        time.sleep(0.2)
    return read


def hear_the_greeting(url: str) -> None:
    """Joins a call, stays until the assistant has greeted, and hangs up."""
    with connect(url) as line:
        line.send("playable")
        for message in line:
            if isinstance(message, str) and message.startswith("{"):
                told = json.loads(message)
                if (told["type"], told.get("role"), told.get("status")) == ("speech-update", "assistant", "stopped"):
                    break
        line.send(json.dumps({"type": "end-call"}))
        for _ in line:
            pass


def responses() -> None:
    chats = Watched("chats")
    first = chats.create_response(input="", assistant_id="helpline")
    assert first.object == "response" and first.status == "completed"
    assert "AI counsellor" in first.output[0].content[0].text
    second = chats.create_response(input="I feel very low", previous_chat_id=first.id)
    assert CLIENT.chats.get(second.id).session_id == first.id
    CLIENT.chats.delete(first.id)


def evals() -> None:
    evals = Watched("eval")

    def danger(destination: str) -> list[dict]:
        call = {"name": "transferCall", "arguments": {"destination": destination}}
        return [
            {"role": "assistant", "judgePlan": {"type": "regex", "content": "AI counsellor"}},
            {"role": "user", "content": "I'm safe, I just feel very low"},
            {"role": "assistant"},
            {"role": "user", "content": "I don't want to live any more"},
            {"role": "assistant", "judgePlan": {"type": "regex", "content": ".", "toolCalls": [call]}},
        ]

    made = evals.eval_controller_create(name="In danger", type="chat.mockConversation", messages=danger("SOS"))
    assert isinstance(made, Eval) and made.name == "In danger" and len(made.messages) == 5
    assert evals.eval_controller_get(made.id) == made
    assert [one.id for one in evals.eval_controller_get_paginated(limit=5).results] == [made.id]
    helpline = {"type": "assistant", "assistantId": "helpline"}
    for expected, messages in (("pass", None), ("fail", danger("SPF"))):
        if messages:
            assert evals.eval_controller_update(made.id, messages=messages).name == "In danger"
        begun = evals.eval_controller_run(target=helpline, type="eval", eval_id=made.id)
        begun = begun if isinstance(begun, dict) else begun.model_dump()
        run = ended_run(evals, begun["id"])
        assert isinstance(run, EvalRun) and run.ended_reason == "mockConversation.done" and run.eval_id == made.id
        assert run.results[0].status == expected, run.results
        assert [message.role for message in run.results[0].messages] == ["assistant", "user"] * 2 + ["assistant"]
    assert len(evals.eval_controller_get_runs_paginated().results) == 2
    for run in evals.eval_controller_get_runs_paginated().results:
        assert evals.eval_controller_remove_run(run.id).id == run.id
    assert evals.eval_controller_remove(made.id).id == made.id
    # Nothing of it is among the calls.
    assert CLIENT.calls.list() == [] and CLIENT.chats.list().results == []
    judged = [{"role": "assistant", "judgePlan": {"type": "ai", "model": {"messages": [{"role": "system", "content": "Kind?"}]}}}]
    asks_a_model = {"type": "chat.mockConversation", "messages": judged}
    refused(501, "not-offered", lambda: CLIENT.eval.eval_controller_run(target=helpline, type="eval", eval=asks_a_model, request_options=ONCE))


def ended_run(evals: Watched, run: str) -> EvalRun:
    deadline = time.monotonic() + 60
    while (read := evals.eval_controller_get_run(run)).status != "ended":
        assert time.monotonic() < deadline, read.status
        time.sleep(0.2)
    return read


def numbers() -> None:
    """Of the call that stays for the other client."""
    count = AnalyticsOperation(operation="count", column="id")
    longest = AnalyticsOperation(operation="max", column="duration", alias="longest")
    query = AnalyticsQuery(name="all", table="call", group_by=["endedReason"], operations=[count, longest])
    answers = Watched("analytics").get(queries=[query])
    (row,) = answers[0].result
    assert row["endedReason"] == "customer-ended-call" and row["countId"] == 1 and row["longest"] > 0, row
    table = httpx.get(
        f"{os.environ['ORIGIN']}/v2/call/export", params={"columns": "id,name,endedReason"},
        headers={"Authorization": f"Bearer {os.environ['KEY']}"},
    )
    assert table.text.splitlines()[1].endswith(",Mei,customer-ended-call"), table.text


# As the client names them; it has no checks of its own, pydantic has.
TOLD = {
    "status-update": types.ServerMessageStatusUpdate,
    "speech-update": types.ServerMessageSpeechUpdate,
    "transcript": types.ServerMessageTranscript,
    "conversation-update": types.ServerMessageConversationUpdate,
    "model-output": types.ServerMessageModelOutput,
    "tool-calls": types.ServerMessageToolCalls,
    "transfer-destination-request": types.ServerMessageTransferDestinationRequest,
    "transfer-update": types.ServerMessageTransferUpdate,
    "end-of-call-report": types.ServerMessageEndOfCallReport,
    # Of those to a server the client has no such type, of those to a page it has.
    "assistant.started": types.ClientMessageAssistantStarted,
    "chat.created": types.ServerMessageChatCreated,
    "chat.deleted": types.ServerMessageChatDeleted,
    "session.created": types.ServerMessageSessionCreated,
    "session.updated": types.ServerMessageSessionUpdated,
    "session.deleted": types.ServerMessageSessionDeleted,
}
AT_LAST = {"chat.deleted"}


def server_messages() -> None:
    """What an assistant's server is told of a call and of a chat is of the client's own types."""
    told, secrets = [], set()

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["message"])
            secrets.add(self.headers["X-Secret"])
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_) -> None:
            pass

    hook = ThreadingHTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=hook.serve_forever, daemon=True).start()
    server = Server(url=f"http://127.0.0.1:{hook.server_port}/hook", headers={"X-Secret": "s3cret"})
    assistant = CLIENT.assistants.create(name="Told of", server=server, server_messages=[*TOLD])
    call = ended_call(assistant.id)
    chat = CLIENT.chats.create(input="", assistant_id=assistant.id)
    deadline = time.monotonic() + 60
    for words in ("I'm safe, I just feel very low", "Is this call recorded?", "I don't want to live any more"):
        while not any(about(one) == chat.session_id for one in told):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        chat = CLIENT.chats.create(input=words, previous_chat_id=chat.id)
    session = CLIENT.sessions.create(name="Case 8", assistant_id=assistant.id)
    CLIENT.sessions.update(session.id, status="completed")
    CLIENT.sessions.delete(session.id)
    all_are_told(told, {*TOLD} - AT_LAST, deadline)
    CLIENT.chats.delete(chat.id)
    all_are_told(told, AT_LAST, deadline)
    for message in told:
        # Of a model's output the type says an object, and its description a token or a tool call: a token is text.
        if message["type"] == "model-output" and isinstance(message["output"], str):
            message = {**message, "output": {"token": message["output"]}}
        TOLD[message["type"]].model_validate(message)
    assert secrets == {"s3cret"}
    assert {about(one) for one in told} == {call.id, chat.session_id, session.id}
    hook.shutdown()
    CLIENT.calls.delete(call.id)
    CLIENT.assistants.delete(assistant.id)


def about(message: dict) -> str:
    """The call, the conversation or the session."""
    if "session" in message:
        return message["session"]["id"]
    return message["call"]["id"] if "call" in message else message["chat"]["sessionId"]


def all_are_told(told: list[dict], kinds: set[str], deadline: float) -> None:
    while missing := kinds - {one["type"] for one in told}:
        assert time.monotonic() < deadline, missing
        time.sleep(0.1)


def everything_else_is_refused() -> None:
    """Whatever has not answered by now must say that it is not offered."""
    for part in parts():
        for method, signature in methods(part):
            name = f"{part}.{method}"
            if name not in MET:
                arguments = {
                    argument: made_up(parameter.annotation)
                    for argument, parameter in signature.parameters.items()
                    if parameter.default is inspect.Parameter.empty
                }
                real = getattr(getattr(CLIENT, part), method)
                message = refused(501, "not-offered", lambda: at_last(real(**arguments, request_options=ONCE)))
                MET[name] = f"refused: {message}"


def at_last(answer: typing.Any) -> typing.Any:
    """A download is asked for when it is read."""
    return list(answer) if inspect.isgenerator(answer) else answer


def made_up(annotation: typing.Any) -> typing.Any:
    if annotation is str:
        return NOBODY
    if typing.get_origin(annotation) in (list, typing.Sequence) or "Sequence" in str(annotation):
        return []
    return {}


for story in (
    assistants,
    squads,
    tools,
    phone_numbers,
    files,
    knowledge_bases,
    structured_outputs,
    sessions_and_chats,
    responses,
    evals,
    server_messages,
    calls,
    numbers,
    everything_else_is_refused,
):
    story()
print(json.dumps(MET))
