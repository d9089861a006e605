import { ArgsType } from '@nestjs/graphql';
import { byDefault, id, oneOf } from '../../platform/fields.js';
import { argsOf } from '../../platform/inputs.js';
import { enumOf } from '../../platform/model.js';

const ENTRIES = enumOf(['end', 'open']);

@ArgsType()
export class ProvenGameParam extends argsOf({ id: id() }) {}

@ArgsType()
export class LogProofQuery extends argsOf({
  entry: byDefault(oneOf(ENTRIES, 'Which entry is to be proven.'), 'end'),
}) {}
