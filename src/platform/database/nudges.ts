import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';

/** A notification says nothing, not even what has changed: whoever hears it reads the log. */
const CHANNEL = 'halfmove';

const CONNECT_MS = 5_000;
const ANSWER_MS = 5_000;
/** How often the server is asked whether it is still there: a connection that is cut in silence tells nothing. */
const BEAT_MS = 30_000;
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Tells the processes of a database that something was stored, by NOTIFY and LISTEN over a connection of its own: it is
 * no part of any transaction, which would make commits wait for each other. While this connection is lost nothing is
 * told, and the log is read later.
 */
export class Nudges {
  private readonly logger = new Logger(Nudges.name);
  private readonly closing = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private spacingMs = 0;
  private heard: () => void = () => undefined;
  /** Null while the connection is lost. */
  private client: Client | null = null;
  /** Set from when a notification is planned until it is sent. */
  private timer: NodeJS.Timeout | null = null;
  private beat: NodeJS.Timeout | undefined;
  /** Ends the connection, for this reason. */
  private giveUp: (loss: Error) => void = () => undefined;
  private sentAt = -Infinity;
  private isDue = false;
  private isLost = false;

  constructor(private readonly databaseUrl: string) {}

  /** Connects, and calls `heard` for what any process tells, this one included. At most one notification is sent in `spacingMs`. */
  listen(spacingMs: number, heard: () => void): void {
    this.spacingMs = spacingMs;
    this.heard = heard;
    this.running = this.run();
  }

  /** Call it after each commit: it waits for nothing. */
  stored(): void {
    if (this.client === null) return;
    this.isDue = true;
    const wait = Math.max(0, this.sentAt + this.spacingMs - performance.now());
    this.timer ??= setTimeout(() => void this.send(), wait);
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.giveUp(new Error('The server stops.'));
    await this.running;
  }

  private get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.isClosed; failures++) {
      const loss = await this.connected(() => (failures = 0));
      if (this.isClosed) return;
      if (!this.isLost) this.logger.warn(`${LOST} ${loss.message}`);
      this.isLost = true;
      const ms = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** failures) * (1 + Math.random());
      await pause(ms, null, { signal: this.closing.signal }).catch(() => undefined);
    }
  }

  /** Resolves when the connection is lost, with the reason. */
  private async connected(onConnected: () => void): Promise<Error> {
    const client = new Client({
      connectionString: this.databaseUrl,
      application_name: 'halfmove nudges',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    });
    client.on('notification', () => this.heard());
    const lost = new Promise<Error>((resolve) => {
      this.giveUp = resolve;
      client.on('error', resolve).on('end', () => resolve(new Error('The connection has ended.')));
    });
    const open = async (): Promise<Error> => {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      onConnected();
      this.opened(client);
      return lost;
    };
    const loss = await Promise.race([lost, open().catch((error: Error) => error)]);
    this.client = null;
    clearInterval(this.beat);
    void client.end().catch(() => undefined);
    return loss;
  }

  private opened(client: Client): void {
    if (this.isClosed) return;
    this.client = client;
    this.beat = setInterval(() => void this.ask('SELECT 1'), BEAT_MS);
    if (this.isLost) this.logger.log('Other processes are heard at once again.');
    this.isLost = false;
    // What others told while nobody listened here.
    this.heard();
  }

  private async send(): Promise<void> {
    this.isDue = false;
    this.sentAt = performance.now();
    await this.ask(`NOTIFY ${CHANNEL}`);
    this.timer = null;
    if (this.isDue) this.stored();
  }

  private async ask(sql: string): Promise<void> {
    await this.client?.query(sql).catch(this.giveUp);
  }
}

const LOST =
  'Other processes are heard by the poll of the log alone (OUTBOX_POLL_MS), until a connection for nudges can be opened:';
