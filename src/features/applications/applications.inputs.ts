import { InputType } from '@nestjs/graphql';
import { flag, id, longText, optional, text } from '../../platform/contract/fields.js';
import { inputOf } from '../../platform/contract/inputs.js';

export const MOST_OF_AN_ADDRESS = 200;

const name = longText('The name, 1 to 40 visible characters, with a letter or digit.', {
  example: 'Springfield Chess Club',
});
const url = text(`The address of its site, at most ${MOST_OF_AN_ADDRESS} characters.`, {
  example: 'https://chess.example.org',
});
const OF = { id: id('The id of an application of yours.') };
const OWNER = { username: longText('The username of a person.', { example: 'ben' }) };

@InputType({ description: 'A new application.' })
export class CreateApplicationInput extends inputOf({ name, url }) {}

const CHANGE = {
  name: optional(name),
  url: optional(url),
  chat: optional(flag('Whether messages can be written in its games; true at first.')),
};

/** The application in the path of a route. */
export class ApplicationParam extends inputOf(OF) {}

export class UpdateApplicationBody extends inputOf(CHANGE) {}

@InputType({ description: 'The new values of an application. Left out, each stays as it is.' })
export class UpdateApplicationInput extends inputOf({ ...OF, ...CHANGE }) {}

const SECRET = { secret: longText('A secret of the application.', { example: 'dGhlIHNlY3JldA...' }) };

export class CreateApplicationTokenBody extends inputOf(SECRET) {}

@InputType({ description: 'How an application proves who it is.' })
export class CreateApplicationTokenInput extends inputOf({
  id: id('The id of the application.'),
  ...SECRET,
}) {}

@InputType({ description: 'The application to delete.' })
export class DeleteApplicationInput extends inputOf(OF) {}

@InputType({ description: 'The application that gets a second secret.' })
export class CreateApplicationSecretInput extends inputOf(OF) {}

@InputType({ description: 'The secret to delete.' })
export class DeleteApplicationSecretInput extends inputOf({ ...OF, secretId: id('The id of the secret.') }) {}

export class AddApplicationOwnerBody extends inputOf(OWNER) {}

@InputType({ description: 'The person who is to answer for an application of yours as well.' })
export class AddApplicationOwnerInput extends inputOf({ ...OF, ...OWNER }) {}

@InputType({ description: 'The owner to remove.' })
export class RemoveApplicationOwnerInput extends inputOf({ ...OF, ...OWNER }) {}
