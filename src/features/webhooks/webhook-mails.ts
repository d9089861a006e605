import { Injectable } from '@nestjs/common';
import { webhookOff } from '../delivery/mails/webhook-off.js';
import { Outbox } from '../delivery/outbox.js';
import { UsersService } from '../users/users.service.js';

/** What the mails about webhooks say. */
@Injectable()
export class WebhookMails {
  constructor(outbox: Outbox, users: UsersService) {
    outbox.write('webhookOff', async ({ userId, email, about }) => {
      const { username, closed } = await users.person(userId!);
      if (closed || email === null) return null;
      return { to: email, letter: webhookOff(username, about) };
    });
  }
}
