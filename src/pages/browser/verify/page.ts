import type { Check, Finding } from '../../../fairness/finding.js';
import type { Shown } from '../../../fairness/verification/shown.js';
import type * as Library from '../../../fairness/library.js';
import type { Signed } from '../../../fairness/signed.js';
import { givenOf } from './game.js';

/** The script of the page /verify: reads the input, calls the library and lists its findings, as text and never as HTML. */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** The colour of the verdict and of each finding. */
type Kind = keyof typeof MARKS;

const MARKS = { ok: 'ok', bad: 'FAILED', open: 'open', none: '–' };
const TITLES: Readonly<Record<Check, string>> = {
  record: 'Form of the record',
  begin: 'Start',
  ruleset: 'Rule set',
  commitment: 'Server seed',
  clientSeeds: 'Client seeds',
  sides: 'Sides',
  deal: 'Deal',
  dealRoot: 'Deal root',
  chain: 'Chain of hashes',
  plies: 'Plies',
  reveals: 'Turned-up pieces',
  proofs: 'Proofs',
  times: 'Times',
  acts: 'Acts',
  outcome: 'Outcome',
  names: 'Names',
  shown: 'What you were shown',
  receipt: 'Receipt',
  log: 'Log',
  committed: 'Committed before the seeds',
};

const byId = (id: string): HTMLElement => document.getElementById(id)!;
const field = (id: string): Field => byId(id) as Field;
const form = byId('form') as HTMLFormElement;

function element(name: string, className: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function kindOf({ ok, isOpen }: Finding): Kind {
  if (ok === null) return isOpen ? 'open' : 'none';
  return ok ? 'ok' : 'bad';
}

function itemOf(finding: Finding): HTMLElement {
  const kind = kindOf(finding);
  const item = element('li', kind, '');
  item.append(
    element('span', 'mark', MARKS[kind]),
    element('span', 'check', TITLES[finding.check]),
    element('span', 'detail', finding.detail),
  );
  return item;
}

function say(kind: Kind | '', text: string, findings: readonly Finding[] = []): void {
  byId('verdict').className = `verdict ${kind}`;
  byId('verdict').textContent = text;
  byId('findings').replaceChildren(...findings.map(itemOf));
  byId('result').hidden = false;
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

function tell(findings: readonly Finding[]): void {
  const count = (kind: Kind): number => findings.filter((each) => kindOf(each) === kind).length;
  const [failed, open] = [count('bad'), count('open')];
  if (failed > 0) say('bad', counted(failed, 'check failed.', 'checks failed.'), findings);
  else if (open > 0)
    say('open', `No check failed; ${counted(open, 'check is', 'checks are')} left open.`, findings);
  else say('ok', 'All checks passed.', findings);
}

/** Each text begins with a recognisable line, so that a field can contain several. */
const splitAt = (first: string, text: string): readonly string[] =>
  text
    .split(new RegExp(`^(?=${first})`, 'm'))
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => `${part}\n`);
const receiptsIn = (text: string): readonly string[] => splitAt('halfmove receipt v', text);
const proofsIn = (text: string): readonly string[] => splitAt('c2sp\\.org/tlog-proof@', text);
/** Notes one after the other: each ends with its signatures. */
const notesIn = (text: string): readonly string[] =>
  (text.match(/\S[^]*?\n\n(?:— .*\n?)+|\S[^]*/g) ?? []).map((note) => `${note.trim()}\n`);
const keysIn = (text: string): readonly string[] =>
  text.match(/[^\s"+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+={0,2}/g) ?? [];
/** The checkpoint in a proof begins after the first empty line. */
const checkpointOf = (proof: string): string => proof.slice(proof.indexOf('\n\n') + 2);

/** The values entered; the library leaves checks without them open. */
async function shown({ parseVerifierKey, verifyNote }: typeof Library): Promise<Shown> {
  const keysOf = (id: string, type: 'note' | 'witness', whose: string) => {
    const { value } = field(id);
    const found = keysIn(value);
    if (value.trim() !== '' && found.length === 0)
      throw new Error(`The field of the keys contains no key. Paste what ${whose}, or leave it empty.`);
    return found.map((written) => {
      const key = parseVerifierKey(written, type);
      if (!key.ok) throw new Error(key.why);
      return key.value;
    });
  };
  const [keys, witnesses] = [
    keysOf('keys', 'note', '/.well-known/halfmove.json of the server answers'),
    keysOf('witnesses', 'witness', 'the witness answers at /key'),
  ];
  const signed = async (written: string, note: string): Promise<Signed> => ({
    written,
    verdict: await verifyNote(note, keys),
  });
  const cosigned = async (written: string, note: string): Promise<Signed> => ({
    ...(await signed(written, note)),
    witnessed: await Promise.all(
      witnesses.map(async (key) => ({ by: key.name, verdict: await verifyNote(note, [key]) })),
    ),
  });
  const receipts = receiptsIn(field('receipts').value).map((text) => signed(text, text));
  const proofs = proofsIn(field('proofs').value).map((text) => cosigned(text, checkpointOf(text)));
  const checkpoints = notesIn(field('checkpoints').value).map((text) => cosigned(text, text));
  const given = {
    commitment: field('commitment').value.trim(),
    dealRoot: field('dealRoot').value.trim(),
    hash: field('hash').value.trim(),
    player: field('player').value,
    receipts: await Promise.all(receipts),
    proofs: await Promise.all(proofs),
    checkpoints: await Promise.all(checkpoints),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value.length > 0));
}

// The build leaves this import to the browser, which gets the library from /verify.js.
const library = import('../../../fairness/library.js');
library.catch(() =>
  say(
    'bad',
    'The verifier could not be loaded. The operator of this server must build it with npm run build.',
  ),
);

async function findingsOf(text: string): Promise<readonly Finding[]> {
  const loaded = await library;
  const record = loaded.parseStrict(text);
  return record.ok
    ? loaded.verify(record.value, await shown(loaded))
    : [{ check: 'record', ok: false, detail: `The text is not a record. ${record.refusal.message}` }];
}

async function check(): Promise<void> {
  const text = field('record').value;
  if (!form.checkValidity()) {
    (byId('shown') as HTMLDetailsElement).open = true;
    form.reportValidity();
    return;
  }
  if (text.trim() === '') {
    say('bad', 'The record is missing. Paste the record of a game, or choose its file.');
    return;
  }
  say('', 'Checking ...');
  // Let the browser show this before it is busy.
  await new Promise((resolve) => setTimeout(resolve, 20));
  tell(await findingsOf(text));
}

function start(checking: Promise<void>): void {
  void checking
    .catch(({ message }: Error) => say('bad', `The game could not be verified: ${message}`))
    .finally(() => byId('result').scrollIntoView({ behavior: 'smooth', block: 'nearest' }));
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  start(check());
});

/** Checks the game of the address with what this browser has kept of it. */
async function checkGame(id: string): Promise<void> {
  say('', 'Reading the game ...');
  const given = await givenOf(id);
  for (const [name, value] of Object.entries(given)) field(name).value = value;
  const receipts = receiptsIn(given.receipts).length;
  byId('held').textContent =
    receipts === 0
      ? 'This browser has kept no receipt of this game, so what follows rests on the server alone.'
      : `This browser has kept ${counted(receipts, 'receipt', 'receipts')} of this game. The record and the proofs come from the server just now.`;
  byId('held').hidden = false;
  await check();
}

const game = new URLSearchParams(location.search).get('game');
if (game !== null) start(checkGame(game));

async function textOf(file: File): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(`${file.name} must be a text file in UTF-8.`);
  }
}

const fill = (target: Field, files: FileList): Promise<void> =>
  Promise.all([...files].map(textOf)).then(
    (texts) => void (target.value = texts.join('\n')),
    ({ message }: Error) => say('bad', message),
  );

for (const input of document.querySelectorAll<HTMLInputElement>('input[type=file]')) {
  const target = field(input.dataset['fills']!);
  input.addEventListener('change', () => void fill(target, input.files!));
  target.addEventListener('dragover', (event) => event.preventDefault());
  target.addEventListener('drop', (event) => {
    const { files } = (event as DragEvent).dataTransfer!;
    if (files.length === 0) return;
    event.preventDefault();
    void fill(target, files);
  });
}
