/**
 * What tells that something is a secret: one list for error messages, which repeat what was sent, for logs, and for the
 * compression of answers, whose length helps to guess a secret in them (BREACH).
 */

/** The words in the names of fields with secrets. Answers show those of the second list when they are secret no more. */
const SECRET_WORDS = ['password', 'secret', 'token', 'ticket', 'verifier', 'credential', 'authorization'];
const PUBLISHED_WORDS = ['seed'];
/** Requests of OAuth send one under this name; logs and answers have the code of an error there. */
const SECRET_IN_REQUESTS = 'code';
/** How secrets begin that stand for themselves, wherever they are. */
const PREFIXES = ['hm_', 'whsec_'];

const WORD = new RegExp([...SECRET_WORDS, ...PUBLISHED_WORDS].join('|'), 'i');
const ANSWERED_WORD = new RegExp(SECRET_WORDS.join('|'), 'i');
/** Longer than any name of a user. */
const SECRET_TEXT = new RegExp(`(${PREFIXES.join('|')})[\\w+/=-]{32,}`, 'g');

/** Whether no message may repeat the value of this field, or of a variable with this name. */
export const isSecret = (name: PropertyKey): boolean =>
  name === SECRET_IN_REQUESTS || WORD.test(String(name));

/** Whether an answer with this field must not be compressed. */
export const isSecretInAnswers = (name: string): boolean => ANSWERED_WORD.test(name);

/** What JSON with a secret contains: a name of a field, or in a link a parameter, each without a possible capital. */
const SIGNS = [
  ...SECRET_WORDS.flatMap((word) => [`${word.slice(1)}":"`, `${word.slice(1)}=`]),
  ...PREFIXES.map((prefix) => `"${prefix}`),
];

/** Whether JSON holds a secret. */
export const holdsSecret = (json: string | Buffer): boolean => SIGNS.some((sign) => json.includes(sign));

/** A text for a reader who may not see secrets. */
export const withoutSecrets = (text: string): string => text.replace(SECRET_TEXT, '$1[hidden]');

/** As deep as the log shows objects. */
const LEVELS = 5;

/** A value for the log, without the secrets in it. */
export function masked(value: unknown, levels = LEVELS): unknown {
  if (typeof value === 'string') return withoutSecrets(value);
  if (typeof value !== 'object' || value === null || 'toJSON' in value || levels === 0) return value;
  if (Array.isArray(value)) return value.map((each) => masked(each, levels - 1));
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, WORD.test(name) ? '[hidden]' : masked(inner, levels - 1)] as const,
  );
  return Object.fromEntries(entries);
}
