/**
 * The verifier library: dist/verify.js, one ES module for browsers, which the page /verify uses. Parse a record by
 * `parseStrict` first, which gives everyone the same values.
 */

export { sha256 } from './digest.js';
export { isEd25519 } from './ed25519.js';
export { parseNote, parseVerifierKey, verifyNote } from './note.js';
export { contradiction, parseReceipt } from './receipt.js';
export { parseStrict } from './strict-json.js';
export { verifyReceipts } from './verification/receipts-only.js';
export * from './verify.js';
