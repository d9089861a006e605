import { ACTS, ENDS, PLIES, REVEALS } from './tampering/plays.js';
import { CHAIN, RECORD, TEXTS } from './tampering/shapes.js';
import { EQUIVOCATION, PROOFS, RECEIPTS } from './tampering/signed.js';
import { RECORD_COLUMNS, type Group } from './tampering/tampering.js';
import { BEGINNING, SEEDS, TERMS } from './tampering/terms.js';

/** The ways to tamper with the proofs of a game; tamperings.md says what finds each. */

const record = (title: string, tamperings: Group['tamperings']): Group => ({ title, columns: RECORD_COLUMNS, tamperings }); // prettier-ignore
const one = (title: string, tamperings: Group['tamperings']): Group => ({ title, columns: ['found by'], tamperings }); // prettier-ignore

export const GROUPS: readonly Group[] = [
  record('The terms', TERMS),
  record('Seeds and deals', SEEDS),
  record('The acceptance and the start', BEGINNING),
  record('Plies', PLIES),
  record('Turned-up pieces', REVEALS),
  record('Acts', ACTS),
  record('Ends', ENDS),
  record('The chain', CHAIN),
  record('The record around the rows', RECORD),
  one('The text of the record', TEXTS),
  one('Receipts', RECEIPTS),
  one('Two receipts', EQUIVOCATION),
  one('Proofs from the log', PROOFS),
];
