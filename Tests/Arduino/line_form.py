"""The bridge's side of the line form, written from the protocol page alone.

It checks the vectors that the host tests and the bridge share, and drives boards in the simulator.
"""
import binascii
import json
import re
import zlib

LONGEST = 255


class Malformed(Exception):
    """What a body was refused for: version, unknown, utf8 or malformed."""


def checksum(body: bytes) -> bytes:
    return b"%04x" % binascii.crc_hqx(body, 0xFFFF)


def frame(body: bytes) -> bytes:
    return b"~" + body + checksum(body) + b"\n"


class Reader:
    """Takes bytes; gives bodies, and errors as words."""

    def __init__(self, limit=LONGEST):
        self.limit = limit
        self.state = "between"
        self.line = bytearray()
        self.outside = bytearray()

    def take(self, chunk):
        for byte in chunk:
            if byte == 0x7E:
                if self.state in ("reading", "ending"):
                    yield ("error", "interrupted")
                self.state, self.line = "reading", bytearray()
            elif self.state == "between":
                self.outside.append(byte)
            elif byte == 0x0A:
                whole, self.state = self.state != "skipping", "between"
                if not whole:
                    continue
                body, sum_ = bytes(self.line[:-4]), bytes(self.line[-4:])
                if not body:
                    yield ("error", "too_short")
                elif checksum(body) != sum_:
                    yield ("error", "checksum")
                else:
                    yield ("body", body)
            elif self.state == "skipping":
                pass
            elif byte == 0x0D and self.state == "reading":
                self.state = "ending"
            elif self.state == "ending" or byte < 0x20 or byte == 0x7F:
                self.state = "skipping"
                yield ("error", "control_character")
            elif len(self.line) == self.limit:
                self.state = "skipping"
                yield ("error", "too_long")
            else:
                self.line.append(byte)


def escape(text: str, more="") -> str:
    return "".join("\\%02x" % ord(c) if c < " " or c in "~\\\x7f" + more else c for c in text)


def unescape(text: str) -> str:
    if re.search(r"\\(?!(?!00)[0-7][0-9a-f])", text):
        raise Malformed("malformed")
    return re.sub(r"\\(..)", lambda m: chr(int(m[1], 16)), text)


KINDS = {
    "s": "sensor", "t": "text_sensor", "k": "enumeration", "i": "timestamp", "b": "binary_sensor",
    "w": "switch", "n": "number", "o": "select", "p": "button", "x": "text", "e": "event", "l": "lock",
    "c": "cover", "j": "table",
}
REASONS = {
    "n": "not_now", "b": "busy", "l": "locked_out", "f": "full", "r": "out_of_range", "i": "invalid",
    "k": "unknown_property", "o": "read_only", "u": "unsupported", "s": "no_session",
}
BOARD_ATTRIBUTES = {"v": "version", "m": "model", "f": "manufacturer"}
NUMBER = r"-?[0-9]{1,10}(?:\.[0-9]{1,6})?"


def number(text):
    if not re.fullmatch(NUMBER, text):
        raise Malformed("malformed")
    value = float(text)
    return int(value) if value == int(value) else value


def small(text, greatest):
    if not re.fullmatch("[0-9]{1,5}", text) or int(text) > greatest:
        raise Malformed("malformed")
    return int(text)


def match(pattern, text):
    found = re.fullmatch(pattern, text, re.S)
    if not found:
        raise Malformed("malformed")
    return found.groups()


def parse(body: bytes) -> dict:
    """The fields of a board's line."""
    letter = chr(body[0])
    try:
        rest = body[1:].decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed("utf8") from None
    known = {"h": hello, "d": description, "g": greeting, "v": value, "e": event, "a": answer, "p": pong}
    if letter not in known:
        raise Malformed("unknown")
    return known[letter](rest)


def hello(rest):
    version, _, rest = rest.partition("|")
    if version != "1":
        raise Malformed("version" if re.fullmatch("[0-9]{1,3}", version) else "malformed")
    token, identity, keeps, limit, count, name, attributes = match(
        r"([0-9a-f]{8})\|([0-9a-f]{8})?(\+)?\|([0-9]{1,3})\|([0-9]{1,3})\|([^|]+)((?:\|.*)?)", rest)
    fields = {"type": "hello", "token": token, "identity": identity, "keeps_identity": bool(keeps),
              "limit": small(limit, 255), "count": small(count, 100), "name": unescape(name)}
    if fields["limit"] < 24:
        raise Malformed("malformed")
    for attribute in attributes.split("|")[1:]:
        if attribute[:1] in BOARD_ATTRIBUTES:
            fields[BOARD_ATTRIBUTES[attribute[0]]] = unescape(attribute[1:])
        elif attribute[:1] == "q":
            fields["patience"] = small(attribute[1:], 35)
            if fields["patience"] < 2:
                raise Malformed("malformed")
    return fields


def description(rest):
    index, kind, key, name, attributes = match(
        r"([0-9]{1,2})\|(.)([a-z0-9_]{1,64})\|([^|]*)((?:\|.*)?)", rest)
    fields = {"type": "description", "index": int(index), "kind": KINDS.get(kind), "key": key,
              "name": unescape(name)}
    for attribute in attributes.split("|")[1:]:
        letter, text = attribute[:1], unescape(attribute[1:])
        if letter == "u":
            fields["unit"] = text
        elif letter == "c":
            fields["device_class"] = text
        elif letter == "i":
            fields["icon"] = text
        elif letter == "s" and text in ("m", "t", "i"):
            fields["state_class"] = {"m": "measurement", "t": "total", "i": "total_increasing"}[text]
        elif letter == "g" and text in ("c", "d"):
            fields["category"] = {"c": "config", "d": "diagnostic"}[text]
        elif letter == "p":
            fields["decimals"] = small(text, 6)
        elif letter == "l":
            fields["longest"] = small(text, 200)
        elif letter == "n":
            fields["rows"] = small(text, 32)
        elif letter == "r":
            low, high, step = (number(part) for part in match(rf"({NUMBER}):({NUMBER}):({NUMBER})", text))
            if low >= high or step <= 0:
                raise Malformed("malformed")
            fields["range"] = [low, high, step]
        elif letter == "o":
            fields.setdefault("options", []).append(text)
        elif letter == "a":
            fields["assumed"] = True
        elif letter == "x":
            fields["disabled"] = True
        elif letter == "k":
            fields["can_close"] = True
        elif letter == "h":
            fields["can_stop"] = True
    needed = {"number": "range", "select": "options", "enumeration": "options", "event": "options",
              "text": "longest", "text_sensor": "longest"}.get(fields["kind"])
    if needed and needed not in fields or fields["kind"] == "table" and not (
            fields.get("rows") and fields.get("longest")):
        raise Malformed("malformed")
    if len(set(fields.get("options", []))) != len(fields.get("options", [])):
        raise Malformed("malformed")
    return fields


def greeting(rest):
    return {"type": "greeting", "token": match("([0-9a-f]{8})", rest)[0]}


def value(rest):
    index, text = match(r"([0-9]{1,2})=(.*)", rest)
    fields = {"type": "value", "index": int(index)}
    if text == "?":
        fields["unknown"] = True
    elif text[:1] == '"':
        fields["text"] = unescape(text[1:])
    elif re.match("[0-9]{1,2}:", text):
        place, _, row = text.partition(":")
        fields["row"] = small(place, 31)
        fields["object"] = flat_object(unescape(row))
    else:
        fields["number"] = number(text)
    return fields


def flat_object(text):
    """A row of a table: a flat JSON object with a name, without spaces; or null."""
    def once(members):
        if len(dict(members)) != len(members):
            raise Malformed("malformed")
        return dict(members)

    def refuse(_):
        raise Malformed("malformed")

    try:
        row = json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except ValueError:
        raise Malformed("malformed") from None
    if row is None and text == "null":
        return None
    if not isinstance(row, dict) or not isinstance(row.get("name"), str) or not row["name"]:
        raise Malformed("malformed")
    if any(isinstance(member, (dict, list)) for member in row.values()):
        raise Malformed("malformed")
    return row


def event(rest):
    index, option = match(r"([0-9]{1,2})=([0-9]{1,3})", rest)
    return {"type": "event", "index": int(index), "option": small(option, 255)}


def answer(rest):
    sequence, accepted, reason, words = match(r"([0-9a-z])(?:(\+)|-([a-z])(?:\|(.*))?)", rest)
    fields = {"type": "answer", "sequence": sequence, "accepted": bool(accepted)}
    if reason:
        fields["reason"] = REASONS.get(reason, "not_now")
        if words:
            fields["words"] = unescape(words)
    return fields


def pong(rest):
    lines, dropped, events = match(r"([0-9]{1,5})\|([0-9]{1,5})\|([0-9]{1,5})", rest)
    return {"type": "pong", "lines": small(lines, 65535), "dropped": small(dropped, 65535),
            "lost_events": small(events, 65535)}


def token(hello_body: bytes, descriptions) -> str:
    """What the hello's token must be: of the hello without it, and all descriptions in order."""
    sum_ = zlib.crc32(b"~" + hello_body[:3] + hello_body[12:])
    for body in descriptions:
        sum_ = zlib.crc32(b"~" + body, sum_)
    return "%08x" % sum_


def compose(fields: dict) -> bytes:
    """The body of a bridge's line."""
    kind = fields["type"]
    if kind == "describe":
        return b"D%d" % fields["index"] if "index" in fields else b"D"
    if kind == "greet":
        return b"G" + fields["token"].encode()
    if kind == "keep_identity":
        return b"I" + fields["identity"].encode()
    if kind == "command":
        if "text" in fields:
            text = '"' + escape(fields["text"])
        elif "put" in fields:
            text = "p" + escape(fields["put"])
        elif "delete" in fields:
            text = "d" + escape(json.dumps(fields["delete"], ensure_ascii=False))
        elif "number" in fields:
            text = "%.6f" % fields["number"]
            text = text.rstrip("0").rstrip(".")
            text = "0" if text == "-0" else text
        else:
            text = ""
        return b"C%s%d=%s" % (fields["sequence"].encode(), fields["index"], text.encode())
    return {"who": b"W", "ping": b"P", "repeat": b"R", "bye": b"B"}[kind]
