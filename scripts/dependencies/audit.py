"""Every locked package, asked for at its registry, against what has been accepted."""

from dataclasses import dataclass, field

from .registries import NotAnswered


@dataclass
class Result:
    # For whoever reads the run.
    said: list = field(default_factory=list)
    failures: list = field(default_factory=list)


def audit(packages, registries, accepted, each=map):
    """`accepted` maps a package (`npm: name version`) to the reason why what is said of it is borne. `each` maps, maybe many at once."""
    result = Result()
    found, silent = [], set()
    for registry in registries:
        here = [package for package in packages if package.registry == registry.name]

        def ask(package, registry=registry):
            try:
                return [(package, finding) for finding in registry.findings(package)]
            except NotAnswered as trouble:
                return trouble

        answers = list(each(ask, here))
        if trouble := next((answer for answer in answers if isinstance(answer, NotAnswered)), None):
            silent.add(registry.name)
            result.said.append(f"{registry.name} could not be asked about all of its {len(here)}: {trouble}")
        else:
            result.said.append(f"{registry.name} was asked about {len(here)}")
        found += [finding for answer in answers if isinstance(answer, list) for finding in answer]
        found += known_against(registry, here, result)
        if not registry.tells_advisories:
            result.said.append(f"{registry.name}, as it is reached from here, tells no advisories")
    for package, finding in found:
        if str(package) not in accepted:
            result.failures.append(f"{package}: {finding}")
    of_these = {str(package) for package, _ in found}
    for name in accepted:
        if name not in of_these and name.partition(":")[0] not in silent:
            result.failures.append(f"{name}: is accepted, and nothing is said of it any more: take it out of accepted.toml")
    return result


def known_against(registry, packages, result):
    """What a registry tells of all at once."""
    if not hasattr(registry, "advisories"):
        return []
    try:
        return registry.advisories(packages)
    except NotAnswered as trouble:
        result.said.append(f"{registry.name} could not be asked for advisories: {trouble}")
        return []
