/**
 * What strangers check games with, and our own page /verify: dist/verify.js, one ES module for browsers, is made of this.
 * A record is read by `parseStrict` first, which gives the same values to everybody.
 */

export { parseNote, parseVerifierKey, verifyNote } from './note.js';
export { contradiction, parseReceipt } from './receipt.js';
export { parseStrict } from './strict-json.js';
export * from './verify.js';
