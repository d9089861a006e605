import { oneOf } from '../support/random.mjs';
import { textNear, valueNearObject } from './texts.mjs';

/**
 * The kinds of untrusted text that the rules parse: moves, positions, options, deals and set-ups. `core`
 * holds the functions of src/rules (or dist/rules), so that tests and programs run the same trials.
 *
 * A trial is `{ text, answer, verify }`: the input, the call to make (which returns a Result), and a check of
 * its answer that throws if the answer is wrong.
 */

export const KINDS = ['move', 'fen', 'options', 'deal', 'setup'];

const GAMES = 6;
const MOST_PLIES = 120;

function shuffled(text, pick) {
  const letters = [...text];
  for (let k = letters.length - 1; k > 0; k--) {
    const j = pick(k + 1);
    [letters[k], letters[j]] = [letters[j], letters[k]];
  }
  return letters.join('');
}

function anyValue(spec, pick) {
  if (spec.type === 'boolean') return pick(2) === 0;
  if (spec.type === 'integer') return spec.min + pick(spec.max - spec.min + 1);
  return spec.type === 'choice' ? oneOf(pick, spec.values) : spec.default;
}

const anyOptions = (ruleset, pick) =>
  Object.fromEntries(Object.entries(ruleset.options).map(([name, spec]) => [name, anyValue(spec, pick)]));

const drawn = ({ dealing }, pick) => dealing.map((list) => shuffled(list, pick)).join('/');

/** The states of one random game. */
function playout(core, ruleset, pick) {
  const options = core.parseOptions(ruleset, anyOptions(ruleset, pick)).value;
  const text = drawn(ruleset, pick);
  const states = [core.begin(ruleset, options, ruleset.chance === 'setup' ? text : null)];
  while (states.at(-1).outcome === null && states.length < MOST_PLIES) {
    const game = states.at(-1);
    const move = oneOf(pick, core.legalMoves(game));
    const square = core.turnsUp(game, move).value;
    const reveal = square === null ? null : core.identity(ruleset, text, square);
    states.push(core.play(game, move, reveal).value.game);
  }
  return states;
}

/** Valid inputs of a rule set to start from, taken from random games with their options. */
function valid(core, ruleset, pick) {
  const states = Array.from({ length: GAMES }, () => playout(core, ruleset, pick)).flat();
  return {
    games: states.map((game) => ({
      game,
      fen: ruleset.fen(core.position(game)),
      unseen: ruleset.unseen(core.position(game)) ?? '',
      moves: core.legalMoves(game).concat('e2e4', 'a1', 'pass'),
    })),
    texts: Array.from({ length: 20 }, () => drawn(ruleset, pick)).concat('NQRBK/qbnrk'),
    options: Array.from({ length: 20 }, () => anyOptions(ruleset, pick)),
  };
}

const must = (holds, what) => {
  if (!holds) throw new Error(what);
};

const inWords = (answer, code) => {
  if (answer.ok) return;
  const { message } = answer.refusal;
  must(code.includes(answer.refusal.code), `refused with ${answer.refusal.code}`);
  must(message.length < 400 && message.endsWith('.'), `refused with the message ${message.slice(0, 500)}`);
};

/** An en passant square that no capture can use is accepted but not printed. */
const withoutEnPassant = (fen) => fen.split(' ').with(3, '-').join(' ');

/** Checks everything that can be computed from a parsed position. */
function useIt(core, ruleset, options, text, read) {
  const printed = ruleset.fen(read);
  const isChess = ruleset.pieces.some(({ letter }) => letter === 'Q') && !ruleset.hidden;
  must(printed === text || (isChess && printed === withoutEnPassant(text)), `printed as ${printed}`);
  const game = core.resume(ruleset, options, { fen: text, plies: [] }).value;
  must(
    ruleset.countLegalMoves(read) === ruleset.legalMoves(read).length,
    'the number of legal moves differs from the list',
  );
  for (const move of core.legalMoves(game)) {
    const turnsUp = core.turnsUp(game, move).value;
    must(core.play(game, move, null).ok === (turnsUp === null), `${move} is listed as legal but was refused`);
  }
  ruleset.canWin(read, 'first');
  ruleset.losing(read);
}

/** For each kind, a function that makes the next trial in this rule set. */
export function trials(core, ruleset, pick) {
  const { games, texts, options } = valid(core, ruleset, pick);
  const fens = games.map(({ fen }) => fen);
  const plain = (parse, code) => () => {
    const text = textNear(texts, pick);
    return { text, answer: () => parse(ruleset, text), verify: (answer) => inWords(answer, [code]) };
  };
  return {
    move: () => {
      const { game, moves } = oneOf(pick, games);
      const text = textNear(moves, pick);
      const reveal = pick(2) === 0 ? null : textNear(['K', 'p'], pick);
      return {
        text,
        answer: () => core.play(game, text, reveal),
        verify: (answer) => inWords(answer, ['ILLEGAL_MOVE', 'GAME_OVER', 'INVALID_REVEAL']),
      };
    },
    fen: () => {
      const near = oneOf(pick, games);
      const given = near.game.options;
      const text = textNear(pick(2) === 0 ? [near.fen] : fens, pick);
      const unseen = pick(4) > 0 ? undefined : textNear([near.unseen], pick);
      return {
        text: unseen === undefined ? text : `${text} unseen ${unseen}`,
        answer: () => ruleset.parse(text, given, unseen),
        verify: (answer) => {
          inWords(answer, ['INVALID_POSITION']);
          if (answer.ok) useIt(core, ruleset, given, text, answer.value);
        },
      };
    },
    options: () => {
      const value = valueNearObject(options, pick);
      return {
        text: JSON.stringify(value),
        answer: () => core.parseOptions(ruleset, value),
        verify: (answer) => {
          inWords(answer, ['INVALID_OPTIONS']);
          if (!answer.ok) return;
          const again = core.parseOptions(ruleset, answer.value);
          must(
            JSON.stringify(again.value) === JSON.stringify(answer.value),
            'completing the options twice gives another result',
          );
        },
      };
    },
    deal: plain(core.parseDeal, 'INVALID_DEAL'),
    setup: plain(core.parseSetup, 'INVALID_SETUP'),
  };
}
