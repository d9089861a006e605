import { verify } from '../../../src/fairness/verify.js';
import type { Finding } from '../../../src/fairness/finding.js';
import type { GameRecord, Row } from '../../../src/fairness/record.js';
import type { Shown } from '../../../src/fairness/verification/shown.js';
import { parseStrict } from '../../../src/fairness/strict-json.js';
import { rechained } from '../made.js';
import { BASES, type BaseName } from './bases.js';
import type { Held } from './held.js';

export const harmless = (why: string): Pick<Tampering, 'harmless'> => ({ harmless: why });

/** One kind of tampering: what is done, and what finds it. */
export interface Tampering {
  /** In a few words, as the table in tamperings.md has it. */
  readonly name: string;
  /** Why nothing need find it, if so. */
  readonly harmless?: string;
  /** The checks that fail, by the columns of its table; null if a column does not apply. */
  verdicts(): Promise<readonly (string | null)[]>;
}

export interface Group {
  readonly title: string;
  readonly columns: readonly string[];
  readonly tamperings: readonly Tampering[];
}

/** What is done to a record. */
export type Change = (record: GameRecord) => GameRecord;

/** The checks that fail; where none does, those that are left open and were not before. Empty: nothing is found. */
export const found = (findings: readonly Finding[], before: readonly Finding[] = findings): string => {
  const failed = new Set(findings.flatMap(({ ok, check }) => (ok === false ? [check] : [])));
  if (failed.size > 0) return [...failed].join(', ');
  const opened = findings.filter(({ isOpen, check }) => isOpen && before.every((each) => each.check !== check || !each.isOpen)); // prettier-ignore
  return [...new Set(opened.map(({ check }) => `${check} (open)`))].join(', ');
};

/** As the program reads a file. */
export function findingsOf(text: string, shown: Shown = {}): readonly Finding[] {
  const read = parseStrict(text);
  return read.ok ? verify(read.value, shown) : [{ check: 'record', ok: false, detail: read.refusal.message }];
}

const written = (record: unknown): string => JSON.stringify(record);

/** Whether what is held finds it; null where the record is so broken that it is not asked. */
const foundBy = (record: GameRecord, shown: Shown | null, check: 'receipt' | 'log'): string | null => {
  if (shown === null) return null;
  const findings = findingsOf(written(record), shown);
  const made = findings.filter((each) => each.check === check);
  if (made.length === 0) return null;
  return made.some(({ ok }) => ok === false) ? check : '';
};

const foundIn = (record: GameRecord, held: Held): readonly (string | null)[] => [
  found(findingsOf(written(record))),
  foundBy(record, held.before, 'receipt'),
  foundBy(record, held.end, 'receipt'),
  foundBy(record, held.log, 'log'),
];

/** The record made whole again, as by a server that forges: the chain, and what repeats the rows. */
export function whole(record: GameRecord): GameRecord {
  const chained = rechained(record, record.rows);
  const [start, last] = [chained.rows.find(({ type }) => type === 'start'), chained.rows.at(-1)];
  const name = (id: unknown): { id: string; username: string } => ({
    id: String(id),
    username: id === 'u-1' ? 'ann' : 'bob',
  });
  return {
    ...chained,
    players: start === undefined ? null : { first: name(start.data['first']), second: name(start.data['second']) }, // prettier-ignore
    outcome: last?.type === 'end' ? (last.data as unknown as GameRecord['outcome']) : null,
  };
}

export const RECORD_COLUMNS = ['as it is', 'hashed again', 'found by what you hold'];

/** Rows are altered: as it is, and by who writes the chain again. */
export const rows = (
  name: string,
  base: BaseName,
  change: Change,
  more: Partial<Tampering> = {},
): Tampering => ({
  name,
  ...more,
  async verdicts() {
    const { record, held } = await BASES[base]();
    const altered = change(record);
    return [found(findingsOf(written(altered))), ...foundIn(whole(altered), held)];
  },
});

/** What stands beside the rows is altered: there is nothing to be hashed again. */
export const around = (
  name: string,
  base: BaseName,
  change: Change,
  more: Partial<Tampering> = {},
): Tampering => ({
  name,
  ...more,
  async verdicts() {
    const { record, held } = await BASES[base]();
    const [alone, ...shown] = foundIn(change(record), held);
    return [alone!, null, ...shown];
  },
});

/** Another game in place of the one that was played, whole from the first row on. */
export const anew = (name: string, base: BaseName, make: () => GameRecord): Tampering => ({
  name,
  async verdicts() {
    const { held } = await BASES[base]();
    return [null, ...foundIn(make(), held)];
  },
});

/** Of what changes a row that there is not, a list would say nothing. */
const placeOf = (record: GameRecord, type: string, which: number): number => {
  const place = record.rows.flatMap((row, at) => (row.type === type ? [at] : [])).at(which);
  if (place === undefined) throw new Error(`There is no row ${type} (${which})`);
  return place;
};

/** Alters a row: the first of its type, or that with this number among them. */
export const row =
  (type: string, change: (row: Row) => object, which = 0): Change =>
  (record) => {
    const at = placeOf(record, type, which);
    return { ...record, rows: record.rows.with(at, { ...record.rows[at]!, ...change(record.rows[at]!) }) };
  };

export const field = (type: string, more: object, which = 0): Change => row(type, () => more, which);

export const data = (type: string, more: object, which = 0): Change =>
  row(type, (each) => ({ data: { ...each.data, ...more } }), which);

export const drop =
  (type: string, which = 0): Change =>
  (record) => ({ ...record, rows: record.rows.toSpliced(placeOf(record, type, which), 1) });

/** Puts rows before the first of a type. */
export const insert =
  (before: string, make: (record: GameRecord) => readonly Row[], which = 0): Change =>
  (record) => ({
    ...record,
    rows: record.rows.toSpliced(placeOf(record, before, which), 0, ...make(record)),
  });

export const twice = (type: string): Change => insert(type, (record) => [record.rows[placeOf(record, type, 0)]!]); // prettier-ignore

export const swap =
  (a: readonly [string, number], b: readonly [string, number]): Change =>
  (record) => {
    const [one, other] = [placeOf(record, ...a), placeOf(record, ...b)];
    return { ...record, rows: record.rows.with(one, record.rows[other]!).with(other, record.rows[one]!) };
  };

export const all =
  (...changes: readonly Change[]): Change =>
  (record) =>
    changes.reduce((at, change) => change(at), record);

/** Versions counted again, so that nothing is seen to be missing: each step of the beginning, then each group. */
export const renumbered: Change = (record) => {
  let due = -1;
  let last = -1;
  const counted = record.rows.map((each) => {
    if (each.seq !== last) due += 1;
    last = each.seq;
    return { ...each, seq: due };
  });
  return { ...record, rows: counted };
};

export const rowOf = (record: GameRecord, type: string, which = 0): Row =>
  record.rows[placeOf(record, type, which)]!;

export const moved = (at: string, seconds: number): string =>
  new Date(Date.parse(at) + seconds * 1000).toISOString();
