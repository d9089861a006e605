import { InputType } from '@nestjs/graphql';
import { longText } from '../../platform/fields.js';
import { inputOf } from '../../platform/inputs.js';

const WHOM = { username: longText('', { example: 'ben' }) };

@InputType({ description: 'Whom you want to hear no more of.' })
export class BlockUserInput extends inputOf(WHOM) {}

@InputType({ description: 'Whom you want to hear of again.' })
export class UnblockUserInput extends inputOf(WHOM) {}
