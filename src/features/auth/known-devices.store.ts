import { Injectable } from '@nestjs/common';
import { PrismaService } from '../../platform/database/prisma.service.js';

@Injectable()
export class KnownDevicesStore {
  constructor(private readonly prisma: PrismaService) {}

  /** Notes that a device was seen; whether it had not been before. */
  async see(userId: string, mark: string, now: Date): Promise<boolean> {
    const rows = await this.prisma.query<{ isNew: boolean }[]>`
      INSERT INTO known_devices (user_id, mark, seen_at) VALUES (${userId}::uuid, ${mark}, ${now}::timestamptz)
      ON CONFLICT (user_id, mark) DO UPDATE SET seen_at = excluded.seen_at
      RETURNING xmax = 0 AS "isNew"`;
    return rows[0]!.isNew;
  }

  async deleteBefore(moment: Date): Promise<void> {
    await this.prisma.db.knownDevice.deleteMany({ where: { seenAt: { lt: moment } } });
  }
}
