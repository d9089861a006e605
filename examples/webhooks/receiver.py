"""A receiver of webhooks, without a package:

    WEBHOOK_SECRET=whsec_... PORT=4000 python3 examples/webhooks/receiver.py

It checks that a message comes from your server of Halfmove and is new, answers at once, and prints it.
"""

import base64
import hashlib
import hmac
import json
import os
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
HOST, PORT = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "4000"))
OLDEST_SECONDS = 300
MOST_BYTES = 64 * 1024

# The ids of the newest messages: one that comes again has the same.
seen = OrderedDict()


def is_genuine(headers, body):
    """Whether one of the signatures is made with the secret, of a message that is not old."""
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > OLDEST_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    right = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(right.encode(), given.encode()) for given in signatures)


def is_new(message_id):
    if message_id in seen:
        return False
    seen[message_id] = True
    if len(seen) > 10_000:
        seen.popitem(last=False)
    return True


def deal(message):
    """Here your own work begins."""
    print(message["timestamp"], message["type"], json.dumps(message["data"]), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length", "0"))
        body = self.rfile.read(min(length, MOST_BYTES))
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 400)
        self.end_headers()
        if genuine and is_new(self.headers["webhook-id"]):
            deal(json.loads(body))

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer((HOST, PORT), Receiver)
print(f"Waiting at http://{HOST}:{server.server_port}/", flush=True)
server.serve_forever()
