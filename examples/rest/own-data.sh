#!/usr/bin/env bash
# Take everything of yours with you, and then stay in step. Needs curl and jq, and a server at $HALFMOVE_URL.
set -euo pipefail
api=${HALFMOVE_URL:-http://localhost:3000}/v1
n=$(date +%s)$$
token=$(curl -sS --fail-with-body "$api/users" -H 'Content-Type: application/json' \
  -d "{\"username\": \"keeper-$n\", \"password\": \"a long phrase $n\"}" | jq -r .session.accessToken)
as_keeper() { curl -sS --fail-with-body -H "Authorization: Bearer $token" "$@"; }
as_keeper "$api/me/export"
cursor=$(as_keeper "$api/changes" | jq -r .cursor)
as_keeper "$api/challenges" -H 'Content-Type: application/json' \
  -d '{"ruleset": "xiangqi", "opponent": {"link": true}, "timeControl": {"none": {}}}' | jq -r .challenge.linkToken
as_keeper -G "$api/changes" --data-urlencode "since=$cursor" | jq -c '.items[] | {kind, id}'
