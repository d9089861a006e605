import { makeTimeControl, type GivenTimeControl, type TimeControl } from '../../arbiter/time-control.js';
import { parseOptions } from '../../rules/options.js';
import { begin, type Game } from '../../rules/play.js';
import type { AnyRuleset } from '../../rules/registry.js';
import type { Options } from '../../rules/ruleset.js';
import { chosenSetup } from '../../rules/setup.js';
import { parseServerSeed } from '../commitment.js';
import { canBeDrawn, deal, type Seeds } from '../deal.js';
import { canonicalJson } from '../json.js';
import type { Beginning } from './beginning.js';
import type { CreateData, GameRecord } from '../record.js';
import { replayRows, type Replay } from './replay.js';

/** A record with everything derived from it, on which the checks work. */
export interface Evidence {
  readonly record: GameRecord;
  readonly beginning: Beginning;
  /** Null when this program does not know it. */
  readonly ruleset: AnyRuleset | null;
  /** Null when they are not the complete options of this rule set. */
  readonly options: Options | null;
  /** Null when there is no such time control. */
  readonly timeControl: TimeControl | null;
  /** The seeds; null while one is missing. */
  readonly seeds: Seeds | null;
  /** The deal or set-up that the seeds give; null without chance. */
  readonly drawn: string | null;
  /** The set-up on which the players agreed. */
  readonly chosen: string | null;
  /** Null if the game cannot be begun. */
  readonly replay: Replay | null;
}

export type RulesetById = (id: string) => AnyRuleset | undefined;

export function gather(record: GameRecord, beginning: Beginning, rulesetById: RulesetById): Evidence {
  const { data } = beginning.create;
  const ruleset = rulesetById(data.ruleset) ?? null;
  const options = ruleset === null ? null : optionsOf(ruleset, data);
  const timeControl = timeControlOf(data);
  const seeds = seedsOf(record, beginning);
  const opened =
    ruleset === null || options === null || timeControl === null ? null : { ruleset, options, timeControl };
  return {
    record,
    beginning,
    ruleset,
    options,
    timeControl,
    seeds,
    drawn: ruleset === null || seeds === null ? null : deal(ruleset, seeds),
    chosen: ruleset === null || options === null ? null : chosenSetup(ruleset, options),
    replay: opened === null ? null : played(beginning, opened),
  };
}

/** The options of the record, when they are complete and of this rule set. */
function optionsOf(ruleset: AnyRuleset, { options }: CreateData): Options | null {
  const parsed = parseOptions(ruleset, options);
  return parsed.ok && isSame(parsed.value, options) ? parsed.value : null;
}

function timeControlOf({ timeControl }: CreateData): TimeControl | null {
  const made = makeTimeControl(timeControl as unknown as GivenTimeControl);
  return made.ok && isSame(made.value, timeControl) ? made.value : null;
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

function seedsOf({ id, serverSeed }: GameRecord, { start }: Beginning): Seeds | null {
  const parsed = serverSeed === null ? null : parseServerSeed(serverSeed);
  if (start === null || parsed === null || !parsed.ok) return null;
  const { creatorSeed, accepterSeed } = start.data;
  return { gameId: id, serverSeed: parsed.value, creatorSeed, accepterSeed };
}

/** What a game is opened with. */
interface Opened {
  readonly ruleset: AnyRuleset;
  readonly options: Options;
  readonly timeControl: TimeControl;
}

function played(beginning: Beginning, { ruleset, options, timeControl }: Opened): Replay | null {
  const game = opening(ruleset, options, beginning);
  return game === null ? null : replayRows(beginning, game, timeControl);
}

/** The game before ply 1; null if the set-up is not valid. */
function opening(ruleset: AnyRuleset, options: Options, { start }: Beginning): Game<unknown> | null {
  const setup = start?.data.setup ?? null;
  if (ruleset.chance !== 'setup' || start === null) return begin<unknown>(ruleset, options);
  return setup !== null && canBeDrawn(ruleset, setup) ? begin<unknown>(ruleset, options, setup) : null;
}
