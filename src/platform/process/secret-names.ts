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
/** Longer than any name of a user; also behind the `#` of a link. */
const SECRET_TEXT = new RegExp(`(${PREFIXES.join('|')}|#)[\\w+/=-]{32,}`, 'g');

/** Whether no message may repeat the value of this field, or of a variable with this name. */
export const isSecret = (name: PropertyKey): boolean =>
  name === SECRET_IN_REQUESTS || WORD.test(String(name));

/** Whether an answer with this field must not be compressed. */
export const isSecretInAnswers = (name: string): boolean => ANSWERED_WORD.test(name);

/** With or without a capital, as a name begins and as it goes on; one expression that ignores case takes twice as long. */
const inNames = SECRET_WORDS.map((word) => `[${word[0]}${word[0]!.toUpperCase()}]${word.slice(1)}`);
/** A field with a text, a parameter of a link, what stands behind its `#`, or a text that stands for itself. */
const SECRET_IN_JSON = new RegExp(`(?:${inNames.join('|')})(?:":"|=)|#[\\w-]{32}|"(?:${PREFIXES.join('|')})`);

/** Whether JSON holds a secret. */
export const holdsSecret = (json: string | Buffer): boolean =>
  SECRET_IN_JSON.test(typeof json === 'string' ? json : json.toString('latin1'));

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
