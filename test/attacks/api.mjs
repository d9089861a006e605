import { randomBytes } from 'node:crypto';
import { Client } from './client.mjs';

/** A client for the ordinary use of the API. */

export const bearer = (by) => (by ? ['Authorization', `Bearer ${by.token}`] : []);

const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export class Api {
  constructor(port) {
    this.client = new Client(port);
  }

  async rest(by, method, path, body, headers = []) {
    const json = body === undefined ? [] : ['Content-Type', 'application/json'];
    const text = body === undefined ? null : JSON.stringify(body);
    const asked = { method, path, headers: [...json, ...bearer(by), ...headers], body: text };
    const answer = await this.client.send(asked);
    return { ...answer, asked, json: parsed(answer.text), code: parsed(answer.text)?.code };
  }

  async graphql(by, query, variables = {}) {
    const answer = await this.rest(by, 'POST', '/graphql', { query, variables });
    return { ...answer, code: answer.json?.errors?.[0]?.extensions?.code };
  }

  /** A request that must succeed before an attack can begin. */
  async well(by, method, path, body, headers) {
    const { status, json, text } = await this.rest(by, method, path, body, headers);
    if (status >= 300) throw new Error(`${method} ${path} failed with ${status}: ${text}`);
    return json;
  }

  async register(name) {
    const username = `${name}-${randomBytes(4).toString('hex')}`;
    const password = randomBytes(18).toString('base64url');
    const { session } = await this.well(null, 'POST', '/v1/users', { username, password });
    const { accessToken: token, refreshToken, user } = session;
    return { id: user.id, username, password, token, refreshToken };
  }

  async login({ username, password, id }) {
    const { session } = await this.well(null, 'POST', '/v1/sessions', { username, password });
    const { accessToken: token, refreshToken } = session;
    return { id, username, password, token, refreshToken };
  }

  async challenge(by, opponent, terms = {}) {
    const timeControl = { perMove: { seconds: 259_200 } };
    const to = opponent ? { username: opponent.username } : { link: true };
    const body = { ruleset: 'chess', seat: 'first', timeControl, opponent: to, ...terms };
    return (await this.well(by, 'POST', '/v1/challenges', body)).challenge;
  }

  async game(first, second, terms = {}, acceptance = {}) {
    const { id } = await this.challenge(first, second, terms);
    return (await this.well(second, 'POST', `/v1/challenges/${id}/accept`, acceptance)).game;
  }

  /** Plays moves from ply 1 on. */
  async play(id, players, moves) {
    for (const [at, move] of moves.entries()) {
      await this.well(players[at % 2], 'POST', `/v1/games/${id}/moves`, { ply: at + 1, move });
    }
  }

  close() {
    this.client.close();
  }
}
