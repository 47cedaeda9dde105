"""Tells as JSON which fields the official Python client's types have for what is sent to the hosted platform and comes from it, and of
which kinds: what the stand-ins of that platform hold this program's requests to, and their own messages and answers. A kind is `string`, `number`, `boolean`, `list`, `object`, `any`, or the
name of a type. Of types within types, those are told that a field must be: of the choice between a dozen vendors' it is an object."""

import inspect
import json
import types
import typing
from importlib.metadata import version

import pydantic
from vapi.assistants.client import AssistantsClient
from vapi.squads.client import SquadsClient
from vapi.tools.types import CreateToolsRequest_Function, UpdateToolsRequestBody_Function
from vapi.types import (
    Call,
    CreateAssistantDto,
    CreateSquadDto,
    CreateWebCallDto,
    ServerMessageEndOfCallReport,
    ServerMessageStatusUpdate,
    ServerMessageToolCalls,
    ServerMessageTranscript,
    ServerMessageTransferDestinationRequest,
)

BODIES = {
    "assistant": CreateAssistantDto,
    "squad": CreateSquadDto,
    "tool": CreateToolsRequest_Function,
    "call/web": CreateWebCallDto,
    "tool changes": UpdateToolsRequestBody_Function,
    "call": Call,
    "status-update": ServerMessageStatusUpdate,
    "transcript": ServerMessageTranscript,
    "tool-calls": ServerMessageToolCalls,
    "transfer-destination-request": ServerMessageTransferDestinationRequest,
    "end-of-call-report": ServerMessageEndOfCallReport,
}
# The client has no types of these: it takes their fields one by one.
CHANGES = {"assistant changes": AssistantsClient.update, "squad changes": SquadsClient.update}
# The client's type of these is a dictionary, and its description gives words: as which the platform takes them.
WORDS = {("BackoffPlan", "type")}
PLAIN = {str: "string", float: "number", int: "number", bool: "boolean"}
FIELDS: dict[str, dict] = {}


def kinds(annotation: typing.Any) -> list[str]:
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return kinds(inner[0])
    if origin in (typing.Union, types.UnionType):
        found = dict.fromkeys(kind for one in inner if one is not type(None) for kind in kinds(one))
        # Beside what is known, the client lets anything be: the platform does not.
        if len(found) > 1:
            found.pop("any", None)
        named = [kind for kind in found if kind in FIELDS]
        return [kind for kind in found if kind not in FIELDS] + (named if len(named) == 1 else ["object"] if named else [])
    if origin is typing.Literal:
        return ["string"]
    if origin is dict:
        return ["object"]
    if origin is not None:
        return ["list"]
    if isinstance(annotation, type) and issubclass(annotation, pydantic.BaseModel):
        return [named_type(annotation)]
    return [PLAIN.get(annotation, "any")]


def named_type(model: type[pydantic.BaseModel]) -> str:
    name = model.__name__
    if name not in FIELDS:
        FIELDS[name] = {"required": [], "fields": {}}
        for field, told in model.model_fields.items():
            wire = told.alias or field
            FIELDS[name]["fields"][wire] = ["string"] if (name, wire) in WORDS else kinds(told.annotation)
            if told.is_required():
                FIELDS[name]["required"].append(wire)
    return name


def named_changes(body: str, update: typing.Callable) -> str:
    """A type by what this method takes, under the names by which the type of the same thing has them on the wire."""
    made = BODIES[body.removesuffix(" changes")]
    wire = {field: told.alias or field for field, told in made.model_fields.items()}
    name = "".join(word.title() for word in body.split())
    FIELDS[name] = {"required": [], "fields": {}}
    taken = inspect.signature(update, eval_str=True).parameters
    for argument, parameter in taken.items():
        if argument not in ("self", "id", "request_options"):
            FIELDS[name]["fields"][wire[argument]] = kinds(parameter.annotation)
            if parameter.default is inspect.Parameter.empty:
                FIELDS[name]["required"].append(wire[argument])
    return name


bodies = {path: named_type(model) for path, model in BODIES.items()}
bodies |= {body: named_changes(body, update) for body, update in CHANGES.items()}
kept, waiting = {}, [*bodies.values()]
while waiting:
    name = waiting.pop()
    if name not in kept:
        kept[name] = FIELDS[name]
        waiting += [kind for kinds_of in FIELDS[name]["fields"].values() for kind in kinds_of if kind in FIELDS]
print(json.dumps({"client": f"vapi_server_sdk {version('vapi_server_sdk')}", "bodies": bodies, "types": kept}, sort_keys=True, indent=1))
