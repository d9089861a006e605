import { InputType } from '@nestjs/graphql';
import { id } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';
import { ANNOUNCED } from './challenges.inputs.js';

export class OfferRematchBody extends inputOf(ANNOUNCED) {}

@InputType({ description: 'The wish for another game on the same terms.' })
export class OfferRematchInput extends inputOf({ gameId: id('The game that is over.'), ...ANNOUNCED }) {}
