import { ApiProperty } from '@nestjs/swagger';
import { KEY_USES, type KeyUse } from '../../engine/notary.service.js';

/** A public key of the server. */
class PublicKey {
  @ApiProperty({ description: 'The verifier key (C2SP signed-note): NAME+HEX(key id)+BASE64(0x01, key).' })
  readonly key: string;

  @ApiProperty({
    enum: KEY_USES,
    description: 'What it signs, as its name tells: one that ends in /log signs the log.',
  })
  readonly use: KeyUse;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'When the server first signed with it. It binds nothing: receipts bear no time.',
  })
  readonly from: Date;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the server stopped signing with it; null while it signs.',
  })
  readonly until: Date | null;
}

/** The log of all games. */
class LogPlace {
  @ApiProperty({ description: 'The first line of its checkpoints, and the name of its keys.' })
  readonly origin: string;

  @ApiProperty({ description: 'Its address (C2SP tlog-tiles); relative where the server has no PUBLIC_URL.' })
  readonly url: string;
}

/** How to check what the server signs. */
export class WellKnown {
  @ApiProperty({ description: 'The name of the keys that sign receipts.' })
  readonly name: string;

  @ApiProperty({ type: LogPlace })
  readonly log: LogPlace;

  @ApiProperty({ type: [PublicKey], description: 'Those in use and those that were, the oldest first.' })
  readonly keys: readonly PublicKey[];
}
