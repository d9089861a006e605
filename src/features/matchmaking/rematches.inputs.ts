import { ArgsType } from '@nestjs/graphql';
import { id } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';
import { ANNOUNCED } from './challenges.inputs.js';

export class RematchInput extends inputOf(ANNOUNCED) {}

@ArgsType()
export class RematchArgs extends inputOf({ gameId: id('The game that is over.'), ...ANNOUNCED }) {}
