import type { Player } from '../rules/ruleset.js';
import type { Fields } from './json-fields.js';
import type { Facts, FairnessFacts, PlayerFacts } from './score.js';

/** Facts in JSON that only the server of a game knows. */

interface SaidPlayer extends PlayerFacts {
  readonly name: string | null;
}

const PLAYER = ['id', 'name', 'rating', 'ratingDiff'];
const NOBODY: SaidPlayer = { id: null, name: null, rating: null, ratingDiff: null };

const FAIRNESS = [
  ...['format', 'commitment', 'dealRoot', 'creator', 'creatorSeed', 'accepterSeed', 'clientSeeds'],
  ...['headHash', 'serverSeed', 'record'],
];

export function playersIn(fields: Fields): Readonly<Record<Player, SaidPlayer>> {
  const players = fields.object('players', ['first', 'second']);
  return { first: playerIn(players, 'first'), second: playerIn(players, 'second') };
}

/** A plain string is the name. */
function playerIn(players: Fields | null, seat: Player): SaidPlayer {
  if (players?.isScalar(seat)) return { ...NOBODY, name: players.known(seat) };
  const player = players?.object(seat, PLAYER) ?? null;
  if (player === null) return NOBODY;
  return {
    id: player.known('id'),
    name: player.known('name'),
    rating: player.number('rating'),
    ratingDiff: player.number('ratingDiff'),
  };
}

/** Null if none is given. */
export function factsIn(
  fields: Fields,
  { first, second }: Readonly<Record<Player, SaidPlayer>>,
): Facts | null {
  const facts = {
    rulesetVersion: fields.whole('rulesetVersion'),
    rated: fields.flag('rated'),
    players: { first: withoutName(first), second: withoutName(second) },
    fairness: fairnessIn(fields.object('fairness', FAIRNESS)),
  };
  return isSaid(facts) ? facts : null;
}

const withoutName = ({ name: _, ...facts }: SaidPlayer): PlayerFacts => facts;

const isSaid = (value: unknown): boolean =>
  value !== null && (typeof value !== 'object' || Object.values(value).some(isSaid));

function fairnessIn(said: Fields | null): FairnessFacts | null {
  if (said === null) return null;
  const seeds = said.object('clientSeeds', ['first', 'second']);
  return {
    format: said.whole('format'),
    commitment: said.text('commitment'),
    dealRoot: said.text('dealRoot'),
    creator: said.text('creator'),
    creatorSeed: said.text('creatorSeed'),
    accepterSeed: said.text('accepterSeed'),
    clientSeeds: { first: seeds?.text('first') ?? null, second: seeds?.text('second') ?? null },
    headHash: said.text('headHash'),
    serverSeed: said.text('serverSeed'),
    record: said.text('record'),
  };
}
