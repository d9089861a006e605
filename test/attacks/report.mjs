/** The counts and findings of an attack. */

const SHOWN = 1500;

const short = (value) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}... (${text.length} characters)` : text;
};

export class Report {
  constructor(attack) {
    this.attack = attack;
    this.counts = new Map();
    this.findings = [];
  }

  /** An amount of 0 adds a row for what never happened. */
  add(what, by = 1) {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  set(what, value) {
    this.counts.set(what, value);
  }

  found(what, ...evidence) {
    this.findings.push(`${this.attack}: ${what}\n  ${evidence.map(short).join('\n  ')}`);
  }

  rows() {
    return [...this.counts].map(([what, count]) => `| ${this.attack} | ${what} | ${count} |`);
  }
}

/** Checks the server after an attack: it must be ready, have logged no errors, and stop on request. */
export async function judgeServer(report, server, client) {
  const { status } = server.isAlive() ? await client.send({ method: 'GET', path: '/readyz' }) : { status: 0 };
  const { text = '' } = status === 200 ? await client.send({ method: 'GET', path: '/readyz' }) : {};
  report.set('readyz at the end', status);
  if (status !== 200 || text.includes('degraded')) report.found('the server is not ready at the end', text);
  const complaints = server.complaints();
  report.set('errors in its log', complaints.length);
  for (const line of complaints) report.found('an error in the log', line);
  client.close();
  const ended = await server.end();
  report.set('how it ended (0 or a signal)', ended);
  if (ended !== 0 && ended !== 'SIGTERM') report.found('the server did not stop properly', String(ended));
}
