import { existsSync, readFileSync } from 'node:fs';
import { parseOptions } from '../../src/rules/options.js';
import { begin, play, position, type Game } from '../../src/rules/play.js';
import { rulesets, type AnyRuleset } from '../../src/rules/registry.js';
import { REASONS, type Reason } from '../../src/rules/ruleset.js';
import { setupNumber, setupOf } from '../../src/rules/setup.js';
import { must } from '../support/random-games.js';
import {
  cellsOf,
  fenOf,
  findWritten,
  gameAt,
  imagesOn,
  legalOf,
  playerOf,
  quoted,
  readDiagrams,
  readPages,
  tables,
  type Diagram,
} from '../support/rule-pages.js';

/** The statements of docs/rules match the rules. */

const pages = readPages();
const diagrams = readDiagrams();

const BY_PLAYERS = ['agreement', 'resignation', 'timeout', 'aborted'] as const;
const CHESS = [
  'checkmate',
  'stalemate',
  'insufficientMaterial',
  'threefoldRepetition',
  'fivefoldRepetition',
  'fiftyMoves',
  'seventyFiveMoves',
] as const;
const FACE_DOWN = ['allPiecesCaptured', 'noLegalMove', 'threefoldRepetition', 'quietLimit'] as const;
const XIANGQI = ['noLegalMove', 'insufficientMaterial', 'threefoldRepetition', 'quietLimit'] as const;

/** How the games of a rule set can end, apart from acts of the players. */
const ENDS: Readonly<Record<string, readonly Reason[]>> = {
  chess: CHESS,
  'half-court-chess': CHESS,
  xiangqi: ['kingCaptured', ...XIANGQI],
  'xiangqi-tournament': ['checkmate', 'perpetualCheck', 'perpetualChase', ...XIANGQI],
  'banqi-hongkong': [...FACE_DOWN, 'perpetualAttack'],
  'banqi-taiwan': [...FACE_DOWN, 'perpetualAttack'],
  'half-chess': FACE_DOWN,
};

const isReason = (word: string): word is Reason => REASONS.includes(word as Reason);

/** The lines of a page, each with the diagrams shown last. */
const lines = (page: string): readonly { readonly line: string; readonly shown: readonly Diagram[] }[] => {
  let shown: readonly Diagram[] = [];
  return page.split('\n').map((line) => {
    const names = imagesOn(line);
    if (names.length > 0) shown = names.map((name) => diagrams.get(name)!);
    return { line, shown };
  });
};

const start = (ruleset: AnyRuleset): Game<unknown> =>
  begin<unknown>(ruleset, must(parseOptions(ruleset, {})));

const after = (game: Game<unknown>, written: string): Game<unknown> =>
  must(play(game, ...findWritten(game, written))).game;

/** What a page says about the end of a line of plies, in its words. */
function resultOf(game: Game<unknown>, said: string): string {
  const { ruleset, outcome } = game;
  const fen = fenOf(game);
  if (said.endsWith(' is to move')) {
    return playerOf(ruleset, fen, said) === ruleset.turn(position(game)) ? said : fen;
  }
  if (outcome === null) {
    return `the player to move may claim ${ruleset
      .claimable(game.history)
      .map((claim) => `\`${claim}\``)
      .join()}`;
  }
  const { winner, reason } = outcome;
  if (winner === null) return `\`${reason}\`, a draw`;
  const side = /, (\w+) loses$/.exec(said)?.[1] ?? '';
  return `\`${reason}\`, ${playerOf(ruleset, fen, side) === winner ? 'somebody else' : side} loses`;
}

test('every rule set has its page, and every page its rule set', () => {
  const expected = ['README.md', ...rulesets().map(({ id }) => `${id}.md`)];
  expect([...pages.keys()].sort()).toEqual(expected.sort());
  expect(Object.keys(ENDS).sort()).toEqual(
    rulesets()
      .map(({ id }) => id)
      .sort(),
  );
});

test('the index names every rule set as the catalogue does', () => {
  const rows = tables(pages.get('README.md')!, 'page | name | Chinese')[0]!.slice(2);
  const chance = { none: 'no', deal: 'the deal', setup: 'the set-up' };
  expect(rows.map((row) => row.slice(0, 6))).toEqual(
    rulesets().map((ruleset) => [
      `[${ruleset.id}](${ruleset.id}.md)`,
      ruleset.name,
      ruleset.chinese ?? '',
      `${ruleset.board.files} x ${ruleset.board.ranks} ${ruleset.id.startsWith('xiangqi') ? 'points' : 'squares'}`,
      ruleset.hidden ? 'yes' : 'no',
      chance[ruleset.chance],
    ]),
  );
});

test('the positions in the index are printed as they are read', () => {
  const rows = tables(pages.get('README.md')!, 'games | after the rows')[0]!.slice(2);
  for (const row of rows) {
    const text = quoted(row.at(-1)!)[0]!;
    const named = rulesets().find(({ name }) => name.startsWith(row[0]!.split(', ')[0]!))!;
    expect([row[0], fenOf(gameAt({ ruleset: named.id, position: text }))]).toEqual([row[0], text]);
  }
  expect(rows.length).toBeGreaterThan(3);
});

describe.each(rulesets().map((ruleset) => [ruleset.id, ruleset] as const))('%s', (id, ruleset) => {
  const page = pages.get(`${id}.md`) ?? `docs/rules/${id}.md is missing`;

  test('lists every piece with its letter and its characters', () => {
    for (const { letter, name, chinese } of ruleset.pieces) {
      const row = page.split('\n').find((line) => line.startsWith(`| ${name} | ${letter} |`));
      expect(row).toBeDefined();
      if (chinese !== null) expect(cellsOf(row!)).toContain(chinese.join(' '));
    }
  });

  test('lists every option with its default and its values, and no other', () => {
    const rows = (tables(page, 'option | default')[0] ?? []).slice(2);
    const expected = Object.entries(ruleset.options).map(([name, spec]) => [name, String(spec.default)]);
    expect(rows.map((row) => [...quoted(row[0]!), ...quoted(row[1]!)]).sort()).toEqual(expected.sort());
    for (const [name, spec] of Object.entries(ruleset.options)) {
      const meaning = rows.find((row) => row[0] === `\`${name}\``)![2]!;
      if (spec.type === 'choice') expect(quoted(meaning)).toEqual(expect.arrayContaining([...spec.values]));
      if (spec.type === 'integer') expect(meaning).toMatch(`${spec.min} to ${spec.max} `);
    }
    if (expected.length === 0) expect(page).toContain('## Options\n\nNone.\n');
  });

  test('lists every reason for which its games end, and no other', () => {
    const named = new Set(quoted(page).filter(isReason));
    expect([...named].sort()).toEqual([...ENDS[id]!, ...BY_PLAYERS].sort());
    const vectors = `test/vectors/games.${id}.jsonl`;
    expect(existsSync(vectors)).toBe(true);
    const games = readFileSync(vectors, 'utf8').trim().split('\n');
    const reasons = games.map((line) => JSON.parse(line).outcome?.reason ?? 'aborted');
    expect(reasons.filter((reason) => !named.has(reason))).toEqual([]);
  });

  test('its lists of legal and of losing moves are complete', () => {
    for (const { line, shown } of lines(page)) {
      const which = /^(Legal|Losing)(?: on the (left|right))?:/.exec(line);
      if (which === null) continue;
      const game = gameAt((which[2] === 'left' ? shown[0] : shown.at(-1))!);
      const at = position(game);
      const losing = ruleset.losing(at).map((move) => ruleset.text(move));
      expect([...quoted(line)]).toEqual(which[1] === 'Legal' ? legalOf(game) : losing.sort());
    }
  });

  test('its lines of play end as it says', () => {
    for (const { line, shown } of lines(page)) {
      const head = /^Played(?: with ((?:`\w+` ?)+))?( from the start)?: (.*?)\. Result: (.*)\.$/.exec(line);
      expect(line.startsWith('Played')).toBe(head !== null);
      if (head === null) continue;
      const [name, value] = quoted(head[1] ?? '');
      const options = name === undefined ? {} : { [name]: value };
      const game = head[2] === undefined ? gameAt(shown.at(-1)!, options) : start(ruleset);
      const said = head[4]!;
      expect(resultOf(quoted(head[3]!).reduce(after, game), said)).toBe(said);
    }
  });

  test('its statements about how a move is written are true', () => {
    for (const { line, shown } of lines(page)) {
      for (const [, move, san] of line.matchAll(/`([a-z]\d+[a-z]\d+[qrbn]?)` \(`([^`]+)`\)/g)) {
        const games = shown.map((diagram) => gameAt(diagram)).filter((game) => legalOf(game).includes(move!));
        expect(games.map((game) => findWritten(game, san!)[0])).toContain(move);
      }
      if (!line.startsWith('Written: ')) continue;
      for (const written of quoted(line)) expect(after(gameAt(shown[0]!), written).outcome).toBeNull();
    }
  });

  test('its tables of notations are right', () => {
    let game = start(ruleset);
    let inTable = '';
    for (const { line, shown } of lines(page)) {
      if (line.startsWith('| move ')) inTable = line;
      if (!line.startsWith('|')) inTable = '';
      if (inTable === '' || !line.startsWith('| `')) continue;
      if (!inTable.includes('from the start')) game = gameAt(shown.at(-1)!);
      const at = position(game);
      const cells = quoted(line);
      const move = ruleset.legalMoves(at).find((legal) => ruleset.text(legal) === cells[0])!;
      const [iccs, chinese] = ruleset.notations(at, move).map(({ text }) => text);
      expect(cells).toEqual([ruleset.text(move), ruleset.san(at, move, null), iccs, chinese]);
      game = after(game, cells[0]!);
    }
  });
});

describe.each(
  rulesets()
    .filter(({ hidden }) => hidden)
    .map(({ id }) => id),
)('captures of %s', (id) => {
  const ruleset = rulesets().find((one) => one.id === id)!;
  const page = pages.get(`${id}.md`)!;
  const letters = ruleset.pieces.map(({ letter }) => letter);

  /** The letters that a piece captures by a step, in the order of the pieces. */
  const taken = (attacker: string, options: object): string =>
    letters
      .filter((victim) => {
        const empty = `/${ruleset.board.files}`.repeat(ruleset.board.ranks - 1).slice(1);
        const row = `${attacker}${victim.toLowerCase()}${ruleset.board.files - 2}`;
        const fen = `${empty}/${row} first ${ruleset.sides[0].charAt(0)} - 0 61`;
        return legalOf(gameAt({ ruleset: id, position: fen }, options)).includes('a1b1');
      })
      .join('');

  /** The letters of the kinds that a cell names: `all but pawns`, `knights, pawns`. */
  const named = (cell: string): string => {
    const mentioned = ruleset.pieces.filter(({ name }) => cell.includes(name)).map(({ letter }) => letter);
    if (!cell.startsWith('all but')) return mentioned.join('');
    return letters.filter((letter) => !mentioned.includes(letter)).join('');
  };

  const OPTIONS = /`(\w+)`$/;

  test('the words are right', () => {
    const [head, , ...rows] = tables(page, 'piece | letter')[0]!;
    expect(rows).toHaveLength(letters.length);
    for (const [at, title] of head!.entries()) {
      if (!/^(captures|takes)/.test(title)) continue;
      const captures = OPTIONS.exec(title)?.[1];
      const options = captures === undefined ? {} : { captures };
      for (const row of rows) expect([row[0], named(row[at]!)]).toEqual([row[0], taken(row[1]!, options)]);
    }
    for (const row of rows) {
      const among = ruleset.dealing[0]!.split(row[1]!).length - 1;
      expect(row).toContain(String(among));
    }
  });

  test('the tables are right', () => {
    const found = tables(page, 'takes');
    expect(found).toHaveLength(id === 'half-chess' ? 2 : 0);
    for (const [at, [head, , ...rows]] of found.entries()) {
      const options = { captures: at === 0 ? 'asWritten' : 'hierarchy' };
      for (const [attacker, ...cells] of rows) {
        const victims = head!.slice(1).filter((_, column) => cells[column] === 'x');
        expect([attacker, victims.join('')]).toEqual([attacker, taken(attacker!, options)]);
      }
    }
  });
});

test('the numbers of set-ups are right', () => {
  const ruleset = rulesets().find(({ id }) => id === 'half-court-chess')!;
  const page = pages.get('half-court-chess.md')!;
  const rows = tables(page, 'number | set-up')[0]!.slice(2);
  expect(rows.length).toBeGreaterThan(3);
  for (const [number, cell] of rows) {
    const setup = quoted(cell!)[0]!;
    expect(setupNumber(ruleset, setup)).toBe(Number(number));
    expect(must(setupOf(ruleset, Number(number)))).toBe(setup);
  }
  const inWords = /120 x (\d+) \+ (\d+) = (\d+)/.exec(page)!.slice(1).map(Number);
  expect(inWords[2]).toBe(setupNumber(ruleset, 'NQRBK/qbnrk'));
  expect(120 * inWords[0]! + inWords[1]!).toBe(inWords[2]);
});
