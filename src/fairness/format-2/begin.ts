import { judged, type Finding } from '../finding.js';
import { canonicalJson } from '../json.js';
import { parseInstant } from '../instant.js';
import { awaited, lastBefore, seatOf, type Beginning } from './beginning.js';
import type { Evidence } from './evidence.js';

/** What two people agreed on, and that the game is theirs. Source: docs/fairness.md, "The protocol", "The chain". */

export function checkBegin(evidence: Evidence): readonly Finding[] {
  const { beginning } = evidence;
  const faults = [
    ...termsFaults(evidence),
    ...acceptFaults(beginning),
    ...versionFaults(beginning),
    ...startFaults(beginning),
    ...seatFaults(beginning),
  ];
  const { kind, creator } = beginning.create.data;
  return judged(
    'begin',
    faults,
    `a ${kind} challenge of ${creator}, taken by ${beginning.accept.data.accepter}`,
  );
}

function termsFaults({ beginning: { create }, timeControl }: Evidence): readonly string[] {
  const { kind, opponent: named, rematchOf, counterTo, minRating, maxRating, expiresAt } = create.data;
  const faults: string[] = [];
  if (timeControl === null) faults.push('there is no such time control');
  if ((kind === 'direct') !== (named !== null)) faults.push('only a direct challenge names its opponent');
  if (kind !== 'direct' && (rematchOf ?? counterTo) !== null) faults.push(`a ${kind} is no answer to a game or challenge`); // prettier-ignore
  if (minRating !== null && maxRating !== null && minRating > maxRating)
    faults.push('maxRating is lower than minRating');
  if (parseInstant(expiresAt)! <= parseInstant(create.at)!) faults.push('it had expired when it was made');
  return faults;
}

function acceptFaults({ create, accept }: Beginning): readonly string[] {
  const { kind, creator, opponent: named, expiresAt } = create.data;
  const { accepter, seek, side } = accept.data;
  const faults: string[] = [];
  if (accepter === creator) faults.push('the creator has taken it himself');
  if (named !== null && named !== accepter) faults.push('another than the opponent has taken it');
  if (kind !== 'seek' && seek !== null) faults.push('a seek meets seeks alone');
  if (seek === null && side !== 'any') faults.push('who accepts wishes for a side only by a seek of his own');
  if (parseInstant(accept.at)! > parseInstant(expiresAt)!) faults.push('it had expired when it was taken');
  return faults;
}

/** Each step is a version, but what starts at once. */
function versionFaults(beginning: Beginning): readonly string[] {
  const { create, seeds, early, accept, start } = beginning;
  const [before, behind] = [seeds.filter((seed) => seed === early), seeds.filter((seed) => seed !== early)];
  const steps = [create, ...before, accept, ...behind];
  const faults = steps.flatMap(({ seq }, due) =>
    seq === due ? [] : [`version ${due} has the number ${seq}`],
  );
  if (start !== null && start.seq !== lastBefore(beginning).seq)
    faults.push('the start is of another version than what it waited for');
  if (beginning.later.some(({ seq }) => seq <= lastBefore(beginning).seq))
    faults.push('something was done before the start');
  if ([create, ...seeds, accept, start].some((row) => row !== null && row.player !== null))
    faults.push('a row before the start has a player');
  return faults;
}

function startFaults(beginning: Beginning): readonly string[] {
  const { create, accept, start } = beginning;
  if (start === null) return waitFaults(beginning);
  const { first, second, creator } = start.data;
  const players = creator === 'first' ? [first, second] : [second, first];
  const faults: string[] = [];
  if (canonicalJson(players) !== canonicalJson([create.data.creator, accept.data.accepter]))
    faults.push('the players are others than the creator and the accepter');
  for (const role of awaited(beginning))
    faults.push(`it started before the announced seed of the ${role} had come`);
  return faults;
}

const waitFaults = (beginning: Beginning): readonly string[] =>
  awaited(beginning).length > 0 ? [] : ['it has not started although no seed was awaited'];

/** Where the creator sits before the start: where a wish or earlier games put them, else first while a seed is awaited. */
function seatFaults(beginning: Beginning): readonly string[] {
  const { accept, start } = beginning;
  const { creator, earlier } = accept.data;
  const seat = seatOf(beginning);
  const faults: string[] = [];
  if ((seat.by === 'wish') !== (earlier === null))
    faults.push('accept must say how often each was first before, unless a wish decides');
  const startsAtOnce = start !== null && start.seq === accept.seq;
  const due = seat.creator ?? (startsAtOnce ? start.data.creator : 'first');
  if (due !== creator) faults.push(`accept must have the creator ${due}, not ${creator}`);
  return faults;
}
