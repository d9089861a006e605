import { rowHash } from './chain.js';
import { failed, judged, open, unchecked, type Check, type Finding } from './finding.js';
import { canonicalJson } from './json.js';
import { outcomeText } from './outcome-text.js';
import { parseInstant } from './instant.js';
import { rulesetById } from '../rules/registry.js';
import { shown as shownValue } from '../rules/shown.js';
import { checkBegin } from './verification/begin.js';
import { beginningOf } from './verification/beginning.js';
import { gather, type Evidence, type RulesetById } from './verification/evidence.js';
import { checkCommitted } from './verification/committed.js';
import { checkLog } from './verification/log.js';
import { checkNewest } from './verification/newest.js';
import { formFaults, type GameRecord, type Row } from './record.js';
import {
  checkClientSeeds,
  checkCommitment,
  checkDeal,
  checkDealRoot,
  checkProofs,
  checkReveals,
  checkSides,
} from './verification/seeds.js';
import { checkShown, type Shown } from './verification/shown.js';
import { SKEW_MS } from './verification/replay-state.js';

type Findings = readonly Finding[];

/**
 * Checks an exported game with the record, the rules, and what a player was shown. The record alone can only be
 * consistent, as a made-up one can be; only what was shown during the game proves that it is that game.
 * Source: docs/fairness.md, "What a verifier checks".
 */
export function verify(given: unknown, shown: Shown = {}, known: RulesetById = rulesetById): Findings {
  const faults = formFaults(given);
  if (faults.length > 0) return judged('record', faults, '');
  const record = given as GameRecord;
  const beginning = beginningOf(record.rows);
  if (beginning === null) return [...checkChain(record), failed('begin', NO_ORDER)];
  const evidence = gather(record, beginning, known);
  return [
    ...checks.flatMap((check) => check(evidence)),
    ...checkShown(evidence, shown),
    ...checkNewest(evidence, shown),
    ...checkLog(evidence, shown),
    ...checkCommitted(evidence, shown),
  ];
}

const NO_ORDER =
  'a game must begin with create, optionally a seed, accept, the seeds that it waits for, and start, each of them once';

function checkRecord({ record: { players }, beginning: { start } }: Evidence): Findings {
  const ids = players === null ? null : [players.first.id, players.second.id];
  const due = start === null ? null : [start.data.first, start.data.second];
  const faults =
    canonicalJson(ids) === canonicalJson(due) ? [] : ['the players differ from those in the rows'];
  return judged('record', faults, 'every field has its form');
}

function checkChain({ id, rows }: GameRecord): Findings {
  const faults = rows.flatMap((row, at) => linkFaults(id, row, rows[at - 1]));
  const newest = rows.at(-1);
  if (newest === undefined) return [failed('chain', 'there are no rows')];
  return judged('chain', faults, `${rows.length} rows, the newest hash is ${newest.hash}`);
}

function linkFaults(game: string, row: Row, before: Row | undefined): readonly string[] {
  const { seq, type, previousHash, hash } = row;
  const faults: string[] = [];
  if (before !== undefined && seq < before.seq) faults.push(`it comes after seq ${before.seq}`);
  if (before?.type === 'end') faults.push('it comes after the end');
  if (previousHash !== (before?.hash ?? null))
    faults.push('previousHash is not the hash of the row before it');
  if (hash !== rowHash(game, row, previousHash)) faults.push('its hash is not that of its content');
  return faults.map((fault) => `seq ${seq}, ${type}: ${fault}`);
}

function checkRuleset({ beginning: { create }, ruleset, options }: Evidence): Findings {
  if (ruleset === null) return [failed('ruleset', `there is no rule set ${shownValue(create.data.ruleset)}`)];
  const faults = options === null ? ['the options are not the complete options of this rule set'] : [];
  return judged('ruleset', faults, ruleset.name);
}

const NOT_PLAYED = 'the game cannot be replayed: see above';

/** A check of the faults that the replay found under this name. */
const replayed =
  (check: Check, more: (evidence: Evidence) => readonly string[], told: (evidence: Evidence) => string) =>
  (evidence: Evidence): Findings => {
    const { replay } = evidence;
    if (replay === null) return [open(check, NOT_PLAYED)];
    const found = replay.faults.filter((fault) => fault.check === check).map(({ detail }) => detail);
    const faults = [...more(evidence), ...found];
    if (faults.length === 0 && replay.final === null) return [open(check, 'checked only up to the row that could not be replayed')]; // prettier-ignore
    return judged(check, faults, told(evidence));
  };

/** Rows with their own effective time, which may be before that of the row before them. */
const OF_THEIR_OWN: readonly string[] = ['resume', 'reminder', 'vacationStart', 'vacationEnd', 'flag', 'end'];

/** Acts of players must be in chronological order. */
function orderFaults({ record: { rows } }: Evidence): readonly string[] {
  const faults: string[] = [];
  let last = -Infinity;
  for (const { seq, type, at } of rows) {
    if (OF_THEIR_OWN.includes(type)) continue;
    const now = parseInstant(at)!;
    if (now < last - SKEW_MS) faults.push(`seq ${seq}, ${type}: its time is before that of an earlier row`);
    last = Math.max(last, now);
  }
  return faults;
}

/** The outcome must be that of the last row. */
function endFaults({ record: { rows, outcome } }: Evidence): readonly string[] {
  const last = rows.at(-1)!;
  const due = last.type === 'end' ? last.data : null;
  return canonicalJson(outcome) === canonicalJson(due)
    ? []
    : [`the record says ${outcomeText(outcome)}, its last row ${canonicalJson(due).slice(0, 100)}`];
}

/** The ids that the hashes vouch for, with which users can compare the names that they are shown. */
function checkNames({ beginning: { create, accept, start } }: Evidence): Findings {
  const ids =
    start === null
      ? `the creator is ${create.data.creator}, the accepter is ${accept.data.accepter}`
      : `first is ${start.data.first}, second is ${start.data.second}`;
  return [unchecked('names', `${ids}: the hashes cover these user ids, and no usernames`)];
}

/** In the order of CHECKS. */
const checks: readonly ((evidence: Evidence) => Findings)[] = [
  checkRecord,
  (evidence) => chainOf(evidence),
  checkBegin,
  checkRuleset,
  checkCommitment,
  checkClientSeeds,
  checkSides,
  checkDeal,
  checkDealRoot,
  replayed(
    'plies',
    () => [],
    ({ replay }) => `${replay!.standing} plies stand, all legal and as recorded`,
  ),
  checkReveals,
  checkProofs,
  replayed('times', orderFaults, () => 'clocks and deadlines follow from the times of the rows'),
  replayed(
    'acts',
    () => [],
    ({ replay }) => `${replay!.rows} rows after the start, each of which follows from those before it`,
  ),
  replayed('outcome', endFaults, ({ record }) => outcomeText(record.outcome)),
  checkNames,
];

/** The links of the chain, and the version numbers that the replay found wrong. */
function chainOf({ record, replay }: Evidence): Findings {
  const links = checkChain(record);
  const jumps = replay?.faults.filter(({ check }) => check === 'chain') ?? [];
  if (jumps.length === 0) return links;
  return [...links.filter(({ ok }) => ok === false), ...jumps.map(({ detail }) => failed('chain', detail))];
}

/** True when no check failed. */
export const holds = (findings: Findings): boolean => findings.every(({ ok }) => ok !== false);

/** True if nothing is left to check later or with more input. */
export const isComplete = (findings: Findings): boolean => findings.every(({ isOpen }) => !isOpen);
