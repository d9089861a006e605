import { identity } from '../../dist/rules/deal.js';
import { prove } from '../../dist/fairness/merkle.js';
import * as rules from '../../dist/rules/play.js';

/** How the players of seeded games choose their moves: at random, with some preferences. */

/** Opening moves, tried in this order if legal, so that many games share an opening. */
const BOOK = ['e2e4', 'e7e5', 'd2d4', 'c7c5', 'd7d5', 'g1f3', 'b8c6', 'g8f6', 'h3e3', 'h8e8', 'h10g8', 'h1g3', 'b10c8', 'b1c3', 'f1c4', 'f1b5', 'c2c4', 'd2d3', 'd5d4', 'b4', 'd4', 'e2', 'c5', 'c7c6', 'e7e6', 'c1e3', 'c4c5', 'e1d3']; // prettier-ignore
const BOOK_PLIES = 8;
const FROM_BOOK = 0.8;
const TAKES = 0.55;
const HUNTER_TAKES = 0.9;
const LOOKED_AT = 3;

const capturesIn = (ruleset, at, move) =>
  ruleset.turnsUp(at, move) === null && ruleset.captured(at, move, null) !== null;

function fromBook(texts, chance) {
  const known = BOOK.filter((text) => texts.includes(text));
  return known.length === 0
    ? null
    : known[Math.min(known.length, Math.max(1, Math.round(chance.around(1, 0.8)))) - 1];
}

/** A move that wins at once, if there is one. Only likely candidates are tried. */
function winning(ruleset, at, moves, player) {
  return moves.find((move) => {
    if (ruleset.turnsUp(at, move) !== null) return false;
    const after = ruleset.play(at, move, null);
    if (!ruleset.check(after) && !(ruleset.hidden && ruleset.captured(at, move, null) !== null)) return false;
    return ruleset.outcome({ positions: [after], moves: [] })?.winner === player;
  });
}

const backwards = (text) => /^([a-z]\d+)([a-z]\d+)$/.exec(text)?.slice(1).reverse().join('');

/**
 * The text of the next move. `aim`: what the players are after; `before`: the previous move of the player.
 */
export function choose(game, { plyCount, aim, before }, chance) {
  const { ruleset } = game;
  const at = rules.position(game);
  const moves = ruleset.legalMoves(at);
  if (plyCount < BOOK_PLIES && chance.happens(FROM_BOOK)) {
    const text = fromBook(
      moves.map((move) => ruleset.text(move)),
      chance,
    );
    if (text !== null) return text;
  }
  const player = ruleset.turn(at);
  if (aim?.kind === 'repeat') {
    const back = before && backwards(before);
    const found = moves.find((move) => ruleset.text(move) === back);
    if (found !== undefined && ruleset.turnsUp(at, found) === null) return back;
  }
  const hunts = aim?.kind === 'win' && aim.by === player;
  const won = hunts ? winning(ruleset, at, moves, player) : undefined;
  if (won !== undefined) return ruleset.text(won);
  const few = Array.from({ length: LOOKED_AT }, () => chance.oneOf(moves));
  const taking = chance.happens(hunts ? HUNTER_TAKES : TAKES)
    ? (hunts ? moves : few).find((move) => capturesIn(ruleset, at, move))
    : undefined;
  return ruleset.text(taking ?? few[0]);
}

/** Stands in for the engine's service, reading the game from memory instead of its row. */
export function judge(game, move, sealed) {
  const at = rules.position(game);
  const { ruleset } = game;
  const square = ruleset.hidden ? rules.turnsUp(game, move).value : null;
  const played = rules.play(game, move, square === null ? null : identity(ruleset, sealed.deal, square));
  if (!played.ok) throw new Error(`${ruleset.id} ${ruleset.fen(at)} ${move}: ${played.refusal.message}`);
  const { game: next, ply } = played.value;
  return {
    game: next,
    judged: {
      ply,
      proof: square === null ? null : prove(sealed, square),
      outcome: next.outcome,
      turn: next.outcome === null ? ruleset.turn(rules.position(next)) : null,
      anchors: next.history.positions.length === 1,
    },
  };
}
