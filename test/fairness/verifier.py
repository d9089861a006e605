#!/usr/bin/env python3
"""A second verifier of Halfmove's games, written from docs/fairness.md alone. Python 3, nothing to install.

    verifier.py [--commitment HEX] [--deal-root HEX] [--hash HEX] [--receipt FILE]... [--proof FILE]...
                [--key KEY]... [--witness KEY]... [--player creator|accepter|first|second|USERID] FILE...
    verifier.py --receipt FILE... [--proof FILE]... [--key KEY]... [--witness KEY]...
    verifier.py --equivocation [--key KEY]... A B

It checks all that is cryptography: chain, seeds, sides, deal, proofs, receipts and the log. The rules of the games, the
clocks and what players may do when it leaves to `npm run verify`, and says `-` there. What it prints and the codes it
ends with are the same: 0 all holds, 1 a check failed, 2 called wrongly or not readable, 3 something is left to check. Of
several files each has a heading, and the worst of them counts. python.long.full.test.ts holds the two against each other.
"""
import base64
import binascii
import hashlib
import hmac
import itertools
import json
import os
import re
import struct
import sys
from datetime import datetime


class Bad(Exception):
    """Something is not as docs/fairness.md wants it; the text says what."""


class Unknown(Bad):
    """A proof of none of the entries that are known."""


class Misuse(Exception):
    """A file or a key that was given cannot be read."""


# --- Encodings ---------------------------------------------------------------------------------------------------

def sha(data):
    return hashlib.sha256(data).digest()


def hash_of(text):
    return sha(text.encode()).hex()


def canonical(value):
    """RFC 8785 for what occurs here: texts, integers, booleans, null, lists, objects. Names sort as UTF-16."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def parsed(data):
    """Strict JSON: UTF-8, each name once in an object, whole numbers, whole characters."""
    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a name stands twice in an object")
        return dict(pairs)

    def number(text):
        if not re.fullmatch("0|-?[1-9][0-9]{0,15}", text) or abs(int(text)) >= 2**53:
            raise ValueError(f"{text[:40]} is not a whole number below 2^53")
        return int(text)
    try:
        value = json.loads(data.decode(), object_pairs_hook=once, parse_int=number, parse_float=number,
                           parse_constant=number)
        canonical(value).encode()  # refuses halves of characters
        return value
    except (ValueError, RecursionError) as error:
        raise Bad(f"the file is not JSON: {error}")


def decoded(text, size=None):
    """The bytes of a text in base64, of which there is one spelling alone."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Bad(f"{text[:60]} is not base 64")
    if base64.b64encode(data).decode() != text or size not in (None, len(data)):
        raise Bad(f"{text[:60]} is not base 64 of the right length")
    return data


# --- Ed25519 (RFC 8032), verification alone ------------------------------------------------------------------------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)


def point(data):
    """The point (x, y, z, t) that 32 bytes name, or None."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_1 % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P


def plus(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * D * p[3] * q[3], 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(n, p):
    result = (0, 1, 1, 0)
    while n:
        if n & 1:
            result = plus(result, p)
        n, p = n >> 1, plus(p, p)
    return result


BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def signed_by(public_key, text, signature):
    """Has the key made this signature? [s]B = R + [h]A."""
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    a, big_r = point(public_key), point(r)
    if len(signature) != 64 or s >= ORDER or a is None or big_r is None:
        return False
    h = int.from_bytes(hashlib.sha512(r + public_key + text).digest(), "little") % ORDER
    left, right = times(s, BASE), plus(big_r, times(h, a))
    return all((left[i] * right[2] - right[i] * left[2]) % P == 0 for i in (0, 1))


# --- Signed notes (C2SP signed-note) -------------------------------------------------------------------------------

def keys_in(text, kind):
    """{(name, key id): kind and public key} of all verifier keys in a text: one key, or a file of some, JSON or not.
    The kind is 1, or 4 of witnesses."""
    keys = {}
    for name, key_id, coded in re.findall(r'([^\s+"]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)', text):
        data = decoded(coded, 33)
        if data[0] != kind or sha(name.encode() + b"\n" + data)[:4].hex() != key_id:
            raise Bad(f"{name}+{key_id} is not a key of kind {kind} with its own id")
        keys[name, bytes.fromhex(key_id)] = data
    return keys


def holds(key, text, signature):
    """A witness signs a time as well, which stands before the signature (C2SP tlog-cosignature)."""
    if key[0] == 4:
        head = f"cosignature/v1\ntime {int.from_bytes(signature[:8], 'big')}\n"
        text, signature = head.encode() + text, signature[8:]
    return signed_by(key[1:], text, signature)


def opened(note, keys):
    """The text of a signed note, and the names of the trusted keys that have signed it."""
    try:
        note.decode()
    except UnicodeDecodeError:
        raise Bad("the note is not UTF-8")
    text, blank, signatures = note.rpartition(b"\n\n")
    if not blank or not signatures.endswith(b"\n") or re.search(rb"[\x00-\x09\x0b-\x1f]", note):
        raise Bad("it is not a signed note: a text, an empty line, signatures")
    text, names = text + b"\n", set()
    for line in signatures.decode()[:-1].split("\n"):
        match = re.fullmatch(r"\u2014 ([^\s+]+) (\S+)", line)
        if not match:
            raise Bad(f"{line[:60]!r} is not a signature line")
        name, data = match[1], decoded(match[2])
        if len(data) < 5:
            raise Bad(f"the signature of {name} is too short")
        key = keys.get((name, data[:4]))
        if key and not holds(key, text, data[4:]):
            raise Bad(f"the signature of {name} is wrong")
        if key:
            names.add(name)
    return text.decode(), names


# --- What the seeds decide -----------------------------------------------------------------------------------------

BANQI = "KAABBRRNNCCPPPPPkaabbrrnnccppppp"
HIDDEN = {  # rule set: files, ranks, list
    "banqi-hongkong": (4, 8, BANQI),
    "banqi-taiwan": (4, 8, BANQI),
    "half-chess": (8, 4, "KQRRBBNNPPPPPPPPkqrrbbnnpppppppp"),
}


def squares(ruleset):
    files, ranks, _ = HIDDEN[ruleset]
    return [f"{'abcdefgh'[file]}{rank + 1}" for rank in range(ranks) for file in range(files)]


class Seeds:
    """The server seed as a key, and the messages under it, with the client seeds in the order creator, accepter."""

    def __init__(self, server, game, client_seeds):
        self.key, self.game, self.client_seeds = bytes.fromhex(server), game, client_seeds

    def mac(self, *message):
        return hmac.new(self.key, canonical(list(message)).encode(), hashlib.sha256).digest()

    def numbers(self):
        for i in itertools.count():
            yield from struct.unpack(">8I", self.mac("halfmove deal 2", self.game, *self.client_seeds, i))

    def creator_first(self):
        return self.mac("halfmove sides 2", self.game, *self.client_seeds)[0] & 1 == 0

    def salt(self, square):
        return self.mac("halfmove salt 2", self.game, square).hex()

    def deal(self, ruleset):
        return shuffled(HIDDEN[ruleset][2], self.numbers())

    def setup(self):
        numbers = self.numbers()
        return shuffled("KQRBN", numbers) + "/" + shuffled("kqrbn", numbers)

    def deal_root(self, ruleset, deal):
        level = [leaf(square, piece, self.salt(square)) for square, piece in zip(squares(ruleset), deal)]
        while len(level) > 1:
            level = [node(*level[i:i + 2]) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
        return level[0].hex()


def is_setup(text):
    rows = text.split("/") if isinstance(text, str) else []
    return [sorted(row) for row in rows] == [sorted("KQRBN"), sorted("kqrbn")]


def shuffled(letters, numbers):
    items = list(letters)
    for k in range(len(items) - 1, 0, -1):
        limit = 2**32 // (k + 1) * (k + 1)
        j = next(u for u in numbers if u < limit) % (k + 1)
        items[k], items[j] = items[j], items[k]
    return "".join(items)


# --- Merkle trees: that of a deal and that of the log have the same nodes ------------------------------------------

def leaf(square, piece, salt):
    return sha(f"leaf:{square}:{piece}:{salt}".encode())


def node(left, right):
    return sha(b"\x01" + left + right)


def climbed(start, index, size, path):
    """The root to which a path leads from the leaf at this place; None if it has a wrong length."""
    path, result = list(path), start
    while size > 1:
        if index ^ 1 < size:  # a node without a neighbour rises
            if not path:
                return None
            result = node(path.pop(0), result) if index & 1 else node(result, path.pop(0))
        index, size = index // 2, (size + 1) // 2
    return None if path else result


# --- Forms ---------------------------------------------------------------------------------------------------------

def text(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value)


def whole(low, high=2**53 - 1):
    return lambda value: type(value) is int and low <= value <= high


def is_text(value):
    return isinstance(value, str) and len(value.encode("utf-16-le")) <= 2000  # 1000 units of UTF-16


def is_bool(value):
    return isinstance(value, bool)


def is_object(value):
    return isinstance(value, dict)


is_hash, is_client_seed = text("[0-9a-f]{64}"), text("[0-9a-f]{32}")
is_id = text("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
is_count, is_rating, is_seconds = whole(0), whole(0, 4000), whole(60, 5184000)


def is_time(value):
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", value, re.ASCII):
        return False
    try:
        return bool(datetime.strptime(value, "%Y-%m-%dT%H:%M:%S.%fZ")) and value[17:19] < "60"
    except ValueError:
        return False


def fit(value, form, path):
    """Refuses a value that has not its form: an object of forms ('name?' may be missing or null; with '*' there may be
    others), [form of each], a tuple of alternatives, a test, or the value itself."""
    if isinstance(form, tuple):
        for one in form:
            try:
                return fit(value, one, path)
            except Bad as error:
                problem = error
        raise problem if len(form) == 2 and form[1] is None else Bad(f"{path} has not its form")
    if isinstance(form, dict):
        if not isinstance(value, dict):
            raise Bad(f"{path} must be an object")
        for name in value.keys() - {name.rstrip("?") for name in form} if "*" not in form else ():
            raise Bad(f'{path} must not have a field "{name}"')
        for name, inner in form.items():
            plain = name.rstrip("?")
            if value.get(plain) is not None or not name.endswith("?") and plain in value:
                fit(value[plain], inner, f"{path}.{plain}")
            elif name == plain and name != "*":
                raise Bad(f'{path} has no field "{name}"')
    elif isinstance(form, list):
        if not isinstance(value, list):
            raise Bad(f"{path} must be a list")
        for i, one in enumerate(value):
            fit(one, form[0], f"{path}[{i}]")
    elif not (form(value) if callable(form) else value == form and type(value) is type(form)):
        raise Bad(f"{path} has not its form")


REASONS = (
    "checkmate", "kingCaptured", "noLegalMove", "allPiecesCaptured", "stalemate", "threefoldRepetition",
    "fivefoldRepetition", "fiftyMoves", "seventyFiveMoves", "quietLimit", "insufficientMaterial", "perpetualCheck",
    "perpetualChase", "perpetualAttack", "resignation", "agreement", "timeout", "aborted")
ROLES = ("creator", "accepter")
SEAT, SIDE = ("first", "second"), ("first", "second", "any")
OUTCOME = {"winner": (*SEAT, None), "reason": REASONS}
PROOF = {"salt": is_hash, "path": [is_hash]}
PLY = {"ply": whole(1), "move": is_text, "reveals": (is_text, None), "san": is_text, "position": is_text,
       "timeUsed": is_count, "automatic": is_bool}
PLAYER = {"id": is_text, "username": is_text}

RECORD = {"format": 2, "id": is_id, "players": ({"first": PLAYER, "second": PLAYER}, None),
            "outcome": (OUTCOME, None), "serverSeed": (is_hash, None), "rows": [is_object]}
ROW = {"seq": is_count, "type": is_text, "player": (*SEAT, None), "data": is_object, "at": is_time,
       "previousHash": (is_hash, None), "hash": is_hash, "proof?": PROOF}
DATA = {
    "create": {
        "format": 2, "kind": ("direct", "link", "seek"), "creator": is_text, "opponent": (is_text, None),
        "ruleset": is_text, "options": is_object, "timeControl": is_object, "rated": is_bool, "side": SIDE,
        "minRating": (is_rating, None), "maxRating": (is_rating, None), "rematchOf": (is_text, None),
        "counterTo": (is_text, None), "expiresAt": is_time, "commitment": is_hash, "clientSeedHash": (is_hash, None)},
    "seed": {"by": ROLES, "clientSeedHash": is_hash, "clientSeed": (is_client_seed, None)},
    "accept": {"accepter": is_text, "side": SIDE, "seek": (is_text, None), "clientSeedHash": (is_hash, None),
               "clientSeed": (is_client_seed, None), "earlier": ({"creator": is_count, "accepter": is_count}, None),
               "creator": SEAT},
    "start": {
        "first": is_text, "second": is_text, "creator": SEAT, "sidesBy": ("wish", "balance", "seeds"),
        "creatorSeed": (is_client_seed, None), "accepterSeed": (is_client_seed, None), "setup": (is_text, None),
        "dealRoot": (is_hash, None), "onVacationUntil?": {"first?": is_time, "second?": is_time}},
    "ply": PLY,
    "end": OUTCOME,
}
# What acts and the clock write follows from the rules: the form of their data is looked at where they are played again.
ACTS = {
    "offerDraw", "acceptDraw", "declineDraw", "offerTakeback", "acceptTakeback", "declineTakeback", "offerPause",
    "acceptPause", "declinePause", "unpause", "requestTime", "giveTime", "acceptTimeRequest", "declineTimeRequest",
    "claimDraw", "claimAbandoned", "resign", "abort", "resume", "vacationStart", "vacationEnd", "reminder", "flag",
    "adjudicate"}
ENDING = ("resign", "abort", "adjudicate", "acceptDraw", "claimDraw", "claimAbandoned", "flag")

TIME_CONTROLS = (
    {"type": "perMove", "seconds": is_seconds, "noVacation?": True},
    {"type": "bank", "initial": is_seconds, "increment": is_count, "cap": is_seconds, "noVacation?": True},
    {"type": "none", "noVacation?": True})


# --- The checks of a record ----------------------------------------------------------------------------------------

class Report:
    """Lines of (status, check, text). A check that raises Bad has failed."""

    def __init__(self):
        self.lines = []

    def say(self, status, check, text):
        self.lines.append((status, check, text))

    def make(self, check, work):
        """`work` returns a text (the check holds), or (status, text)."""
        try:
            result = work()
            self.say(*(("ok", check, result) if isinstance(result, str) else (result[0], check, result[1])))
        except Bad as problem:
            self.say("FAILED", check, str(problem))

    def code(self):
        statuses = {status for status, _, _ in self.lines}
        return 1 if "FAILED" in statuses else 3 if "open" in statuses else 0


def need(holds, problem):
    if not holds:
        raise Bad(problem)


NOT_YET = ("open", "not yet: the server seed is published when the game ends")
NO_RULES = ("-", "this verifier does not know the rules of the games: see npm run verify")


def other(seat):
    return "second" if seat == "first" else "first"


class Game:
    """A record."""

    def __init__(self, record):
        fit(record, RECORD, "record")
        self.record, self.rows, self.id = record, record["rows"], record["id"]
        for i, row in enumerate(self.rows):
            fit(row, ROW, f"record.rows[{i}]")
            need(row["type"] in ACTS or row["type"] in DATA, f"rows[{i}]: there is no type {row['type']}")
            fit(row["data"], DATA.get(row["type"], is_object), f"record.rows[{i}].data")
            need(not row.get("proof") or row["data"].get("reveals"), f"rows[{i}] has a proof and turned nothing up")
        order = re.match("create (seed )?accept (seed ){0,2}(start )?", "".join(row["type"] + " " for row in self.rows))
        self.beginning = self.rows[:order[0].count(" ")] if order else []
        self.later = self.rows[len(self.beginning):]
        data = {row["type"]: row["data"] for row in self.beginning}
        self.create, self.accept, self.start = data.get("create"), data.get("accept"), data.get("start")
        self.started, self.over = bool(self.start), bool(self.rows) and self.rows[-1]["type"] == "end"
        if self.in_order():
            self.gather(self.start or {})

    def in_order(self):
        return self.create and not {row["type"] for row in self.later} & {"create", "seed", "accept", "start"}

    def gather(self, start):
        self.server_seed, self.commitment = self.record["serverSeed"], self.create["commitment"]
        self.ruleset, self.options = self.create["ruleset"], self.create["options"]
        self.plies = [{**row["data"], "proof": row.get("proof")} for row in self.rows if row["type"] == "ply"]
        self.setup, self.deal_root = start.get("setup"), start.get("dealRoot")
        client_seeds = start.get("creatorSeed"), start.get("accepterSeed")
        self.seeds = self.start and self.server_seed and Seeds(self.server_seed, self.id, client_seeds)

    def check_deal(self):
        if not self.started:
            return self.not_started()
        if self.ruleset not in HIDDEN:
            if self.ruleset != "half-court-chess":
                self.need_no_setup()
                return "-", "nothing is drawn here"
            need(is_setup(self.setup), "there is no set-up of these letters")
            named = self.options.get("setup")
            wanted = named if is_setup(named) else self.seeds and self.seeds.setup()
            if not wanted:
                return NOT_YET
            need(self.setup == wanted, f"the set-up is {self.setup}, and should be {wanted}")
            return self.setup
        self.need_no_setup()
        return self.seeds.deal(self.ruleset) if self.seeds else NOT_YET

    def need_no_setup(self):
        need(self.setup is None, "the game has a set-up, and its rules have none")

    def check_deal_root(self):
        if not self.started:
            return self.not_started()
        if self.ruleset not in HIDDEN:
            need(self.deal_root is None, "the game has a deal root, and nothing face-down")
            return "-", "nothing is dealt here"
        need(self.deal_root, "the game has no deal root")
        if not self.seeds:
            return NOT_YET
        root = self.seeds.deal_root(self.ruleset, self.seeds.deal(self.ruleset))
        need(root == self.deal_root, f"the seeds give the deal root {root}")
        return root

    def turned_up(self):
        """(square, letter, proof) of each ply that turned a piece up: it lay on the last square of the move."""
        for ply in self.plies:
            if ply["reveals"] is not None:
                passed = re.findall(r"[a-h][1-8]", ply["move"]) or [""]
                yield passed[-1], ply["reveals"], ply.get("proof")

    def check_reveals(self):
        if self.ruleset not in HIDDEN or not self.started:
            return "-", "nothing is dealt here"
        if not self.seeds:
            return NOT_YET
        dealt = dict(zip(squares(self.ruleset), self.seeds.deal(self.ruleset)))
        turned = list(self.turned_up())
        for square, letter, _ in turned:
            need(dealt.get(square) == letter, f"{square} was {dealt.get(square)}, and turned up as {letter}")
        return f"{len(turned)} turned up, each as dealt"

    def check_proofs(self):
        if self.ruleset not in HIDDEN or self.deal_root is None:
            return "-", "there is no deal root"
        places, turned = squares(self.ruleset), list(self.turned_up())
        for square, letter, proof in turned:
            need(proof, f"{square} was turned up without a proof")
            need(square in places, f"there is no square {square!r}")
            root = climbed(leaf(square, letter, proof["salt"]), places.index(square), len(places),
                           map(bytes.fromhex, proof["path"]))
            need(root and root.hex() == self.deal_root, f"the proof of {square} does not lead to the deal root")
        return f"{len(turned)} proofs lead to the deal root"

    def check_commitment(self):
        if self.server_seed is None:
            need(not self.over, "the game is over, and the record has no server seed")
            return NOT_YET
        need(self.over, "the server seed is there before the end")
        need(sha(bytes.fromhex(self.server_seed)).hex() == self.commitment, "the server seed has another hash")
        return self.commitment

    def check_drawn_sides(self, creator):
        if not self.seeds:
            return NOT_YET
        drawn = "first" if self.seeds.creator_first() else "second"
        need(drawn == creator, f"the seeds make the creator {drawn}")
        return "as the seeds give them"

    def check_record(self):
        players = self.record["players"]
        ids = players and [players[seat]["id"] for seat in SEAT]
        need(ids == (self.start and [self.start[seat] for seat in SEAT]), "players are not those of the row start")
        return "every field has its form"

    def not_started(self):
        return ("-" if self.over else "open"), "the game has not started: nothing is drawn"

    def report(self, report):
        if not self.in_order():
            report.make("chain", self.check_chain)
            report.say("FAILED", "begin", "a game begins with create, perhaps seed, accept, up to two seed, start")
            return
        report.make("record", self.check_record)
        report.make("chain", self.check_chain)
        report.make("begin", self.check_begin)
        report.say("-", "ruleset", NO_RULES[1])
        report.make("commitment", self.check_commitment)
        report.make("clientSeeds", self.check_client_seeds)
        report.make("sides", self.check_sides)
        report.make("deal", self.check_deal)
        report.make("dealRoot", self.check_deal_root)
        report.say("-", "plies", NO_RULES[1])
        report.make("reveals", self.check_reveals)
        report.make("proofs", self.check_proofs)
        report.say("-", "times", NO_RULES[1])
        report.make("acts", self.check_acts)
        report.make("outcome", self.check_outcome)
        report.say("-", "names", f"{self.ids()}: the hashes cover these user ids, and no usernames")

    def ids(self):
        if self.start:
            return f"first is {self.start['first']}, second is {self.start['second']}"
        return f"the creator is {self.create['creator']}, the accepter is {self.accept['accepter']}"

    def check_chain(self):
        need(self.rows, "there are no rows")
        before = None
        for row in self.rows:
            name = f"seq {row['seq']}, {row['type']}"
            covered = {key: value for key, value in row.items() if key not in ("hash", "proof")}
            due = hash_of(canonical({"game": self.id, **covered}))
            need(due == row["hash"], f"{name}: its content has another hash")
            need(row["previousHash"] == (before and before["hash"]), f"{name}: previousHash is another hash")
            need(before is None or before["type"] != "end", f"{name}: it stands behind the end")
            need(before is None or before["seq"] <= row["seq"], f"{name}: it comes after a higher seq")
            before = row
        self.check_versions()
        return f"{len(self.rows)} rows, the newest hash is {before['hash']}"

    def check_versions(self):
        """Behind the beginning each version is one above the one before."""
        before = self.beginning[-1]["seq"] if self.beginning else 0
        for i, row in enumerate(self.later if self.in_order() else ()):
            need(row["seq"] == before + 1 or i > 0 and row["seq"] == before, f"seq {row['seq']} comes after {before}")
            before = row["seq"]

    def check_begin(self):
        create, accept = self.create, self.accept
        for i, row in enumerate(self.beginning):
            need(row["player"] is None, f"{row['type']} has a player")
            need(row["seq"] == i - (row["type"] == "start"), f"{row['type']} must have the version {i}")
        fit(create["timeControl"], TIME_CONTROLS, "timeControl")
        initial, increment, cap = (create["timeControl"].get(name, 0) for name in ("initial", "increment", "cap"))
        need(increment <= cap >= initial, "the cap of the bank is too low")
        need((create["kind"] == "direct") == (create["opponent"] is not None), "a direct one alone has an opponent")
        need(create["kind"] == "direct" or create["rematchOf"] is create["counterTo"] is None, "it answers nothing")
        need(create["opponent"] in (None, accept["accepter"]), "somebody else has accepted")
        need(create["creator"] != accept["accepter"], "the creator has accepted")
        low, high = create["minRating"], create["maxRating"]
        need(low is None or high is None or low <= high, "minRating is above maxRating")
        opened, accepted = (row["at"] for row in self.beginning if row["type"] in ("create", "accept"))
        need(opened < create["expiresAt"] and accepted <= create["expiresAt"], "it was taken after it had expired")
        need(accept["seek"] is None or create["kind"] == "seek", "a seek meets seeks alone")
        need(accept["seek"] is not None or accept["side"] == "any", "who accepts wishes by a seek of his own alone")
        self.check_awaited()
        self.check_seats()
        return f"a {create['kind']} challenge of {create['creator']}, taken by {accept['accepter']}"

    def check_awaited(self):
        """The start comes as soon as no seed is awaited."""
        awaited = self.awaited()
        need(not (self.start and awaited), f"the game started while a seed was awaited: {', '.join(awaited)}")
        need(self.start or awaited, "no seed is awaited, and the game has not started")

    def awaited(self):
        given = {row["data"]["by"] for row in self.beginning if row["type"] == "seed"}
        return [by for by in ROLES if self.announced(by) and by not in given]

    def announced(self, by):
        """The hash of a seed that comes behind the row which names it."""
        if by == "creator":
            return self.create["clientSeedHash"]
        return self.accept["clientSeedHash"] if self.accept["clientSeed"] is None else None

    def check_seats(self):
        start, creator = self.start, self.accept["creator"]
        by, seat = self.decided()
        need((by == "wish") == (self.accept["earlier"] is None), "accept counts earlier games unless a wish decides")
        at_once = start and self.beginning[-2]["type"] == "accept"
        need(creator == (seat or (start["creator"] if at_once else "first")), "creator of accept is wrong")
        if not start:
            return
        seats = [start["first"], start["second"]] if start["creator"] == "first" else [start["second"], start["first"]]
        need(seats == [self.create["creator"], self.accept["accepter"]], "others play than have agreed on it")

    def decided(self):
        """What decides who is first, and where that puts the creator; None where the seeds do."""
        own, others, earlier = self.create["side"], self.accept["side"], self.accept["earlier"]
        if own != "any" or others != "any":
            return "wish", own if own != "any" else other(others)
        if earlier and earlier["creator"] != earlier["accepter"]:
            return "balance", "first" if earlier["creator"] < earlier["accepter"] else "second"
        return "seeds", None

    def check_client_seeds(self):
        announced = {"creator": self.create["clientSeedHash"], "accepter": self.accept["clientSeedHash"]}
        brought, hash_brought = self.accept["clientSeed"], self.accept["clientSeedHash"]
        need(brought is None or hash_of(brought) == hash_brought, "the seed of the acceptance has another hash")
        need(brought is not None or not hash_brought or self.accept["seek"] or self.create["rematchOf"],
             "a seed is announced with the acceptance only where two seeks met, or in a rematch")
        given, accepted = set(), False
        for row in self.rows:
            accepted = accepted or row["type"] == "accept"
            if row["type"] != "seed":
                continue
            by, bound, seed = (row["data"][name] for name in ("by", "clientSeedHash", "clientSeed"))
            need(by not in given, f"the {by} has given two seeds")
            given.add(by)
            need((seed is not None) == accepted, "a seed is shown from the acceptance on, and not before")
            need(accepted or by == "creator", "the accepter has given a seed before the acceptance")
            need(not accepted or self.announced(by), f"the {by} has announced no seed that is still to come")
            need(announced[by] in (None, bound), f"the {by} has given another seed than was announced")
            need(seed is None or hash_of(seed) == bound, f"the seed of the {by} has another hash")
            announced[by] = bound
        need(not announced["creator"] or announced["creator"] != announced["accepter"], "the two seeds are the same")
        words = "; ".join(f"{by}: {'bound to ' + bound if bound else 'none'}" for by, bound in announced.items())
        if not self.start:
            return ("-" if self.over else "open"), f"the game has not started ({words})"
        for by, bound in announced.items():
            seed = self.start[f"{by}Seed"]
            need((seed and hash_of(seed)) == bound, f"the seed of the {by} in start is not the one given")
        return words

    def check_sides(self):
        if not self.start:
            return self.not_started()
        creator, said = self.start["creator"], self.start["sidesBy"]
        by, seat = self.decided()
        need(said == by, f"sidesBy is {said}, and it should be {by}")
        if by == "seeds":
            return self.check_drawn_sides(creator)
        need(creator == seat, f"the creator should be {seat}")
        return "as wished" if by == "wish" else f"by earlier games, as the server says: {self.accept['earlier']}"

    def check_acts(self):
        """Of all acts the one alone that takes no rules: who has withheld an announced seed."""
        for row in self.later if not self.start else ():
            named = row["data"].get("withheld")
            need(row["type"] != "flag" or named == self.awaited(), f"others were awaited than {named}")
        return NO_RULES

    def check_outcome(self):
        end = self.rows[-1] if self.over else None
        need(self.record["outcome"] == (end and end["data"]), "outcome is not that of the row end")
        if not end:
            need(self.rows[-1]["type"] not in ENDING, "the row end is missing")
            return "no end"
        need(end["player"] is None, "the row end has a player")
        decided = [row for row in self.later if row["seq"] == end["seq"] and row["type"] in (*ENDING, "ply")]
        need(decided, "the end follows from no row of its version")
        wanted = self.outcome_of(decided[-1])  # a claim stands behind its ply
        reached = end["data"]["winner"], end["data"]["reason"]
        if wanted is None or wanted[1] == "timeout" and reached == (None, "timeout"):
            return "-", f"by {decided[-1]['type']}: {NO_RULES[1]}"
        need(reached == wanted, f"{decided[-1]['type']} gives {wanted}, and not {reached}")
        return canonical(end["data"])

    def outcome_of(self, row):
        """(winner, reason) of an act. Plies, and a draw by timeout where nobody could win, are for the rules."""
        kind, player, rival = row["type"], row["player"], row["player"] and other(row["player"])
        standing = [each["data"]["ply"] for each in self.later if each["type"] in ("ply", "acceptTakeback")]
        early = not standing or standing[-1] < 2
        return {
            "resign": (rival, "resignation"),
            "abort": (None, "aborted"),
            "adjudicate": (None, "aborted"),
            "acceptDraw": (None, "agreement"),
            "claimDraw": (None, row["data"].get("reason")),
            "claimAbandoned": (None, "aborted") if early else (player, "timeout"),
            "flag": (rival, "timeout") if self.start else (None, "aborted"),
        }.get(kind)

    # Had the server committed itself before it knew the seeds?

    def seeds_decide(self):
        drawn = self.ruleset in HIDDEN or self.ruleset == "half-court-chess" and not is_setup(self.options.get("setup"))
        return drawn or self.decided()[0] == "seeds"

    def roles_of(self, player):
        """The parts that a player has who is named by part, seat or id; None names both."""
        first, second = (self.start[seat] for seat in SEAT)
        names = {"first": {"first", first}, "second": {"second", second}}
        seats = {"creator": self.start["creator"], "accepter": other(self.start["creator"])}
        return [role for role, seat in seats.items() if player is None or player in {role, *names[seat]}]

    def given_at(self, role):
        """The version at which the seed of this part was given; 'seek' where it came with the accepter's own seek."""
        for row in self.beginning:
            if row["type"] == "seed" and row["data"]["by"] == role:
                return row["seq"]
        if self.accept["seek"] and self.accept["clientSeed"] and role == "accepter":
            return "seek"
        return next(row["seq"] for row in self.beginning if row["type"] == "accept")

    def is_given_to_seek(self, role):
        """Did the server know this seed before it chose the opponent?"""
        if role == "accepter":
            return self.given_at(role) == "seek"
        return self.create["kind"] == "seek" and self.beginning[1]["type"] == "seed"

    def bound_by(self, role, given):
        """The first version that binds the seed of the other one, where they gave it before this one; else 0."""
        if role == "creator":
            at = next(row["seq"] for row in self.beginning if row["type"] == "accept") if self.accept["clientSeedHash"] else 0
        else:
            at = 0 if self.create["clientSeedHash"] else next(
                (row["seq"] for row in self.beginning[:2] if row["type"] == "seed"), 0)
        return at if given != "seek" and at < given else 0

    # What receipts and the log say of the game

    def receipt_text(self, version):
        rows = [row for row in self.rows if row["seq"] <= version]
        need(rows and rows[-1]["seq"] == version, f"the record has no version {version}")
        data = {row["type"]: row["data"] for row in rows if row["type"] != "seed"}
        given = next((row["data"]["clientSeedHash"] for row in rows if row["type"] == "seed"), None)
        end = data.get("end")
        return "\n".join([
            "halfmove receipt v1", f"game {self.id}", f"version {version}", f"commitment {self.commitment}",
            f"creator-seed {self.create['clientSeedHash'] or given or 'none'}",
            f"accepter-seed {data.get('accept', {}).get('clientSeedHash') or 'none'}",
            f"deal-root {data.get('start', {}).get('dealRoot') or 'none'}", f"hash {rows[-1]['hash']}",
            f"outcome {end['reason']} {end['winner'] or 'nobody'}" if end else "outcome none", ""])

    def entries(self):
        """The entries of the log that the record gives, by what they are."""
        entries = {"open": open_entry(self.id, self.commitment, self.rows[0]["hash"])}
        if self.over:
            outcome = self.rows[-1]["data"]
            aborted = outcome["reason"] == "aborted"
            entries["end"] = canonical({
                "type": "end", "game": self.id, "end": "aborted" if aborted else "finished",
                "by": self.aborted_by() if aborted else None, "outcome": outcome, "serverSeed": self.server_seed,
                "hash": self.rows[-1]["hash"]})
        return entries

    def aborted_by(self):
        act = next(row for row in reversed(self.rows) if row["type"] != "end")
        withheld = act["data"].get("withheld")
        if withheld:
            return "both" if len(withheld) == 2 else withheld[0]
        if act["type"] not in ("abort", "claimAbandoned"):
            return "operator"
        return "creator" if act["player"] == (self.start or self.accept)["creator"] else "accepter"


# --- What was shown: values, receipts, the log ---------------------------------------------------------------------

RECEIPT = re.compile(
    r"halfmove receipt v1\ngame (?P<game>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\n"
    r"version (?P<version>0|[1-9]\d{0,14})\ncommitment (?P<commitment>[0-9a-f]{64})\n"
    r"creator-seed (?P<creator>[0-9a-f]{64}|none)\naccepter-seed ([0-9a-f]{64}|none)\ndeal-root ([0-9a-f]{64}|none)\n"
    r"hash (?P<hash>[0-9a-f]{64})\noutcome (none|(" + "|".join(REASONS) + r") (first|second|nobody))\n", re.ASCII)


def open_entry(game, commitment, row_hash):
    return canonical({"type": "open", "game": game, "commitment": commitment, "hash": row_hash})


def read_receipt(note, keys):
    """Its text, its fields, and whether a trusted key has signed it."""
    text, names = opened(note, keys)
    match = RECEIPT.fullmatch(text)
    need(match, "it is not a receipt")
    need(not names or any(not name.endswith("/log") for name in names), "it is signed by a key of the log")
    return text, match, bool(names)


def check_receipt(game, note, keys, report):
    """Its fields, and whether a trusted key has signed it. It may be of the seek that was joined, too."""
    text, fields, trusted = read_receipt(note, keys)
    if not trusted:
        report.say("open", "receipt", "who has signed it is not known: give --key")
    if fields["game"] == game.accept["seek"]:
        bound = fields["creator"]
        need(bound in ("none", game.accept["clientSeedHash"]), f"the seek had the seed {bound}, and the game another")
        report.say("ok", "receipt", f"of the seek {fields['game']}, which was joined to this game")
        return fields, trusted
    need(fields["game"] == game.id, f"it is of the game {fields['game']}")
    wanted = game.receipt_text(int(fields["version"]))
    for said, due in zip(text.split("\n"), wanted.split("\n")):
        need(said == due, f"version {fields['version']}: it says {said!r}, the record {due!r}")
    report.say("ok", "receipt", f"version {fields['version']}: the rows up to it are what you were shown")
    return fields, trusted


def read_proof(data):
    """(index, path, checkpoint as a signed note) of a .tlog-proof."""
    head, blank, checkpoint = data.partition(b"\n\n")
    try:
        lines = head.decode("ascii").split("\n")
    except UnicodeDecodeError:
        raise Bad("the proof is not text")
    need(blank and lines.pop(0) == "c2sp.org/tlog-proof@v1", "it is not a c2sp.org/tlog-proof@v1")
    index = re.fullmatch("index (0|[1-9][0-9]{0,15})", lines.pop(0) if lines else "")
    need(index, "the proof has no index")
    need(len(lines) <= 64, "the proof has more than 64 hashes")
    return int(index[1]), [decoded(line, 32) for line in lines], checkpoint


def check_proof(data, entries, keys, witnesses, report):
    """(which entry, origin, index, whether a trusted key and all witnesses have signed it)."""
    index, path, checkpoint = read_proof(data)
    text, names = opened(checkpoint, keys)
    lines = text.split("\n")
    need(len(lines) == 4 and re.fullmatch("0|[1-9][0-9]{0,15}", lines[1]), "it holds no checkpoint")
    origin, size, root = lines[0], int(lines[1]), decoded(lines[2], 32)
    need(not names or origin in names and origin.endswith("/log"), f"the checkpoint of {origin} is signed by another")
    need(index < size, f"place {index} is not in a log of {size}")
    for which, entry in entries.items():
        if climbed(sha(b"\x00" + entry.encode()), index, size, path) == root:
            report.say("ok", "log", f"the {which} is at index {index} of {size} in {origin}")
            if not names:
                report.say("open", "log", "who has signed it is not known: give --key")
            missing = [witness[0] for witness, key in witnesses.items() if not opened(checkpoint, {witness: key})[1]]
            for name, _ in witnesses:
                report.say(*("open", "log", f"not cosigned by {name}") if name in missing else ("ok", "log", "cosigned"))
            return which, origin, index, bool(names) and not missing
    raise Unknown(f"place {index} of {origin} holds none of {', '.join(entries)} as it should be")


def is_earlier(found):
    """Does the opening of the game stand before that of the seek that was joined? None where that is not shown."""
    places = {which: (origin, index) for which, origin, index, _ in found}
    if not {"open", "other open"} <= places.keys():
        return None
    (origin, index), (other_origin, other_index) = places["open"], places["other open"]
    return origin == other_origin and index < other_index


def is_creator(game, asked):
    return bool(asked["player"]) and game.roles_of(asked["player"][-1]) == ["creator"]


def check_newest(game, asked, versions, found, report):
    """Nothing from before the end says how the game ended, and what says it has no date."""
    last, given = game.rows[-1], asked["hash"] or asked["receipt"]
    proven = any(which == "end" and trusted for which, _, _, trusted in found)
    if last["type"] == "end" and (last["hash"] in asked["hash"] or last["seq"] in versions or proven):
        report.say("ok", "shown", "the end, by what may be from the same moment as the record")
    elif last["type"] == "end" and given:
        report.say("open", "shown", "the end: give its receipt, the newest hash, or the proof of the end")
    elif not given:
        report.say("open", "shown", "give a receipt, or the hash that you saw last: a record alone may be made up")


def check_order(found, report):
    """Where two seeks met, the opening of the game stands before that of the other in the same log."""
    earlier = is_earlier(found)
    if earlier is None:
        report.say("open", "log", "two seeks met: give --proof of both openings, and --receipt of the one joined")
    else:
        report.say("ok" if earlier else "FAILED", "log", f"the game is the {'earlier' if earlier else 'later'} seek")


def check_committed(game, asked, versions, earlier, report):
    """Had the server committed itself before it knew the seeds? `versions` are those of trusted receipts; `earlier`: of
    two seeks that met, the game's is the earlier one in the log."""
    def say(status, text):
        report.say(status, "committed", text)
    if not game.start:
        return say(*game.not_started())
    roles = game.roles_of(asked["player"][-1] if asked["player"] else None)
    if not roles:
        return say("FAILED", "the player is neither the creator nor the accepter of this game")
    if not game.seeds_decide():
        return say("-", "the seeds decide nothing here")
    for role in roles:
        given, open_seek = game.given_at(role), game.is_given_to_seek(role)
        note = "; given to an open seek, it does not bind the pairing" if open_seek else ""
        if game.start[f"{role}Seed"] is None:
            say("-", f"the {role}: left to the server")
        elif (given == "seek" or game.bound_by(role, given) == 0) and game.commitment in asked["commitment"]:
            say("ok", f"the {role}: you say that you had the commitment before the seed was given{note}")
        elif earlier if given == "seek" else any(game.bound_by(role, given) <= version < given for version in versions):
            say("ok", f"the {role}: the commitment is from before the seed was given{note}")
        else:
            say("open", (f"the {role}: give --receipt or --commitment that you had before you gave your seed"
                if given != "seek" else f"the {role}: give --proof of both openings, and --receipt of your seek") + note)


def check_shown(game, asked, hashes, report):
    for name, what, values in (("commitment", "the commitment", [game.commitment]),
                               ("deal-root", "the deal root", [game.deal_root]), ("hash", "the hash", hashes)):
        for value in asked[name]:
            report.say("ok" if value in values else "FAILED", "shown", f"{what} {value}")


def check_all(game, asked, keys, witnesses, report):
    """All that is given beside the record."""
    check_shown(game, asked, [row["hash"] for row in game.rows], report)
    entries, found, versions, sure = game.entries(), [], [], False
    for note in asked["receipt"]:
        try:
            fields, trusted = check_receipt(game, note, keys, report)
            if fields["game"] == game.id:
                versions += [int(fields["version"])] if trusted else []
            elif fields["version"] == "0":
                entries["other open"] = open_entry(fields["game"], fields["commitment"], fields["hash"])
                sure = trusted
        except Bad as problem:
            report.say("FAILED", "receipt", str(problem))
    for data in asked["proof"]:
        try:
            found.append(check_proof(data, entries, keys, witnesses, report))
        except Bad as problem:
            report.say("FAILED", "log", str(problem))
    # The order protects the one who joined, who alone has the receipt of that seek.
    known = is_earlier(found) is not None
    if game.accept["seek"] and (known or not game.start or not is_creator(game, asked)):
        check_order(found, report)
    check_newest(game, asked, versions, found, report)
    check_committed(game, asked, versions, sure and is_earlier([each for each in found if each[3]]), report)


# --- The command ---------------------------------------------------------------------------------------------------

def contents(name):
    if name == "-":
        return sys.stdin.buffer.read()
    with open(name, "rb") as file:
        return file.read()


def note_in(name):
    """A note ends with one newline: shells like to add another."""
    return re.sub(rb"\n+\Z", b"\n", contents(name))


def given_in(asked):
    """The trusted keys, the witnesses, and the receipts and proofs; raises Misuse where one cannot be read."""
    try:
        return (trusted(asked["key"]), trusted(asked["witness"], 4),
                {kind: [note_in(each) for each in asked[kind]] for kind in ("receipt", "proof")})
    except (Bad, OSError, UnicodeDecodeError) as problem:
        raise Misuse(problem)


def verified(name, asked):
    report, (keys, witnesses, shown) = Report(), given_in(asked)
    try:
        data = contents(name)
    except OSError as problem:
        raise Misuse(problem)
    try:
        game = Game(parsed(data))
    except Bad as problem:
        report.say("FAILED", "record", str(problem))
        return report
    game.report(report)
    if game.in_order():
        check_all(game, {**asked, **shown}, keys, witnesses, report)
    return report


def check_alone(asked):
    """Receipts of one challenge without its record, and the proof that its opening stands in the log."""
    report, said, openings = Report(), [], {}
    keys, witnesses, shown = given_in(asked)
    for note in shown["receipt"]:
        try:
            text, fields, by_key = read_receipt(note, keys)
            if not by_key:
                report.say("open", "receipt", "who has signed it is not known: give --key")
            said.append((text, fields.groupdict()))
            if fields["version"] == "0":
                openings["opening"] = open_entry(fields["game"], fields["commitment"], fields["hash"])
        except Bad as problem:
            report.say("FAILED", "receipt", str(problem))
    for text, one in said:
        agree = all(one["game"] == two["game"] and one["commitment"] == two["commitment"]
                    and (one["version"] != two["version"] or text == other) for other, two in said)
        report.say("ok" if agree else "FAILED", "receipt", f"version {one['version']} of {one['game']}")
    if not openings or not shown["proof"]:
        report.say("open", "log", "give the receipt of version 0, and the proof of the opening")
        return report
    for data in shown["proof"]:
        try:
            check_proof(data, openings, keys, witnesses, report)
        except Unknown as problem:
            report.say("open", "log", f"{problem}: give the proof of the opening")
        except Bad as problem:
            report.say("FAILED", "log", str(problem))
    return report


def quoted(text):
    """What a record says stays in its line."""
    return re.sub(r"[^ -~]", lambda match: f"\\u{ord(match[0]):04x}", text)[:300]


def held_in(name):
    """[(where, receipt)] of a folder of receipts, a store as clients keep it, or one receipt."""
    if os.path.isdir(name):
        files = [os.path.join(name, each) for each in os.listdir(name)]
        return [(each, note_in(each)) for each in files if os.path.isfile(each)]
    data = contents(name)
    if data.startswith(b"halfmove receipt "):
        return [(name, note_in(name))]
    try:
        store = parsed(data)
        fit(store, {"format": 1, "games": is_object, "*": None}, "store")
        for each in store["games"].values():
            fit(each, {"receipts": [lambda value: isinstance(value, str)], "*": None}, "game")
    except Bad:
        raise Bad(f"{name} is no receipt, no folder of receipts, and no store of receipts of format 1")
    return [(f"{name}, game {game}", re.sub(rb"\n+\Z", b"\n", text.encode()))
            for game, each in store["games"].items() for text in each["receipts"]]


def equivocation(names, given):
    try:
        keys, held = trusted(given), [each for name in names for each in held_in(name)]
    except (Bad, OSError, UnicodeDecodeError) as problem:
        print("not compared:", quoted(str(problem)))
        return 2
    said, left_out, proven = {}, False, set()
    for where, note in held:
        try:
            text, fields, by_key = read_receipt(note, keys)
            need(by_key, "it is not signed by a key that you trust")
        except (Bad, UnicodeDecodeError) as problem:
            print("left out", quoted(f"{where}: {problem}"))
            left_out = True
            continue
        version = fields["game"], fields["version"]
        if said.setdefault(version, text) != text and version not in proven:
            proven.add(version)
            print(f"PROVEN  The server signed two texts for version {version[1]} of {version[0]}.")
    if proven:
        return 1
    print(f"not proven: of {len(said)} versions there is one text each")
    return 3 if left_out else 0


def arguments(words):
    """({option: values}, files); raises Bad when called wrongly."""
    names = ("commitment", "deal-root", "hash", "receipt", "proof", "key", "player", "witness", "equivocation")
    asked, files, words = {name: [] for name in names}, [], iter(words)
    for word in words:
        name = word[2:]
        if word == "--equivocation":
            asked[name].append(True)
        elif word.startswith("--"):
            value = next(words, None)
            need(name in asked and value is not None, f"{word} is not understood")
            need(name not in ("commitment", "deal-root", "hash") or is_hash(value), f"{word} must be 64 hex digits")
            asked[name].append(value)
        else:
            files.append(word)
    alone = asked["receipt"] and not any(asked[name] for name in ("commitment", "deal-root", "hash", "equivocation"))
    need(asked["proof"] or not asked["witness"], "--witness goes with --proof")
    need((files or alone) and (not asked["equivocation"] or len(files) == 2), "which file?")
    return asked, files


def trusted(given, kind=1):
    keys = {}
    for key in given:
        found = keys_in(key if re.search(r"\+[0-9a-f]{8}\+", key) else contents(key).decode(), kind)
        need(found, f"there is no verifier key in {key}")
        keys.update(found)
    return keys


def main(words):
    try:
        asked, files = arguments(words)
    except Bad as error:
        print(f"{error}\n{__doc__}", file=sys.stderr)
        return 2
    if asked["equivocation"]:
        return equivocation(files, asked["key"])
    codes = []
    for name in files or [None]:
        try:
            report = verified(name, asked) if name else check_alone(asked)
        except Misuse as problem:
            print("not verified:", quoted(str(problem)))
            return 2
        if len(files) > 1:
            print(f"== {name}")
        for status, check, words in report.lines:
            print(f"{status:7} {check:12} {quoted(words)}")
        codes.append(report.code())
    return 1 if 1 in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
