#!/usr/bin/env bash
# Read your past events, then stream the new ones. Needs curl and jq, and a server at $HALFMOVE_URL.
set -euo pipefail
api=${HALFMOVE_URL:-http://localhost:3000}/v1
n=$(date +%s)$$
token=$(curl -sS --fail-with-body "$api/users" -H 'Content-Type: application/json' \
  -d "{\"username\": \"hearer-$n\", \"password\": \"a long phrase $n\"}" | jq -r .session.accessToken)
as_hearer() { curl -sS --fail-with-body -H "Authorization: Bearer $token" "$@"; }
challenge() {
  as_hearer "$api/challenges" -H 'Content-Type: application/json' \
    -d '{"ruleset": "chess", "opponent": {"link": true}, "timeControl": {"none": {}}}' | jq -r .challenge.id
}
challenge
# Another transaction may delay the event for a moment.
until last=$(as_hearer "$api/me/events" | jq -er '.items[-1].id'); do sleep 0.1; done
challenge
# Stream what comes after that event, here for two seconds.
as_hearer -N --max-time 2 -H 'Accept: text/event-stream' -H "Last-Event-ID: $last" "$api/me/events" 2> /dev/null || true
