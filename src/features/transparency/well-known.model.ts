import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { KEY_USES, type KeyUse } from '../../engine/signing.service.js';

@ApiSchema({ description: 'A public key of the server.' })
class PublicKey {
  @ApiProperty({ description: 'The verifier key (C2SP signed-note), as NAME+HEX(key id)+BASE64(0x01, key).' })
  readonly key: string;

  @ApiProperty({
    enum: KEY_USES,
    description:
      'The kind of text that the key signs, which also follows from its name: a key whose name ends in /log signs the log.',
  })
  readonly use: KeyUse;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description:
      'The time at which the server first signed with it; proves nothing, as receipts bear no time.',
  })
  readonly from: Date;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The time at which the server stopped signing with it; null while it signs.',
  })
  readonly until: Date | null;
}

@ApiSchema({ description: 'The place of the log of all games.' })
class LogPlace {
  @ApiProperty({
    description: 'The first line of the checkpoints, which is the name of the keys that sign them.',
  })
  readonly origin: string;

  @ApiProperty({
    description: 'The address of the log (C2SP tlog-tiles).',
  })
  readonly url: string;
}

@ApiSchema({ description: 'The keys by which anyone can verify what the server signs.' })
export class WellKnown {
  @ApiProperty({ description: 'The name of the keys that sign receipts.' })
  readonly name: string;

  @ApiProperty({ type: LogPlace, description: 'The log of all games.' })
  readonly log: LogPlace;

  @ApiProperty({ type: [PublicKey], description: 'The keys in use and those retired, the oldest first.' })
  readonly keys: readonly PublicKey[];
}
