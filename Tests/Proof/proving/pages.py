"""The parts of the documentation that say what was proved. They stand between two comments, or are pictures."""

import re
import shutil

from .processes import ROOT

DOCUMENTATION = ROOT / "Sources/sketch2mqtt/sketch2mqtt.docc"

PICTURES = ROOT / ".build/proof/pictures"
"""Where runs leave those that they make."""


def rendered(proved):
    """By files, the generated part of each."""
    return {
        DOCUMENTATION / "Proofs.md": steps(proved),
        DOCUMENTATION / "Entities.md": entities(proved),
        ROOT / "README.md": summary(proved)}


def outdated(proved):
    return [
        f"{file.relative_to(ROOT)} does not say what Tests/Proof/proved.json says"
        for file, part in rendered(proved).items() if replaced(file.read_text(), part) != file.read_text()
    ] + [f"{file.relative_to(ROOT)} is not there" for file in pictures(proved) if not file.exists()]


def write(proved):
    for file, part in rendered(proved).items():
        file.write_text(replaced(file.read_text(), part))
    for file in pictures(proved):
        if (made := PICTURES / file.name).exists():
            file.parent.mkdir(exist_ok=True)
            shutil.copy(made, file)


def pictures(proved):
    """The documentation's own files of those that the proofs make."""
    return [DOCUMENTATION / "Resources" / name for one in proved.values() for name in one.get("pictures", [])]


def replaced(text, part):
    pattern = r"(<!-- proved: .*? -->\n).*?(<!-- end -->)"
    if not re.search(pattern, text, re.DOTALL):
        raise ValueError("a page has lost the comments between which it is written")
    return re.sub(pattern, lambda found: f"{found[1]}\n{part}\n{found[2]}", text, flags=re.DOTALL)


# ---- the parts


def summary(proved):
    return table(
        ["proved with", "version", "steps"],
        [[one["title"], versions(one), str(len(one["claims"]))] for one in proved.values()])


def steps(proved):
    """A table for proofs that take the same steps, a mark where one took it."""
    parts = []
    groups = {}
    for name, one in proved.items():
        groups.setdefault(re.sub(r"-[\d.]+$", "", name), {})[name] = one
    for group in groups.values():
        lines = [f"- `{name}`: {one['title']}; {versions(one)}" for name, one in group.items()]
        claims = list(dict.fromkeys(claim for one in group.values() for claim in one["claims"]))
        rows = [
            [claim, *("yes" if claim in one["claims"] else "–" for one in group.values())]
            for claim in claims]
        parts.append("\n".join(lines) + "\n\n" + table(["step", *(f"`{name}`" for name in group)], rows))
    return "\n\n".join(parts)


def entities(proved):
    """A table for each kind; where versions of Home Assistant differ, a cell says which has what."""
    found = {one["versions"]["Home Assistant"]: one["kinds"] for one in proved.values() if "kinds" in one}
    parts = []
    for kind in sorted({kind for kinds in found.values() for kind in kinds}):
        by_version = {version: kinds[kind] for version, kinds in found.items() if kind in kinds}
        first = max(by_version.values(), key=lambda one: len(one["entities"]))
        columns = [key for key in first["entities"][0] if key not in ("key", "services")]
        nothing = dict.fromkeys(columns)
        rows = []
        for row in first["entities"]:
            versions_of_row = {
                version: next((entity for entity in one["entities"] if entity["key"] == row["key"]), nothing)
                for version, one in by_version.items()}
            rows.append([
                row["key"],
                *(cell({version: one[column] for version, one in versions_of_row.items()})
                  for column in columns)] + ["<br>".join(f"`{one}`" for one in row["services"]) or "–"])
        part = f"## {kind}\n\n" + table(["key", *columns, "services tried"], rows)
        if first["without entity"]:
            names = ", ".join(f"`{name}`" for name in first["without entity"])
            part += f"\n\nWithout an entity of their own: {names}."
        parts.append(part)
    return "\n\n".join(parts)


def cell(by_version):
    values = list(by_version.values())
    if all(value == values[0] for value in values):
        return values[0] or "–"
    return "; ".join(f"{version}: {value or '–'}" for version, value in by_version.items())


def versions(one):
    return ", ".join(f"{name} {version}" for name, version in one["versions"].items())


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(one.replace("|", "\\|") for one in line) + " |" for line in lines)
