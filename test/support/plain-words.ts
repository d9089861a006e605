/** The manner of messages, which every refusal that an end-to-end test meets must have. */

/** Phrases that state a rule in place of what is wrong with the request, or that read as translated. */
const TRANSLATED = /\b(?:whoever|nobody|(?<!there )is no (?!longer)|lies before|goes with|there is no such)/i;

/** A question is the suggestion of a name alone. */
const ENDS_WELL = /(?:\.|did you mean [^?]*\?)$/i;

/** Throws if the message of a refusal is not a whole sentence, or has one of these phrases. */
export function demandPlainWords(message: string): void {
  // A value in quotes is the client's.
  if (ENDS_WELL.test(message) && !TRANSLATED.test(message.replace(/"[^"]*"/g, ''))) return;
  throw new Error(`The message of a refusal is not plain: ${message}`);
}
