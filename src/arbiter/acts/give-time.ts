import { opponent } from '../../rules/ruleset.js';
import { leftAt, roomFor } from '../clock.js';
import { decide, reminding, turnOf, type Table } from '../table.js';
import { giftOf } from '../time-control.js';
import { act, logged } from './act.js';
import { nextPly, notDecided, notOnMove, playing, unless, type Condition } from './conditions.js';
import { plyField } from './input.js';

const hasClock: Condition = ({ table }) =>
  unless(
    giftOf(table.timeControl) !== null,
    'NO_CLOCK',
    'The game has no time control: there is no time to give.',
  );

/** As many seconds as the clock can still hold. */
function room(table: Table, now: number): number {
  const turn = turnOf(table);
  const { timeControl } = table;
  const most = timeControl.type === 'bank' ? timeControl.cap - (leftAt(turn, now) ?? 0) : Infinity;
  return roomFor(turn, Math.min(giftOf(timeControl)!, most));
}

export const giveTime = act({
  name: 'giveTime',
  path: 'time',
  description: 'Gives your opponent, who is to move, one more turn’s time; once in a turn.',
  input: {
    ply: plyField('plyCount + 1: the turn that gets the time. Sent again it gives nothing more.', 12),
  },
  conditions: [notDecided, ...playing, nextPly, hasClock, notOnMove],
  // Once in a turn, so that a request that is sent again gives nothing more.
  done: ({ table, player, ply }) =>
    table.clock.given > 0 && table.turn === opponent(player) && ply === table.plyCount + 1,
  apply: ({ table, player, now }) => {
    const given = Math.min(giftOf(table.timeControl)!, room(table, now));
    if (given < 1) return { code: 'TIME_CEILING', message: 'The clock cannot hold more time.' };
    const clock = reminding(table, { ...table.clock, given }, now);
    return decide(table, { clock }, [logged('giveTime', player, { data: { seconds: given } })], now);
  },
  tells: { notice: 'timeGiven', with: ['seconds', 'deadlineAt'], untilMoved: true },
  samples: ({ table }) => [{ ply: table.plyCount + 1 }, { ply: table.plyCount + 2 }, { ply: 1 }],
  tellsDeadline: true,
});
