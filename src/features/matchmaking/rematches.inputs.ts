import { InputType } from '@nestjs/graphql';
import { id } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';
import { ANNOUNCED } from './challenges.inputs.js';

export class OfferRematchBody extends inputOf(ANNOUNCED) {}

@InputType({ description: 'The rematch to offer or accept.' })
export class OfferRematchInput extends inputOf({
  gameId: id('The id of the game that is over.'),
  ...ANNOUNCED,
}) {}
