import type { ServerResponse } from 'node:http';

/** Bytes of answers to one address that may wait in this process for their readers. */
const MOST_UNREAD = 16 * 2 ** 20;

/** The answers under way, by address. */
export class Unread {
  private readonly answers = new Map<string, Set<ServerResponse>>();

  /** Counts an answer until it is removed. Cuts off the oldest ones of the address that nobody reads, if they are too many. */
  add(address: string, answer: ServerResponse): void {
    const answers = this.answers.get(address) ?? new Set();
    this.answers.set(address, answers.add(answer));
    let bytes = 0;
    for (const { writableLength } of answers) bytes += writableLength;
    for (const oldest of answers) {
      if (bytes <= MOST_UNREAD) return;
      bytes -= oldest.writableLength;
      if (oldest.writableLength > 0) oldest.destroy();
    }
  }

  remove(address: string, answer: ServerResponse): void {
    const answers = this.answers.get(address)!;
    answers.delete(answer);
    if (answers.size === 0) this.answers.delete(address);
  }
}
