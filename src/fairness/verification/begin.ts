import { judged, type Finding } from '../finding.js';
import { canonicalJson } from '../json.js';
import { parseInstant } from '../instant.js';
import { awaited, lastBefore, seatOf, type Beginning } from './beginning.js';
import type { Evidence } from './evidence.js';

/**
 * Checks the agreement of the two players and the start of the game. See docs/fairness.md, "The protocol", "The
 * chain".
 */

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
  if (timeControl === null) faults.push('the time control is not valid');
  if ((kind === 'direct') !== (named !== null))
    faults.push('a direct challenge must name its opponent, and others must not');
  if (kind !== 'direct' && (rematchOf ?? counterTo) !== null) faults.push(`a ${kind} must not answer a game or a challenge`); // prettier-ignore
  if (minRating !== null && maxRating !== null && minRating > maxRating)
    faults.push(`maxRating (${maxRating}) must not be lower than minRating (${minRating})`);
  if (parseInstant(expiresAt)! <= parseInstant(create.at)!)
    faults.push('it must expire after it was created');
  return faults;
}

function acceptFaults({ create, accept }: Beginning): readonly string[] {
  const { kind, creator, opponent: named, expiresAt } = create.data;
  const { accepter, seek, side } = accept.data;
  const faults: string[] = [];
  if (accepter === creator) faults.push('the creator accepted their own challenge');
  if (named !== null && named !== accepter) faults.push('the accepter is not the opponent that it names');
  if (kind !== 'seek' && seek !== null) faults.push('only a seek can be joined by another seek');
  if (seek === null && side !== 'any')
    faults.push('the accepter can choose a side only by a seek of their own');
  if (parseInstant(accept.at)! > parseInstant(expiresAt)!)
    faults.push('it was accepted after it had expired');
  return faults;
}

/** Each row before the start has its own version; the start shares that of the row it waited for. */
function versionFaults(beginning: Beginning): readonly string[] {
  const { create, seeds, early, accept, start } = beginning;
  const [before, behind] = [seeds.filter((seed) => seed === early), seeds.filter((seed) => seed !== early)];
  const steps = [create, ...before, accept, ...behind];
  const faults = steps.flatMap(({ seq }, due) =>
    seq === due ? [] : [`version ${due} has the number ${seq}`],
  );
  if (start !== null && start.seq !== lastBefore(beginning).seq)
    faults.push('the start must have the version of what it waited for');
  if (beginning.later.some(({ seq }) => seq <= lastBefore(beginning).seq))
    faults.push('rows after the start must have higher versions');
  if ([create, ...seeds, accept, start].some((row) => row !== null && row.player !== null))
    faults.push('rows up to the start must have no player');
  return faults;
}

function startFaults(beginning: Beginning): readonly string[] {
  const { create, accept, start } = beginning;
  if (start === null) return waitFaults(beginning);
  const { first, second, creator } = start.data;
  const players = creator === 'first' ? [first, second] : [second, first];
  const faults: string[] = [];
  if (canonicalJson(players) !== canonicalJson([create.data.creator, accept.data.accepter]))
    faults.push('the players are not the creator and the accepter');
  for (const role of awaited(beginning)) faults.push(`it started before the ${role} gave the announced seed`);
  return faults;
}

const waitFaults = (beginning: Beginning): readonly string[] =>
  awaited(beginning).length > 0 ? [] : ['it has not started although it was not waiting for a seed'];

/** The creator's side before the start: by a chosen side or earlier games, else first while waiting for a seed. */
function seatFaults(beginning: Beginning): readonly string[] {
  const { accept, start } = beginning;
  const { creator, earlier } = accept.data;
  const seat = seatOf(beginning);
  const faults: string[] = [];
  if ((seat.by === 'wish') !== (earlier === null))
    faults.push('accept must say how often each player was first before, unless a player chose a side');
  const startsAtOnce = start !== null && start.seq === accept.seq;
  const due = seat.creator ?? (startsAtOnce ? start.data.creator : 'first');
  if (due !== creator) faults.push(`accept must have the creator ${due}, not ${creator}`);
  return faults;
}
