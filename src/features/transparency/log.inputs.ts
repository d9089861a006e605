import { ArgsType } from '@nestjs/graphql';
import { byDefault, id, oneOf } from '../../platform/contract/fields.js';
import { argsOf } from '../../platform/contract/inputs.js';
import { enumOf } from '../../platform/contract/model.js';

export const ENTRY =
  'The entry of the log to prove: that of the opening or that of the end; the end by default.';
const ENTRIES = enumOf(['end', 'open']);

@ArgsType()
export class ProvenGameParam extends argsOf({ id: id('The id of the game or challenge.') }) {}

@ArgsType()
export class LogProofQuery extends argsOf({
  entry: byDefault(oneOf(ENTRIES, ENTRY), 'end'),
}) {}
