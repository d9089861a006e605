import { parseOptions } from '../../rules/options.js';
import { begin, type Game } from '../../rules/play.js';
import type { AnyRuleset } from '../../rules/registry.js';
import type { Options } from '../../rules/ruleset.js';
import { parseServerSeed } from '../commitment.js';
import { canBeDrawn, deal } from '../deal.js';
import { replayRecord, type Replay } from './replay.js';
import type { GameRecord } from './record.js';

/** A record with everything derived from it, on which the checks work. */
export interface Evidence {
  readonly record: GameRecord;
  /** Null when this program does not know it. */
  readonly ruleset: AnyRuleset | null;
  /** Complete; null when they are none of this rule set. */
  readonly options: Options | null;
  /** Null while the game runs. */
  readonly serverSeed: Uint8Array | null;
  /** The deal or set-up that the seeds give; null without chance or while a seed is missing. */
  readonly drawn: string | null;
  /** Null if the game cannot be begun, by a fault or because the set-up is not drawn yet. */
  readonly replay: Replay | null;
}

export type RulesetById = (id: string) => AnyRuleset | undefined;

export function gather(record: GameRecord, rulesetById: RulesetById): Evidence {
  const ruleset = rulesetById(record.ruleset) ?? null;
  const serverSeed = publishedSeed(record);
  const options = ruleset === null ? null : completeOptions(ruleset, record);
  const start = ruleset === null || options === null ? null : opening(ruleset, options, record);
  return {
    record,
    ruleset,
    options,
    serverSeed,
    drawn: ruleset === null || serverSeed === null ? null : draw(ruleset, record, serverSeed),
    replay: start === null ? null : replayRecord(start, record),
  };
}

function publishedSeed({ serverSeed }: GameRecord): Uint8Array | null {
  const parsed = serverSeed === null ? null : parseServerSeed(serverSeed);
  return parsed !== null && parsed.ok ? parsed.value : null;
}

function draw(ruleset: AnyRuleset, { id, clientSeeds }: GameRecord, serverSeed: Uint8Array): string | null {
  const { first, second } = clientSeeds;
  if (first === null || second === null) return null;
  // In format 1 the message orders the seeds by who moves first.
  return deal(ruleset, {
    format: 1,
    gameId: id,
    serverSeed,
    creatorSeed: first,
    accepterSeed: second,
    creatorFirst: true,
  });
}

function completeOptions(ruleset: AnyRuleset, record: GameRecord): Options | null {
  const parsed = parseOptions(ruleset, record.options);
  return parsed.ok ? parsed.value : null;
}

/** The game before ply 1, with its set-up where one is drawn. */
function opening(ruleset: AnyRuleset, options: Options, { setup }: GameRecord): Game<unknown> | null {
  if (ruleset.chance !== 'setup') return begin<unknown>(ruleset, options);
  if (setup === null || !canBeDrawn(ruleset, setup)) return null;
  return begin<unknown>(ruleset, options, setup);
}
