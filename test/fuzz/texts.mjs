import { oneOf } from '../support/random.mjs';

/** Invalid inputs: valid texts with small errors, and nonsense. */

const LONGEST = 100_000;
/** One in this many texts is inflated, up to LONGEST characters. */
const LONG_ONE_OF = 500;

const ODD = [
  ...'abcdefghijxyzABCKNPQRkbnpqrw0123456789/-+=x? ',
  ...['\0', '\n', '\r', '\t', '\u00a0', '\u2028', '\ufeff', '\u0660', '\uff11', 'é', 'İ', 'ß', 'e\u0301'],
  ...['馬', '🐎', '\ud83d', '\udc0e', '\u200d', '__proto__', '00', '99', '1e9', 'NaN', 'null', '\\', '"'],
];

const cut = (text, at, length, put) => text.slice(0, at) + put + text.slice(at + length);

/** Each makes one small error in a text. */
const SLIPS = [
  (text, at, pick) => cut(text, at, 0, oneOf(pick, ODD)),
  (text, at, pick) => cut(text, at, 1, oneOf(pick, ODD)),
  (text, at) => cut(text, at, 1, ''),
  (text, at) => cut(text, at, 2, (text[at + 1] ?? '') + (text[at] ?? '')),
  (text, at, pick) => cut(text, at, 0, text.slice(at, at + 1 + pick(4))),
  (text, at, pick) => cut(text, at, 1 + pick(6), ''),
  (text, at) => text.slice(0, at),
  (text, at) => text.slice(at),
  (text, at, pick) => cut(text, at, 1, text[pick(text.length)] ?? ''),
  (text, at, pick) => cut(text, at, 0, oneOf(pick, '0123456789').repeat(1 + pick(12))),
  (text, at) => cut(text, at, 1, (text[at] ?? '').toUpperCase()),
  (text, at) => cut(text, at, 1, (text[at] ?? '').toLowerCase()),
];

const slip = (text, pick) => oneOf(pick, SLIPS)(text, pick(text.length + 1), pick);

const nonsense = (pick) => Array.from({ length: pick(24) }, () => oneOf(pick, ODD)).join('');

function blownUp(text, pick) {
  const length = 1 + pick(LONGEST);
  const unit = oneOf(pick, [text, text.slice(0, 1), oneOf(pick, ODD), `${text} `, `${text}/`, '1', ' ', '/']);
  const long = (unit === '' ? 'x' : unit).repeat(Math.ceil(length / Math.max(1, unit.length)));
  return (oneOf(pick, ['', text]) + long).slice(0, length);
}

/** A text based on one of the valid ones (one in sixteen is unchanged), or an unrelated one. */
export function textNear(valid, pick) {
  if (pick(10) === 0) return nonsense(pick);
  let text = oneOf(pick, valid);
  if (pick(16) === 0) return text;
  if (pick(8) === 0) text = text.slice(0, pick(text.length + 1)) + oneOf(pick, valid).slice(pick(text.length + 1)); // prettier-ignore
  for (let slips = 1 + pick(3); slips > 0; slips--) text = slip(text, pick);
  return pick(LONG_ONE_OF) === 0 ? blownUp(text, pick) : text;
}

const VALUES = [null, true, false, 0, -0, 1, -1, 20, 60, 200, 201, 0.5, 1e308, [], [60], {}, '', 'random', '60', 'true']; // prettier-ignore

function valueNear(valid, pick, depth) {
  const kind = pick(12);
  if (kind === 0 && depth > 0) return [valueNear(valid, pick, depth - 1)];
  if (kind === 1 && depth > 0) return { [textNear(['a'], pick)]: valueNear(valid, pick, depth - 1) };
  if (kind < 4) return textNear([String(valid)], pick);
  if (kind < 6) return pick(400) - 100;
  return kind < 9 ? oneOf(pick, VALUES) : valid;
}

/** A JSON value based on one of the valid objects. */
export function valueNearObject(valid, pick) {
  if (pick(10) === 0) return valueNear(nonsense(pick), pick, 2);
  const entries = Object.entries(oneOf(pick, valid)).filter(() => pick(4) > 0);
  const changed = entries.map(([name, value]) => [
    pick(12) === 0 ? textNear([name], pick) : name,
    pick(4) === 0 ? valueNear(value, pick, 2) : value,
  ]);
  const more = pick(10) === 0 ? [[oneOf(pick, ['__proto__', 'constructor', '', nonsense(pick)]), 1]] : [];
  // Parsed from text like a request, so that __proto__ is an ordinary key.
  return JSON.parse(`{${[...changed, ...more].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`); // prettier-ignore
}
