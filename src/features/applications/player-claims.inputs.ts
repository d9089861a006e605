import { InputType } from '@nestjs/graphql';
import { text } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';
import { WAYS_IN } from '../guests/guests.inputs.js';
import { externalId } from './players.inputs.js';

@InputType({ description: 'The player of your application who may be taken over.' })
export class CreateClaimLinkInput extends inputOf({ externalId }) {}

const token = text('What stands behind the `#` of the link.');

@InputType({ description: 'The secret of a link of an application.' })
export class LookAtClaimInput extends inputOf({ token }) {}

@InputType({
  description: 'The secret of a link of an application, and the ways into the account from now on.',
})
export class ClaimPlayerInput extends inputOf({
  token,
  ...WAYS_IN,
}) {}
