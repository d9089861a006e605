import { Api } from './api.mjs';
import { Report, judgeServer } from './report.mjs';
import { startServer } from './server.mjs';

/**
 * Asks, in turns, about names and addresses that are known and about others that are not, and compares the answers byte
 * for byte and the times that they take. Times are printed: a machine that does other work has none that prove anything.
 */

const TRIES = 1000;
const WRONG = 'not the right password';
const LIMITS = {
  RECOVERIES_PER_HOUR: '1000000',
  MAX_WRONG_PASSWORDS: '1000000',
  MAX_WRONG_PASSWORDS_PER_NAME: '1000000',
  MAX_WRONG_PASSWORDS_PER_ADDRESS: '1000000',
};
const VARIES = /"requestId":"[^"]*"/g;

/** What each question is; `name` is one of a user, or of nobody. */
const QUESTIONS = {
  'recovery by name': (api, name) => api.rest(null, 'POST', '/v1/recoveries', { usernameOrEmail: name }),
  'recovery by address': (api, name) =>
    api.rest(null, 'POST', '/v1/recoveries', { usernameOrEmail: `${name}@example.org` }),
  login: (api, name) => api.rest(null, 'POST', '/v1/sessions', { username: name, password: WRONG }),
};

const middle = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

/** The share of pairs in which the known name took longer: a half, if time tells nothing. */
const longer = (known, unknown) => known.filter((time, i) => time > unknown[i]).length / known.length;

async function ask(report, api, what, names) {
  const times = { known: [], unknown: [] };
  const answers = { known: new Set(), unknown: new Set() };
  for (let i = 0; i < TRIES; i += 1) {
    // Each of the two comes first as often as second.
    for (const which of i % 2 === 0 ? ['known', 'unknown'] : ['unknown', 'known']) {
      const began = performance.now();
      const { status, text } = await QUESTIONS[what](api, names[which]);
      times[which].push(performance.now() - began);
      answers[which].add(`${status} ${text.replace(VARIES, '')}`);
    }
  }
  const share = longer(times.known, times.unknown);
  report.set(`${what}: asked`, 2 * TRIES);
  report.set(`${what}: known took longer in`, share.toFixed(3));
  report.set(`${what}: median of known, in ms`, middle(times.known).toFixed(2));
  report.set(`${what}: median of unknown, in ms`, middle(times.unknown).toFixed(2));
  if ([...answers.known].join('\n') !== [...answers.unknown].join('\n')) {
    report.found(`${what} answers known names otherwise`, [...answers.known], [...answers.unknown]);
  }
}

export async function enumerate({ postgres }) {
  const report = new Report('enumeration');
  const server = await startServer({ postgres, env: LIMITS });
  const api = new Api(server.port);
  const { username: known } = await api.register('ann');
  // As long, and as far as its kind goes as likely.
  const unknown = known.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  for (const what of Object.keys(QUESTIONS)) await ask(report, api, what, { known, unknown });
  await judgeServer(report, server, api.client);
  return report;
}
