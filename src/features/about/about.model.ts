import { ObjectType } from '@nestjs/graphql';
import { enumOf, model, shown } from '../../platform/contract/model.js';

export const RecoveryEnum = enumOf(['mail', 'operator'], {
  name: 'RecoveryWay',
  description: 'How a forgotten password is recovered.',
  values: {
    mail: 'By a link that `requestRecovery` sends to the verified e-mail address.',
    operator:
      'By a link from the operator of the server, who is reached by `contact`: the server sends no mail.',
  },
});

@ObjectType({ description: 'The server and who runs it.' })
export class Server extends model({
  url: shown(String, { description: 'The address of the server.', example: 'https://play.example.org' }),
  recovery: shown(RecoveryEnum, { description: 'How a forgotten password is recovered here.' }),
  contact: shown(String, {
    nullable: true,
    description: 'How its operator is reached; null if not said.',
    example: 'games@example.org',
  }),
  termsUrl: shown(String, {
    nullable: true,
    description: 'The terms of use; null if there are none.',
    example: 'https://example.org/terms',
  }),
  privacyUrl: shown(String, {
    nullable: true,
    description: 'The privacy notice of the operator; null if there is none.',
    example: 'https://example.org/privacy',
  }),
}) {}
