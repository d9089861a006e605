/**
 * The verifier library: dist/verify.js, one ES module for browsers, which the page /verify uses. Parse a record by
 * `parseStrict` first, which gives everyone the same values.
 */

export { parseNote, parseVerifierKey, verifyNote } from './note.js';
export { contradiction, parseReceipt } from './receipt.js';
export { parseStrict } from './strict-json.js';
export * from './verify.js';
