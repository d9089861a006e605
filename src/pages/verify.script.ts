/**
 * The script of the page /verify: reads the input, calls the library and lists its findings. It is a string because tsc is
 * not set up for browsers here; test/e2e/verify-page.e2e.test.ts runs it. It shows values as text only, never as HTML.
 */
export const verifyScript = String.raw`'use strict';
(() => {
  const MARKS = { ok: 'ok', bad: 'FAILED', open: 'open', none: '–' };
  const TITLES = {
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

  const byId = (id) => document.getElementById(id);
  const element = (name, className, text) => {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  };

  const kindOf = ({ ok, isOpen }) => {
    if (ok === null) return isOpen ? 'open' : 'none';
    return ok ? 'ok' : 'bad';
  };

  const itemOf = (finding) => {
    const kind = kindOf(finding);
    const item = element('li', kind, '');
    item.append(
      element('span', 'mark', MARKS[kind]),
      element('span', 'check', TITLES[finding.check] ?? finding.check),
      element('span', 'detail', finding.detail),
    );
    return item;
  };

  const say = (kind, text, findings = []) => {
    byId('verdict').className = 'verdict ' + kind;
    byId('verdict').textContent = text;
    byId('findings').replaceChildren(...findings.map(itemOf));
    byId('result').hidden = false;
  };

  const counted = (count, one, many) => (count === 1 ? '1 ' + one : count + ' ' + many);

  const tell = (findings) => {
    const count = (kind) => findings.filter((each) => kindOf(each) === kind).length;
    const [failed, open] = [count('bad'), count('open')];
    if (failed > 0) say('bad', counted(failed, 'check failed.', 'checks failed.'), findings);
    else if (open > 0) say('open', 'No check failed; ' + counted(open, 'check is', 'checks are') + ' left open.', findings);
    else say('ok', 'All checks passed.', findings);
  };

  // Each text begins with a recognisable line, so that a field can contain several.
  const splitAt = (first) => (text) =>
    text
      .split(new RegExp('^(?=' + first + ')', 'm'))
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => part + '\n');
  const receiptsIn = splitAt('halfmove receipt v');
  const proofsIn = splitAt('c2sp\\.org/tlog-proof@');
  const keysIn = (text) => text.match(/[^\s"+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+={0,2}/g) ?? [];

  /** The values entered; the library leaves checks without them open. */
  const shown = async ({ parseVerifierKey, verifyNote }) => {
    const keys = keysIn(byId('keys').value).map((written) => {
      const key = parseVerifierKey(written);
      if (!key.ok) throw new Error(key.why);
      return key.value;
    });
    const signed = async (written, note) => ({ written, verdict: await verifyNote(note, keys) });
    // The checkpoint in a proof begins after the first empty line.
    const checkpointOf = (proof) => proof.slice(proof.indexOf('\n\n') + 2);
    const receipts = receiptsIn(byId('receipts').value).map((text) => signed(text, text));
    const proofs = proofsIn(byId('proofs').value).map((text) => signed(text, checkpointOf(text)));
    const given = {
      commitment: byId('commitment').value.trim(),
      dealRoot: byId('dealRoot').value.trim(),
      hash: byId('hash').value.trim(),
      player: byId('player').value,
      receipts: await Promise.all(receipts),
      proofs: await Promise.all(proofs),
    };
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value.length > 0));
  };

  const library = import('/verify.js');
  library.catch(() => say('bad', 'The verifier could not be loaded. The operator of this server must build it with npm run build.'));

  const findingsOf = async (text) => {
    const { parseStrict, verify, ...notes } = await library;
    const record = parseStrict(text);
    return record.ok
      ? verify(record.value, await shown(notes))
      : [{ check: 'record', ok: false, detail: 'The text is not a record. ' + record.refusal.message }];
  };

  const check = async () => {
    const text = byId('record').value;
    if (!byId('form').checkValidity()) {
      byId('shown').open = true;
      byId('form').reportValidity();
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
  };

  byId('form').addEventListener('submit', (event) => {
    event.preventDefault();
    check()
      .catch(({ message }) => say('bad', 'The game could not be verified: ' + message))
      .finally(() => byId('result').scrollIntoView({ behavior: 'smooth', block: 'nearest' }));
  });

  const textOf = async (file) => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      throw new Error(file.name + ' must be a text file in UTF-8.');
    }
  };
  const fill = (id, files) =>
    Promise.all([...files].map(textOf)).then(
      (texts) => (byId(id).value = texts.join('\n')),
      ({ message }) => say('bad', message),
    );

  for (const input of document.querySelectorAll('input[type=file]')) {
    const id = input.dataset.fills;
    input.addEventListener('change', () => fill(id, input.files));
    byId(id).addEventListener('dragover', (event) => event.preventDefault());
    byId(id).addEventListener('drop', (event) => {
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      void fill(id, event.dataTransfer.files);
    });
  }
})();
`;
