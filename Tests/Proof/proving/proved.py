"""What was proved when these files were written: `proved.json`, beside the pages that are made from it."""

import json
import re

from .processes import ROOT

FILE = ROOT / "Tests/Proof/proved.json"
OF_THE_MACHINE = ("BlueZ", "Chromium", "Linux", "mosquitto", "nats-server")
"""Programs that a machine brings along, in whatever version: another one makes nothing outdated."""


def entry(result):
    """Of a run, what is worth keeping."""
    return {
        "title": result["title"], "versions": result["versions"],
        "claims": [step["claim"] for step in result["steps"]], **result["facts"]}


def load():
    return json.loads(FILE.read_text()) if FILE.exists() else {}


def store(proved):
    FILE.write_text(text(proved))


def text(proved):
    return json.dumps(proved, indent=1, ensure_ascii=False) + "\n"


def differences(results, proved):
    """Proofs whose run shows something else than the file."""
    return [
        f"{result['name']} shows something else than Tests/Proof/proved.json"
        for result in results
        if comparable(entry(result)) != comparable(proved.get(result["name"]))]


def comparable(one):
    return json.dumps(one and {**one, "versions": {
        name: re.sub(r".+", "any", version) if name in OF_THE_MACHINE else version
        for name, version in one["versions"].items()}}, sort_keys=True)
