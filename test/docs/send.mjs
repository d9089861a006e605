import { readFileSync } from 'node:fs';

/**
 * node send.mjs BODY.json: sends a GraphQL request to $HALFMOVE_URL, with $TOKEN where it is set. A variable "$NAME" is
 * what the shell has under that name. Fails when the answer has errors.
 */
const body = JSON.parse(readFileSync(process.argv[2], 'utf8'), (_, value) =>
  typeof value === 'string' && /^\$[A-Z_]+$/.test(value) ? process.env[value.slice(1)] : value,
);
const token = process.env.TOKEN;
const response = await fetch(new URL('/graphql', process.env.HALFMOVE_URL), {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
  body: JSON.stringify(body),
});
const answer = await response.json();
console.log(JSON.stringify(answer));
process.exitCode = response.ok && answer.errors === undefined ? 0 : 1;
