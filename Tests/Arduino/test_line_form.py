"""The vectors of the line form against an implementation that shares no code with the library."""
import json
import re
import sys
import zlib

import line_form

with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
failures = 0


def expect(name, case, got, wanted):
    global failures
    if got != wanted:
        failures += 1
        print(f"{name}: {case}\n  wanted {wanted}\n  got    {got}", file=sys.stderr)


def body_of(case):
    return case["body"].encode() if "body" in case else bytes.fromhex(case["body_hex"])


for case in vectors["checksums"]:
    data = bytes.fromhex(case["hex"])
    expect("checksums", case, line_form.checksum(data).decode(), case["line"])
    expect("checksums", case, "%08x" % zlib.crc32(data), case["token"])

for case in vectors["framing"]:
    data = bytes.fromhex(case["hex"])
    wanted = [("error", r["error"]) if "error" in r else ("body", body_of(r)) for r in case["results"]]
    # In every way to cut it in two.
    for cut in range(len(data) + 1):
        reader = line_form.Reader(case["limit"])
        got = list(reader.take(data[:cut])) + list(reader.take(data[cut:]))
        expect("framing", case["why"], got, wanted)
        expect("framing", case["why"], reader.outside.hex(), case["outside"])

for case in vectors["from_board"]:
    try:
        got = line_form.parse(body_of(case))
    except line_form.Malformed as error:
        got = str(error)
    expect("from_board", case, got, case.get("error") or case.get("fields"))

table = vectors["table"]
for case in [*vectors["tokens"], {"why": "the board of the table", **table["board"]}]:
    hello = case["hello"].encode()
    got = line_form.token(hello, [body.encode() for body in case["descriptions"]])
    expect("tokens", case["why"], got, case["token"])
    expect("tokens", case["why"], line_form.parse(hello)["token"], case["token"])

for case in vectors["to_board"]:
    body = line_form.compose(case["fields"])
    expect("to_board", case, body.decode(), case["body"])
    expect("to_board", case, line_form.frame(body).hex(), case["hex"])

# Whatever the board says in a conversation can be read.
lines = [body for case in [*vectors["commands"], *table["commands"]] for body in [case["answer"], *case["then"]] if body]
steps = [step for case in [*vectors["conversations"], *table["conversations"]] for step in case["steps"]]
lines += [body for step in steps for body in step.get("from_board", [])]
for body in lines:
    try:
        line_form.parse(body.encode())
    except line_form.Malformed as error:
        expect("conversations", body, str(error), "fields")

# The lines on the protocol page are lines.
with open(sys.argv[2], encoding="utf-8") as file:
    examples = re.findall(r"^[←→] (~.*?)(?:  .*)?$", file.read(), re.M)
for line in examples:
    expect("page", line, len(list(filter(lambda found: found[0] == "body", line_form.Reader().take(
        (line + "\n").encode())))), 1)
expect("page", "examples", len(examples) >= 14, True)

count = sum(len(cases) for part in (vectors, table) for cases in part.values() if isinstance(cases, list))
print(f"line form: {count} vectors, {failures} failures")
sys.exit(failures > 0 or count < 300)
