import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { Mailer } from '../delivery/mailer.js';
import type { Server } from './about.model.js';

/** What the server says of itself. */
@Injectable()
export class AboutService {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'contact' | 'termsUrl' | 'privacyUrl'>,
    private readonly own: OwnAddress,
    private readonly mailer: Mailer,
  ) {}

  server(): Server {
    const { contact, termsUrl, privacyUrl } = this.config;
    const recovery = this.mailer.reaches ? 'mail' : 'operator';
    return { url: this.own.url(), recovery, contact, termsUrl, privacyUrl };
  }
}
