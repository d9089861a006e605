import { InputType } from '@nestjs/graphql';
import { longText } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';

const WHOM = { username: longText('The username of the user.', { example: 'ben' }) };

@InputType({ description: 'The user to block.' })
export class BlockUserInput extends inputOf(WHOM) {}

@InputType({ description: 'The user to unblock.' })
export class UnblockUserInput extends inputOf(WHOM) {}
