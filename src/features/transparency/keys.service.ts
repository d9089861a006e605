import { Injectable, type OnModuleInit } from '@nestjs/common';
import { KEY_USES, SigningService } from '../../engine/signing.service.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { Time } from '../../platform/process/time.js';
import { type KeyRow, KeysStore } from './keys.store.js';

/** The keys by which anyone can verify what this server signs. */
export interface Keyring {
  readonly name: string;
  readonly log: { readonly origin: string; readonly url: string };
  readonly keys: readonly KeyRow[];
}

/** Keeps the server's public keys, current and retired. */
@Injectable()
export class KeysService implements OnModuleInit {
  constructor(
    private readonly address: OwnAddress,
    private readonly signing: SigningService,
    private readonly store: KeysStore,
    private readonly time: Time,
  ) {}

  async onModuleInit(): Promise<void> {
    const inUse = KEY_USES.flatMap((use) => this.signing.verifierKeys(use).map((key) => ({ key, use })));
    await this.store.record(inUse, this.time.now());
  }

  async keyring(): Promise<Keyring> {
    const { name, origin } = this.signing;
    return { name, log: { origin, url: this.address.url('/log') }, keys: await this.store.all() };
  }
}
