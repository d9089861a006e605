import { setTimeout as pause } from 'node:timers/promises';
import { Client, DatabaseError, type ClientBase } from 'pg';
import { isTimeout } from './violations.js';

/** How long an answer may take until the server is asked whether it answers at all. */
const SLOW_MS = 3_000;
const ANSWER_MS = 2_000;

/**
 * Tells a server that has gone silent from one that is slow: if an answer does not come, it is asked for another over a
 * connection of its own, once for all who wait.
 */
export class SilenceWatch {
  private heardAt = -Infinity;
  private asked: Promise<boolean> | null = null;

  constructor(private readonly databaseUrl: string) {}

  /**
   * Closes a connection whose server is silent, or whose answer did not come in time: what is sent over it next would
   * wait for that answer.
   */
  watch(client: ClientBase): void {
    const close = (): void => void (client as Client).end().catch(() => undefined);
    const watched = (...sent: unknown[]): unknown => {
      const over = this.begin(close);
      const callback = sent.at(-1);
      if (isCallback(callback))
        sent.splice(-1, 1, (error: unknown, ...rest: unknown[]) => (over(error), callback(error, ...rest)));
      // Looked up each time: tests record statements at the prototype.
      const answer = (Client.prototype.query as (...sent: unknown[]) => unknown).apply(client, sent);
      if (answer instanceof Promise) answer.then(() => over(null), over);
      return answer;
    };
    Object.assign(client, { query: watched });
  }

  /** A statement is sent; returns what is called with its error, or null, when it is over. */
  private begin(close: () => void): (error: unknown) => void {
    let isOver = false;
    const ask = async (): Promise<void> => {
      if ((await this.isSilent()) && !isOver) close();
    };
    const timer = setTimeout(() => void ask(), SLOW_MS).unref();
    return (error) => {
      isOver = true;
      clearTimeout(timer);
      if (!error) this.heardAt = performance.now();
      else if (isTimeout(error)) close();
    };
  }

  private isSilent(): Promise<boolean> {
    this.asked ??= this.ask().finally(() => (this.asked = null));
    return this.asked;
  }

  /** A pooler may have no connection left for the question: an answer to anybody else counts as well. */
  private async ask(): Promise<boolean> {
    const since = performance.now();
    const answers = await Promise.race([answered(this.databaseUrl), pause(ANSWER_MS, false, { ref: false })]);
    return !answers && this.heardAt < since;
  }
}

type Callback = (...given: unknown[]) => unknown;
const isCallback = (given: unknown): given is Callback => typeof given === 'function';

async function answered(connectionString: string): Promise<boolean> {
  const client = new Client({
    connectionString,
    application_name: 'halfmove',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch (error) {
    // A refusal, such as that it has too many connections, is an answer.
    return error instanceof DatabaseError;
  } finally {
    void client.end().catch(() => undefined);
  }
}
