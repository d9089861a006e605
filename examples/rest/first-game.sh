#!/usr/bin/env bash
# Two new players play Fool's mate. Needs curl and jq, and a server at $HALFMOVE_URL.
set -euo pipefail
api=${HALFMOVE_URL:-http://localhost:3000}/v1
n=$(date +%s)$$
call() { # METHOD PATH TOKEN BODY
  curl -sSf -X "$1" "$api/$2" -H 'Content-Type: application/json' \
    -H "Authorization: Bearer $3" -d "$4"
}
register() {
  curl -sSf "$api/users" -H 'Content-Type: application/json' \
    -d "{\"username\": \"$1\", \"password\": \"a long phrase $n\"}" | jq -r .session.accessToken
}
white=$(register "white-$n")
black=$(register "black-$n")
game=$(call POST challenges "$white" "{\"ruleset\": \"chess\", \"opponent\": {\"username\": \"black-$n\"},
  \"seat\": \"first\", \"timeControl\": {\"perMove\": {\"seconds\": 259200}}}" | jq -r .challenge.id)
call POST "challenges/$game/accept" "$black" '{}' | jq -r '.game | "\(.id) is \(.status)"'
play() { call POST "games/$game/moves" "$1" "{\"ply\": $2, \"move\": \"$3\"}" | jq -r '"\(.ply.san): \(.game.position)"'; }
play "$white" 1 f2f3
play "$black" 2 e7e5
play "$white" 3 g2g4
play "$black" 4 d8h4
curl -sS "$api/games/$game/moves" |
  jq -r '[.items[] | (if .ply % 2 == 1 then "\((.ply + 1) / 2). " else "" end) + .san] | join(" ")'
curl -sS "$api/games/$game" | jq -c .outcome
