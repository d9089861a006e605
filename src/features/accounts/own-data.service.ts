import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Sessions } from '../auth/sessions.js';
import type { Principal } from '../auth/principal.js';
import { ALL_SCOPES } from '../../platform/contract/scopes.js';
import { DomainError } from '../../platform/errors/errors.js';
import type { TextFile } from '../../platform/http/files.js';
import { Streams } from '../../platform/limits/streams.js';
import { Time } from '../../platform/process/time.js';
import type { AnyPlayer } from '../users/users.model.js';
import { UsersService } from '../users/users.service.js';
import { OwnGames } from './own-data.games.js';
import { FORMAT, lineOf, MEDIA_TYPE, VERSION } from './own-data.lines.js';
import { OwnSections } from './own-data.sections.js';

const UNDER_WAY =
  'An export of your data is under way already: wait until it has ended, or close its connection.';

/** All data of a user in one stream with backpressure. */
@Injectable()
export class OwnDataService {
  constructor(
    private readonly things: OwnSections,
    private readonly games: OwnGames,
    private readonly users: UsersService,
    private readonly sessions: Sessions,
    private readonly streams: Streams,
    private readonly time: Time,
  ) {}

  /** Allows one download at a time per user. Throws RATE_LIMITED. */
  async export(viewer: Principal): Promise<TextFile<Readable>> {
    return this.exportFor(viewer, await this.users.person(viewer.userId));
  }

  /** The same of a player, for the application that acts as itself. Throws RATE_LIMITED. */
  async exportFor(bearer: Principal, user: AnyPlayer): Promise<TextFile<Readable>> {
    const bound = { key: `own data ${user.id}`, most: 1, refusal: UNDER_WAY };
    const content = await this.streams.bounded(bound, async () => Readable.from(this.file(bearer, user)));
    return { content, mediaType: MEDIA_TYPE, fileName: `halfmove-${user.username ?? user.id}.ndjson` };
  }

  /** The last line marks the file as complete. */
  private async *file(bearer: Principal, user: AnyPlayer): AsyncGenerator<string> {
    let lines = 0;
    // All that is stored, whatever the token may read beside the export.
    const kind = user.username === null ? 'player' : bearer.kind;
    const viewer = { ...bearer, kind, userId: user.id, scopes: ALL_SCOPES };
    for await (const piece of this.pieces(viewer, user)) {
      yield piece;
      if (!piece.endsWith('\n')) continue;
      lines += 1;
      await this.demandSession(bearer);
    }
    yield lineOf('end', { lines: lines + 1 });
  }

  private async *pieces(viewer: Principal, user: AnyPlayer): AsyncGenerator<string> {
    const of = { id: user.id, username: user.username };
    yield lineOf('header', { format: FORMAT, version: VERSION, at: this.time.now(), of });
    yield* this.things.lines(viewer, user);
    yield* this.games.lines(viewer);
  }

  /** Ends the download if the session ends, as after a theft; the access token may expire meanwhile. */
  private async demandSession(viewer: Principal): Promise<void> {
    if (await this.sessions.isLive(viewer)) return;
    throw new DomainError('UNAUTHENTICATED', 'Your session ended during the download. Log in again.');
  }
}
