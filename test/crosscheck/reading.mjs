/**
 * A second implementation of the Xiangqi tournament rules, as plain and slow as possible, which shares no
 * code with src/rules: who gave check and who chased during a repetition.
 *
 * Each clause of the rule on chases can also be read in another way (`as`), the way Fairy-Stockfish reads it.
 * Where the two programs differ, the difference counts as explained if reading a clause their way turns our
 * verdict into theirs.
 */

const FILES = 9;
const RANKS = 10;

const fileOf = (square) => square % FILES;
const rankOf = (square) => Math.floor(square / FILES);
const isRed = (letter) => letter === letter.toUpperCase();
const kind = (letter) => letter.toUpperCase();
const nameOf = (square) => String.fromCharCode(97 + fileOf(square)) + (rankOf(square) + 1);

/** The letters by square from a1, '' for an empty square, and the side to move. */
export function parse(fen) {
  const [board, turn] = fen.split(' ');
  const rows = board.split('/').reverse();
  const cells = rows.flatMap((row) =>
    [...row].flatMap((letter) => (/[0-9]/.test(letter) ? Array(Number(letter)).fill('') : [letter])),
  );
  return { cells, red: turn === 'w' };
}

export function squaresOf(move) {
  const [, from, to] = /^([a-i][0-9]+)([a-i][0-9]+)$/.exec(move);
  const square = (name) => (Number(name.slice(1)) - 1) * FILES + name.charCodeAt(0) - 97;
  return [square(from), square(to)];
}

export const moveText = (from, to) => nameOf(from) + nameOf(to);

const on = (file, rank) => file >= 0 && file < FILES && rank >= 0 && rank < RANKS;
const at = (file, rank) => rank * FILES + file;
const inPalace = (file, rank, red) => file >= 3 && file <= 5 && (red ? rank <= 2 : rank >= 7);
const isHome = (rank, red) => (red ? rank <= 4 : rank >= 5);

const STRAIGHT = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
];
const DIAGONAL = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
];

/** The squares in one direction from a square, nearest first. */
function ray(square, [df, dr]) {
  const squares = [];
  for (let f = fileOf(square) + df, r = rankOf(square) + dr; on(f, r); f += df, r += dr)
    squares.push(at(f, r));
  return squares;
}

/**
 * The squares that a piece attacks by the table of the rules, ignoring its own pieces on the target and the
 * safety of its own general.
 */
const REACH = {
  K: (cells, from, red) => {
    const steps = near(from, STRAIGHT).filter((to) => inPalace(fileOf(to), rankOf(to), red));
    const facing = ray(from, [0, red ? 1 : -1]).find((to) => cells[to] !== '');
    return facing !== undefined && kind(cells[facing]) === 'K' ? [...steps, facing] : steps;
  },
  A: (cells, from, red) => near(from, DIAGONAL).filter((to) => inPalace(fileOf(to), rankOf(to), red)),
  B: (cells, from, red) =>
    DIAGONAL.flatMap(([df, dr]) => {
      const [f, r] = [fileOf(from), rankOf(from)];
      const open = on(f + 2 * df, r + 2 * dr) && cells[at(f + df, r + dr)] === '';
      return open && isHome(r + 2 * dr, red) ? [at(f + 2 * df, r + 2 * dr)] : [];
    }),
  N: (cells, from) =>
    STRAIGHT.flatMap(([df, dr]) => {
      const [f, r] = [fileOf(from) + df, rankOf(from) + dr];
      if (!on(f, r) || cells[at(f, r)] !== '') return [];
      return DIAGONAL.filter(([f2, r2]) => (df === 0 ? r2 === dr : f2 === df))
        .filter(([f2, r2]) => on(f + f2, r + r2))
        .map(([f2, r2]) => at(f + f2, r + r2));
    }),
  R: (cells, from) =>
    STRAIGHT.flatMap((way) => {
      const line = ray(from, way);
      const stop = line.findIndex((to) => cells[to] !== '');
      return stop < 0 ? line : line.slice(0, stop + 1);
    }),
  C: (cells, from) =>
    STRAIGHT.flatMap((way) => {
      const line = ray(from, way);
      const full = line.filter((to) => cells[to] !== '');
      const free = full.length === 0 ? line : line.slice(0, line.indexOf(full[0]));
      return full.length > 1 ? [...free, full[1]] : free;
    }),
  P: (cells, from, red) => {
    const forward = near(from, [[0, red ? 1 : -1]]);
    return isHome(rankOf(from), red)
      ? forward
      : [
          ...forward,
          ...near(from, [
            [1, 0],
            [-1, 0],
          ]),
        ];
  },
};

function near(from, ways) {
  return ways
    .map(([df, dr]) => [fileOf(from) + df, rankOf(from) + dr])
    .filter(([f, r]) => on(f, r))
    .map(([f, r]) => at(f, r));
}

const reach = (cells, from) => REACH[kind(cells[from])](cells, from, isRed(cells[from]));
const piecesOf = (cells, red) =>
  [...cells.keys()].filter((square) => cells[square] !== '' && isRed(cells[square]) === red);
const isEnemy = (cells, one, two) => cells[two] !== '' && isRed(cells[one]) !== isRed(cells[two]);

/** Whether a piece attacks another, ignoring the safety of its own general. */
const aimsAt = (cells, from, to) => isEnemy(cells, from, to) && reach(cells, from).includes(to);

/**
 * The enemy pieces (including the general) that the chasing pieces of a side attack, and checks by any piece.
 */
export const aimedAt = (cells, red) => [
  ...new Set(
    piecesOf(cells, red).flatMap((from) => {
      const isHunter = !'KP'.includes(kind(cells[from]));
      return reach(cells, from).filter(
        (to) => isEnemy(cells, from, to) && (isHunter || kind(cells[to]) === 'K'),
      );
    }),
  ),
];

export function moved(cells, from, to) {
  const after = [...cells];
  after[to] = after[from];
  after[from] = '';
  return after;
}

/** Whether the general of a side is attacked, including by the other general along an open file. */
function isChecked(cells, red) {
  const general = cells.indexOf(red ? 'K' : 'k');
  return piecesOf(cells, !red).some((from) => aimsAt(cells, from, general));
}

const isLegal = (cells, from, to) => !isChecked(moved(cells, from, to), isRed(cells[from]));

const couldCapture = (cells, from, to) => aimsAt(cells, from, to) && isLegal(cells, from, to);

/** (b) Not a general, and not a soldier on its own side of the river. */
const isPrey = (cells, target) => {
  const piece = kind(cells[target]);
  return piece !== 'K' && !(piece === 'P' && isHome(rankOf(target), isRed(cells[target])));
};

/** The pieces of a side that shield its general from an attack. */
const pinnedOf = (cells, red) => {
  if (isChecked(cells, red)) return piecesOf(cells, red).filter((square) => kind(cells[square]) !== 'K' && shields(cells, square, red)); // prettier-ignore
  return piecesOf(cells, red).filter(
    (square) => kind(cells[square]) !== 'K' && isChecked(cells.with(square, ''), red),
  );
};

/** If the side is already in check: whether another piece attacks the general once this one is gone. */
const shields = (cells, square, red) => {
  const general = cells.indexOf(red ? 'K' : 'k');
  const count = (board) => piecesOf(board, !red).filter((from) => aimsAt(board, from, general)).length;
  return count(cells.with(square, '')) > count(cells);
};

/** (c) The same kind of piece, and the target could capture the attacker now. */
function isExchange(cells, attacker, target, as) {
  if (kind(cells[attacker]) !== kind(cells[target])) return false;
  if (!as.has('exchange')) return couldCapture(cells, target, attacker);
  const [f, r] = [fileOf(attacker), rankOf(attacker)];
  const hindered = DIAGONAL.some(([df, dr]) => on(f + df, r + dr) && cells[at(f + df, r + dr)] !== '');
  if (kind(cells[attacker]) === 'N' && hindered) return aimsAt(cells, target, attacker);
  return !pinnedOf(cells, isRed(cells[target])).includes(target);
}

/** (d) Whether a piece of the target's side could legally recapture. */
function isProtected(cells, attacker, target, as) {
  const red = isRed(cells[target]);
  const after = moved(cells, attacker, target);
  const backers = piecesOf(after, red).filter((from) => aimsAt(after, from, target));
  if (!as.has('takeBack')) return backers.some((from) => isLegal(after, from, target));
  const pinned = pinnedOf(cells, red);
  const free = backers.filter((from) => !pinned.includes(from));
  const general = cells.indexOf(red ? 'K' : 'k');
  const enemy = cells.indexOf(red ? 'k' : 'K');
  if (free.length !== 1 || free[0] !== general) return free.length > 0;
  return !REACH.R(cells.with(attacker, ''), enemy).includes(target);
}

/** (c) and (d). */
function isThreat(cells, attacker, target, as) {
  const [one, two] = [kind(cells[attacker]), kind(cells[target])];
  if (one === 'K' || one === 'P') return false;
  if (as.has('lesser') && 'AB'.includes(one) && 'RCN'.includes(two)) return true;
  if (two === 'R' && (one === 'N' || one === 'C')) return true;
  return !isExchange(cells, attacker, target, as) && !isProtected(cells, attacker, target, as);
}

/**
 * Whether the ply from `from` to `to` newly threatens the target. The letters are the clauses of the rules.
 */
function newlyThreatens(before, [from, to], target, as = new Set()) {
  const after = moved(before, from, to);
  const red = isRed(before[from]);
  if (isPrey(after, target)) {
    for (const attacker of piecesOf(after, red)) {
      if (!aimsAt(after, attacker, target)) continue;
      if (!as.has('pinnedAttacker') && !isLegal(after, attacker, target)) continue; // (a)
      if (!isThreat(after, attacker, target, as)) continue; // (c), (d)
      const stood = attacker === to ? from : attacker;
      if (!aimedBefore(before, stood, target, attacker === to ? to : null, as)) return true; // (e)
    }
  }
  return (
    (as.has('newPin') && losesProtector(before, after, target, red)) ||
    (as.has('newDiscoverer') && isTakenWithCheck(before, after, target, red))
  );
}

/** (e) */
function aimedBefore(before, stood, target, to, as) {
  const isLineMover = 'RC'.includes(kind(before[stood]));
  if (as.has('line') && to !== null && isLineMover) {
    const sameFile = fileOf(stood) === fileOf(to) && fileOf(stood) === fileOf(target);
    const sameRank = rankOf(stood) === rankOf(to) && rankOf(stood) === rankOf(target);
    // Fairy-Stockfish asks whether it would attack from its present square if the square it left were
    // occupied.
    if (sameFile || sameRank) return aimsAt(moved(before, stood, to).with(stood, before[stood]), to, target);
  }
  if (!aimsAt(before, stood, target)) return false;
  return as.has('standing') || isThreat(before, stood, target, as);
}

/** Only as Fairy-Stockfish reads it: a protector of the target has just been pinned. */
function losesProtector(before, after, target, red) {
  if (!isPrey(after, target)) return false;
  const pins = pinnedOf(after, !red).filter((square) => !pinnedOf(before, !red).includes(square));
  const guarded = pins.some((square) => square !== target && reach(after, square).includes(target));
  const blockers = pinnedOf(after, red);
  return (
    guarded && piecesOf(after, red).some((from) => !blockers.includes(from) && aimsAt(after, from, target))
  );
}

/**
 * Only as Fairy-Stockfish reads it: a piece that has just moved in front of a check of its own side attacks
 * the target.
 */
function isTakenWithCheck(before, after, target, red) {
  const masks = (cells) =>
    piecesOf(cells, red).filter(
      (square) => !isChecked(cells, !red) && isChecked(cells.with(square, ''), !red),
    );
  const fresh = masks(after).filter((square) => !masks(before).includes(square));
  const general = after.indexOf(red ? 'k' : 'K');
  return fresh.some((square) => {
    if (!aimsAt(after, square, target)) return false;
    if (!REACH.K(after, general, !red).includes(target)) return true;
    const without = after.with(square, '').with(general, '');
    return piecesOf(without, red).some((from) => reach(without, from).includes(target));
  });
}

/** Which side chased the same piece with each of its plies. `plies` are pairs of squares. */
function chased(positions, plies, red, as) {
  let targets = piecesOf(positions[0].cells, !red);
  for (const [n, ply] of plies.entries()) {
    const { cells, red: mover } = positions[n];
    if (mover === red) targets = targets.filter((target) => newlyThreatens(cells, ply, target, as));
    else targets = targets.map((target) => (target === ply[0] ? ply[1] : target));
  }
  return targets;
}

/**
 * The verdict on a repetition: `{ winner: 'red' | 'black' | null, reason }`. `positions` run from the first
 * to the third occurrence, and `plies` lead from each to the next; `leadIn` is the position and ply before
 * the first occurrence, or null if the history begins with it.
 */
export function judge(positions, plies, leadIn = null, as = new Set()) {
  const checking = [true, false].filter((red) =>
    positions.every(
      (position, n) => n === 0 || position.red === red || isChecked(position.cells, position.red),
    ),
  );
  const winner = (loser) => (loser ? 'black' : 'red');
  if (checking.length === 2) return { winner: null, reason: 'threefoldRepetition' };
  if (checking.length === 1) return { winner: winner(checking[0]), reason: 'perpetualCheck' };
  const chasing = [true, false].filter((red) => isChasing(positions, plies, leadIn, red, as));
  if (chasing.length !== 1) return { winner: null, reason: 'threefoldRepetition' };
  return { winner: winner(chasing[0]), reason: 'perpetualChase' };
}

function isChasing(positions, plies, leadIn, red, as) {
  const targets = chased(positions, plies, red, as);
  if (!as.has('leadIn') || leadIn === null || leadIn.position.red !== red) return targets.length > 0;
  // The chased piece is back on its square: the position is the same as at the first occurrence.
  return targets.some((target) => newlyThreatens(leadIn.position.cells, leadIn.ply, target, as));
}

/** The clauses that Fairy-Stockfish reads differently, with our reading. */
export const CLAUSES = {
  line: '(e) a chariot or cannon that moves along its line is judged by what it attacked from its old square',
  standing:
    '(e) a piece that has lost its protection, or can no longer capture the attacker, is newly threatened by a piece that already attacked it',
  pinnedAttacker: '(a) an attacker that cannot legally capture threatens nothing',
  takeBack: '(d) only legal recaptures count',
  exchange: '(c) between two pieces of the same kind only legal captures count',
  lesser: '(d) an advisor or elephant does not threaten a protected chariot, cannon or horse',
  newPin: '(d), (e) a pinned protector counts only where the target could be taken for nothing',
  newDiscoverer: '(a), (e) standing in front of an own piece that would give check is not a threat in itself',
  leadIn: 'only the plies after the first occurrence count, not the one that led to it',
};

function* subsets(names, size, from = 0) {
  if (size === 0) yield [];
  else for (let n = from; n <= names.length - size; n++) for (const rest of subsets(names, size - 1, n + 1)) yield [names[n], ...rest]; // prettier-ignore
}

/** The smallest set of clauses whose other reading gives this winner, or null if there is none. */
export function explain(positions, plies, leadIn, winner) {
  const names = Object.keys(CLAUSES);
  for (let size = 1; size <= names.length; size++) {
    for (const clauses of subsets(names, size)) {
      if (judge(positions, plies, leadIn, new Set(clauses)).winner === winner) return clauses;
    }
  }
  return null;
}
