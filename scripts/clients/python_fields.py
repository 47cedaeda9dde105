"""Tells as JSON which fields the official Python client's types have for what is sent to the hosted platform, and of which kinds: what
the stand-ins of that platform hold this program's requests to. A kind is `string`, `number`, `boolean`, `list`, `object`, `any`, or the
name of a type. Of types within types, those are told that a field must be: of the choice between a dozen vendors' it is an object."""

import json
import types
import typing
from importlib.metadata import version

import pydantic
from vapi.tools.types import CreateToolsRequest_Function
from vapi.types import CreateAssistantDto, CreateSquadDto, CreateWebCallDto

BODIES = {
    "assistant": CreateAssistantDto,
    "squad": CreateSquadDto,
    "tool": CreateToolsRequest_Function,
    "call/web": CreateWebCallDto,
}
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


bodies = {path: named_type(model) for path, model in BODIES.items()}
kept, waiting = {}, [*bodies.values()]
while waiting:
    name = waiting.pop()
    if name not in kept:
        kept[name] = FIELDS[name]
        waiting += [kind for kinds_of in FIELDS[name]["fields"].values() for kind in kinds_of if kind in FIELDS]
print(json.dumps({"client": f"vapi_server_sdk {version('vapi_server_sdk')}", "bodies": bodies, "types": kept}, sort_keys=True, indent=1))
