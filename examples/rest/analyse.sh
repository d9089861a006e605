#!/usr/bin/env bash
# Judge a line of moves and look up an opening, without an account. Needs curl and jq, and a server at $HALFMOVE_URL.
set -euo pipefail
api=${HALFMOVE_URL:-http://localhost:3000}/v1
curl -sS --fail-with-body "$api/rulesets" | jq -r '.items[] | "\(.id): \(.name)"'
curl -sS --fail-with-body "$api/analyse" -H 'Content-Type: application/json' -d '{
  "ruleset": "chess",
  "position": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
  "moves": [{"move": "d1d7"}, {"move": "g8f8"}, {"move": "d7d8"}]
}' | jq '{position, turn, check, line: [.plies[].san], legal: [.legalMoves[].san]}'
curl -sS --fail-with-body "$api/rulesets/chess/explorer?moves=e2e4,e7e5" | jq -c '{games, firstWon, drawn, secondWon}'
