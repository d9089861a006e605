#!/usr/bin/env bash
# Import a game from PGN, read it back in two formats, delete it. Needs curl and jq, and a server at $HALFMOVE_URL.
set -euo pipefail
api=${HALFMOVE_URL:-http://localhost:3000}/v1
n=$(date +%s)$$
token=$(curl -sS --fail-with-body "$api/users" -H 'Content-Type: application/json' \
  -d "{\"username\": \"reader-$n\", \"password\": \"a long phrase $n\"}" | jq -r .session.accessToken)
as_reader() { curl -sS --fail-with-body -H "Authorization: Bearer $token" "$@"; }
id=$(as_reader "$api/imports" -H 'Content-Type: application/vnd.chess-pgn' --data-binary '[White "Ada"]
[Black "Ben"]

1. f3 e5 2. g4 Qh4# 0-1
' | jq -r '.importedGames[0].id')
as_reader "$api/imports/$id/moves" |
  jq -r '[.items[] | (if .ply % 2 == 1 then "\((.ply + 1) / 2). " else "" end) + .san] | join(" ")'
as_reader "$api/imports/$id/export"
as_reader "$api/imports/$id/export?format=json" | jq -c .
as_reader -X DELETE "$api/imports/$id"
as_reader "$api/me/imports" | jq -e '.items == []'
