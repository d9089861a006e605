import { ArgsType } from '@nestjs/graphql';
import { lookupId } from '../../platform/contract/fields.js';
import { argsOf } from '../../platform/contract/inputs.js';

@ArgsType()
export class NodeArgs extends argsOf({
  nodeId: lookupId('The node id to look up; a text that is none counts as unknown.'),
}) {}
