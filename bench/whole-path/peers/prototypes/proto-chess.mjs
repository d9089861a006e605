/**
 * Chess in JavaScript as fast as possible, to find how little the rules of a move can cost: legal moves only,
 * without repetition, counters or SAN. The board B has 16 columns of which the left 8 are used (0x88), so
 * that one bit tells whether a square is off the board; PL lists the squares of each colour's PN pieces, the
 * king first, and IDX has the place of a square in its list.
 *
 * Pieces are 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king, plus 8 for Black; 0 is an empty square. A
 * move is `from | to << 7 | promotion << 14 | flag << 17`; flags are 1 double step, 2 en passant, 3 castling.
 */

const B = new Uint8Array(128),
  IDX = new Uint8Array(128);
const PL = [new Uint8Array(16), new Uint8Array(16)]; // piece lists; slot 0 = king
const PN = new Int32Array(2);
let side = 0,
  castle = 0,
  ep = -1;
const ND = Int32Array.of(-33, -31, -18, -14, 14, 18, 31, 33);
const KD = Int32Array.of(-17, -16, -15, -1, 1, 15, 16, 17);
const ROOKD = Int32Array.of(-16, -1, 1, 16),
  BISHD = Int32Array.of(-17, -15, 15, 17);
// direction class by ray: is slider t able to move along d? diag -> 3,5 ; orth -> 4,5
const ISDIAG = new Uint8Array(64);
for (const d of BISHD) ISDIAG[d + 32] = 1;
const PIN = new Int8Array(128); // pin direction (0 = none)
const MASK = new Int32Array(128);
let stamp = 0; // check-evasion mask via stamps
const MV = new Int32Array(64 * 256);
const CR = new Uint8Array(128).fill(15); // castling rights kept when square touched. bits: 1 K 2 Q 4 k 8 q
CR[0] = 15 & ~2;
CR[7] = 15 & ~1;
CR[4] = 15 & ~3;
CR[112] = 15 & ~8;
CR[119] = 15 & ~4;
CR[116] = 15 & ~12;
const CH = ' PNBRQK  pnbrqk';
export function setFen(fen) {
  B.fill(0);
  PN[0] = PN[1] = 1;
  const [b, s, c, e] = fen.split(' ');
  let r = 7,
    f = 0;
  for (const ch of b) {
    if (ch === '/') {
      r--;
      f = 0;
    } else if (ch >= '1' && ch <= '8') f += +ch;
    else {
      const p = CH.indexOf(ch),
        sq = r * 16 + f,
        col = p >> 3;
      B[sq] = p;
      if ((p & 7) === 6) {
        PL[col][0] = sq;
        IDX[sq] = 0;
      } else {
        IDX[sq] = PN[col];
        PL[col][PN[col]++] = sq;
      }
      f++;
    }
  }
  side = s === 'w' ? 0 : 1;
  castle = 0;
  for (const ch of c) castle |= { K: 1, Q: 2, k: 4, q: 8, '-': 0 }[ch];
  ep = e === '-' ? -1 : e.charCodeAt(0) - 97 + (e.charCodeAt(1) - 49) * 16;
}
function attacked(sq, by) {
  // by = attacker colour
  const c8 = by << 3;
  const pd = by === 0 ? -16 : 16; // white pawn attacks from below
  let t = sq + pd - 1;
  if (!(t & 0x88) && B[t] === (c8 | 1)) return true;
  t = sq + pd + 1;
  if (!(t & 0x88) && B[t] === (c8 | 1)) return true;
  const N = c8 | 2,
    K = c8 | 6,
    Q = c8 | 5,
    R = c8 | 4,
    BI = c8 | 3;
  for (let i = 0; i < 8; i++) {
    t = sq + ND[i];
    if (!(t & 0x88) && B[t] === N) return true;
  }
  for (let i = 0; i < 4; i++) {
    let d = ROOKD[i];
    t = sq + d;
    if (!(t & 0x88)) {
      if (B[t] === K) return true;
      while (!(t & 0x88)) {
        const p = B[t];
        if (p) {
          if (p === R || p === Q) return true;
          break;
        }
        t += d;
      }
    }
    d = BISHD[i];
    t = sq + d;
    if (!(t & 0x88)) {
      if (B[t] === K) return true;
      while (!(t & 0x88)) {
        const p = B[t];
        if (p) {
          if (p === BI || p === Q) return true;
          break;
        }
        t += d;
      }
    }
  }
  return false;
}
let nCheck = 0;
function scanKing(k, us) {
  nCheck = 0;
  stamp++;
  const them8 = (us ^ 1) << 3;
  const npins = pinSq;
  for (let i = 0; i < pinN; i++) PIN[npins[i]] = 0;
  pinN = 0;
  for (let i = 0; i < 8; i++) {
    const d = KD[i],
      diag = ISDIAG[d + 32];
    let t = k + d,
      own = -1;
    while (!(t & 0x88)) {
      const p = B[t];
      if (p) {
        if ((p & 8) === us << 3) {
          if (own >= 0) break;
          own = t;
        } else {
          const ty = p & 7;
          if (ty === 5 || (diag ? ty === 3 : ty === 4)) {
            if (own >= 0) {
              PIN[own] = d;
              pinSq[pinN++] = own;
            } else {
              nCheck++;
              for (let q = t; q !== k; q -= d) MASK[q] = stamp;
            }
          }
          break;
        }
      }
      t += d;
    }
  }
  const N = them8 | 2;
  for (let i = 0; i < 8; i++) {
    const t = k + ND[i];
    if (!(t & 0x88) && B[t] === N) {
      nCheck++;
      MASK[t] = stamp;
    }
  }
  const pd = us === 0 ? 16 : -16,
    P = them8 | 1;
  let t = k + pd - 1;
  if (!(t & 0x88) && B[t] === P) {
    nCheck++;
    MASK[t] = stamp;
  }
  t = k + pd + 1;
  if (!(t & 0x88) && B[t] === P) {
    nCheck++;
    MASK[t] = stamp;
  }
}
const pinSq = new Uint8Array(16);
let pinN = 0;
export function gen(o) {
  // writes legal moves at MV[o..]; returns end
  const us = side,
    us8 = us << 3,
    list = PL[us],
    n = PN[us],
    k = list[0];
  scanKing(k, us);
  // king
  B[k] = 0;
  for (let i = 0; i < 8; i++) {
    const t = k + KD[i];
    if (t & 0x88) continue;
    const p = B[t];
    if (p && (p & 8) === us8) continue;
    if (!attacked(t, us ^ 1)) MV[o++] = k | (t << 7);
  }
  B[k] = us8 | 6;
  if (nCheck > 1) return o;
  const chk = nCheck === 1,
    fwd = us === 0 ? 16 : -16,
    lastR = us === 0 ? 7 : 0,
    homeR = us === 0 ? 1 : 6,
    st = stamp;
  for (let i = 1; i < n; i++) {
    const f = list[i],
      pt = B[f] & 7,
      pin = PIN[f];
    if (pt === 1) {
      let t = f + fwd;
      if (!B[t] && (pin === 0 || pin === fwd || pin === -fwd)) {
        if (!chk || MASK[t] === st) {
          if (t >> 4 === lastR) {
            for (let q = 2; q < 6; q++) MV[o++] = f | (t << 7) | (q << 14);
          } else MV[o++] = f | (t << 7);
        }
        if (f >> 4 === homeR) {
          t += fwd;
          if (!B[t] && (!chk || MASK[t] === st)) MV[o++] = f | (t << 7) | (1 << 17);
        }
      }
      for (let s = -1; s < 2; s += 2) {
        const d = fwd + s;
        t = f + d;
        if (t & 0x88) continue;
        const p = B[t];
        if (p) {
          if ((p & 8) === us8 || (pin && pin !== d && pin !== -d) || (chk && MASK[t] !== st)) continue;
          if (t >> 4 === lastR) {
            for (let q = 2; q < 6; q++) MV[o++] = f | (t << 7) | (q << 14);
          } else MV[o++] = f | (t << 7);
        } else if (t === ep) {
          const c = t - fwd;
          const cp = B[c];
          B[f] = 0;
          B[c] = 0;
          B[t] = us8 | 1;
          const bad = attacked(k, us ^ 1);
          B[f] = us8 | 1;
          B[c] = cp;
          B[t] = 0;
          if (!bad) MV[o++] = f | (t << 7) | (2 << 17);
        }
      }
    } else if (pt === 2) {
      if (pin) continue;
      for (let j = 0; j < 8; j++) {
        const t = f + ND[j];
        if (t & 0x88) continue;
        const p = B[t];
        if (p && (p & 8) === us8) continue;
        if (chk && MASK[t] !== st) continue;
        MV[o++] = f | (t << 7);
      }
    } else {
      if (pt !== 3)
        for (let j = 0; j < 4; j++) {
          const d = ROOKD[j];
          if (pin && pin !== d && pin !== -d) continue;
          let t = f + d;
          while (!(t & 0x88)) {
            const p = B[t];
            if (p && (p & 8) === us8) break;
            if (!chk || MASK[t] === st) MV[o++] = f | (t << 7);
            if (p) break;
            t += d;
          }
        }
      if (pt !== 4)
        for (let j = 0; j < 4; j++) {
          const d = BISHD[j];
          if (pin && pin !== d && pin !== -d) continue;
          let t = f + d;
          while (!(t & 0x88)) {
            const p = B[t];
            if (p && (p & 8) === us8) break;
            if (!chk || MASK[t] === st) MV[o++] = f | (t << 7);
            if (p) break;
            t += d;
          }
        }
    }
  }
  if (!chk && castle & (us === 0 ? 3 : 12)) {
    const kc = us === 0 ? 1 : 4,
      qc = us === 0 ? 2 : 8;
    if (castle & kc && !B[k + 1] && !B[k + 2] && !attacked(k + 1, us ^ 1) && !attacked(k + 2, us ^ 1))
      MV[o++] = k | ((k + 2) << 7) | (3 << 17);
    if (
      castle & qc &&
      !B[k - 1] &&
      !B[k - 2] &&
      !B[k - 3] &&
      !attacked(k - 1, us ^ 1) &&
      !attacked(k - 2, us ^ 1)
    )
      MV[o++] = k | ((k - 2) << 7) | (3 << 17);
  }
  return o;
}
function make(m) {
  const f = m & 127,
    t = (m >> 7) & 127,
    pr = (m >> 14) & 7,
    fl = (m >> 17) & 3,
    us = side,
    p = B[f];
  let cap = B[t],
    cs = t;
  if (fl === 2) {
    cs = t + (us === 0 ? -16 : 16);
    cap = B[cs];
  }
  const ci = cap ? IDX[cs] : 0;
  if (cap) {
    const L = PL[us ^ 1],
      last = --PN[us ^ 1];
    const ls = L[last];
    L[ci] = ls;
    IDX[ls] = ci;
    if (fl === 2) B[cs] = 0;
  }
  B[f] = 0;
  B[t] = pr ? (us << 3) | pr : p;
  const ix = IDX[f];
  IDX[t] = ix;
  PL[us][ix] = t;
  if (fl === 3) {
    const rf = t > f ? t + 1 : t - 2,
      rt = t > f ? t - 1 : t + 1;
    B[rt] = B[rf];
    B[rf] = 0;
    const ri = IDX[rf];
    IDX[rt] = ri;
    PL[us][ri] = rt;
  }
  castle &= CR[f] & CR[t];
  ep = fl === 1 ? (f + t) >> 1 : -1;
  side ^= 1;
}
const NAME = Array.from({ length: 128 }, (_, s) => String.fromCharCode(97 + (s & 7)) + ((s >> 4) + 1));
export function playUci(u) {
  // legal if it is among the generated moves
  const f = u.charCodeAt(0) - 97 + (u.charCodeAt(1) - 49) * 16,
    t = u.charCodeAt(2) - 97 + (u.charCodeAt(3) - 49) * 16;
  const pr = u.length > 4 ? ' nbrq'.indexOf(u[4]) + 1 : 0,
    key = f | (t << 7) | (pr << 14),
    e = gen(0);
  for (let i = 0; i < e; i++)
    if ((MV[i] & 0x1ffff) === key) {
      make(MV[i]);
      return true;
    }
  return false;
}

export function fen() {
  let o = '';
  for (let r = 7; r >= 0; r--) {
    let e = 0;
    for (let f = 0; f < 8; f++) {
      const p = B[r * 16 + f];
      if (p) {
        if (e) {
          o += e;
          e = 0;
        }
        o += CH[p];
      } else e++;
    }
    if (e) o += e;
    if (r) o += '/';
  }
  let c = '';
  if (castle & 1) c += 'K';
  if (castle & 2) c += 'Q';
  if (castle & 4) c += 'k';
  if (castle & 8) c += 'q';
  return o + (side ? ' b ' : ' w ') + (c || '-') + ' ' + (ep < 0 ? '-' : NAME[ep]) + ' 0 1';
}
