# A site whose users play each other: HALFMOVE=... APPLICATION_ID=... APPLICATION_SECRET=... python3 site.py
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

HALFMOVE, ID, SECRET = (os.environ.get(name, "") for name in ("HALFMOVE", "APPLICATION_ID", "APPLICATION_SECRET"))
if not (HALFMOVE and ID and SECRET):
    sys.exit("Set HALFMOVE, APPLICATION_ID and APPLICATION_SECRET.")
HALFMOVE = HALFMOVE.rstrip("/")
# The users of this site, by the ids that it knows them by.
USERS = {"ann": "Ann", "ben": "Ben"}
POLICY = (
    f"default-src 'none'; script-src 'self' {HALFMOVE}; connect-src 'self' {HALFMOVE}; "
    "style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TYPES = {"/page.css": "text/css", "/page.js": "text/javascript"}
# The token of the application; "renew_at" is a minute before it expires.
own = {"token": "", "renew_at": 0}


def own_token():
    if time.time() >= own["renew_at"]:
        body = {"grant_type": "client_credentials", "client_id": ID, "client_secret": SECRET}
        answer = send("POST", "/oauth/token", body, {})
        own.update(token=answer["access_token"], renew_at=time.time() + answer["expires_in"] - 60)
    return own["token"]


def call(method, path, body):
    """Asks Halfmove as the application; once more if its token was ended before its time, as by replacing the secret."""
    try:
        return send(method, path, body, {"Authorization": f"Bearer {own_token()}"})
    except OSError:
        if own["renew_at"] != 0:
            raise
        return send(method, path, body, {"Authorization": f"Bearer {own_token()}"})


def send(method, path, body, headers):
    headers = {"Content-Type": "application/json", **headers}
    try:
        with urlopen(Request(HALFMOVE + path, json.dumps(body).encode(), headers, method=method), timeout=30) as answer:
            return json.load(answer)
    except HTTPError as error:
        if error.code == 401:
            own["renew_at"] = 0
        raise URLError(f"{method} {path}: {error.code} {error.read().decode()}") from error


# Sent again at each start: players and games with these ids are there once.
for external_id, name in USERS.items():
    call("PUT", f"/v1/application/players/{external_id}", {"displayName": name})
wanted = {
    "externalId": "ann-against-ben",
    "first": {"externalId": "ann"},
    "second": {"externalId": "ben"},
    "ruleset": "chess",
    "timeControl": {"perMove": {"seconds": 259_200}},
}
game = call("POST", "/v1/application/games", {"games": [wanted]})["games"][0]["game"]["id"]


def file(name):
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def page(user):
    return file("page.html").replace("{{halfmove}}", HALFMOVE).replace("{{game}}", game).replace("{{user}}", user)


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        user = self.path[1:]
        if self.path in TYPES:
            self.answer(200, file(user), {"Content-Type": TYPES[self.path]})
        elif self.path == "/":
            self.answer(200, page(""), {"Content-Type": "text/html"})
        elif user in USERS:
            # A pretended sign-in: your site knows its users, and sets its own cookie.
            cookie = f"user={user}; HttpOnly; SameSite=Strict; Path=/"
            self.answer(200, page(user), {"Content-Type": "text/html", "Set-Cookie": cookie})
        else:
            self.answer(404)

    def do_POST(self):
        signed_in = re.search(r"(?:^|; )user=([^;]+)", self.headers.get("Cookie", ""))
        if self.path != "/token":
            self.answer(404)
        elif signed_in is None or signed_in[1] not in USERS:
            self.answer(401)
        else:
            try:
                token = call("POST", f"/v1/application/players/{signed_in[1]}/tokens", {})["token"]
                self.answer(200, json.dumps({"token": token}), {"Content-Type": "application/json"})
            except OSError as error:
                print(error, file=sys.stderr)
                self.answer(502)

    def answer(self, status, text="", headers={}):
        body = text.encode()
        self.send_response(status)
        own_headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store", "Content-Length": len(body)}
        for name, value in {**own_headers, **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Only what fails is printed."""


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Site)
print(f"http://localhost:{server.server_port}/ to watch, /ann and /ben to play", flush=True)
server.serve_forever()
