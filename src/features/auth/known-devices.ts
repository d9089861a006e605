import { createHmac, hkdfSync } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config.js';
import { networkKey } from '../../platform/http/addresses.js';
import { Background } from '../../platform/process/background.js';
import { CONFIG } from '../../platform/process/config.module.js';
import { DAY_MS, Time } from '../../platform/process/time.js';
import type { ClientOf } from './device.js';
import { KnownDevicesStore } from './known-devices.store.js';

const KEY_BYTES = 32;
const KEPT_MS = 180 * DAY_MS;

/** From where users have signed in within half a year. Stored is a keyed hash of device and network, not where it was. */
@Injectable()
export class KnownDevices {
  private readonly key: Buffer;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'tokenSecret' | 'housekeepingSeconds'>,
    private readonly store: KnownDevicesStore,
    private readonly time: Time,
    background: Background,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', config.tokenSecret, '', 'halfmove known devices', KEY_BYTES));
    background.every('KnownDevicesSweep', config.housekeepingSeconds * 1000, () => this.forget());
  }

  /** Notes a sign-in; whether none had come from this device and network before. */
  see(userId: string, { device, address }: ClientOf): Promise<boolean> {
    const place = JSON.stringify([userId, device, networkKey(address)]);
    const mark = createHmac('sha256', this.key).update(place).digest('base64url');
    return this.store.see(userId, mark, this.time.now());
  }

  private forget(): Promise<void> {
    return this.store.deleteBefore(new Date(this.time.now().getTime() - KEPT_MS));
  }
}
