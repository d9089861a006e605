import { Injectable } from '@nestjs/common';

/** What a part of the server has against itself, in words; null: nothing. */
export type Check = () => Promise<string | null>;

/** What is wrong with the server as a whole, as its parts report it. */
@Injectable()
export class Health {
  private readonly checks: Check[] = [];
  private ends: string | null = null;

  /** A part that tells when it cannot do its work. */
  watch(check: Check): void {
    this.checks.push(check);
  }

  /** The server ends, and why: nothing may be sent to it any more. */
  ending(why: string): void {
    this.ends ??= why;
  }

  /** Why the server ends; null: it does not. */
  get end(): string | null {
    return this.ends;
  }

  /** All that is wrong while the server goes on. */
  async troubles(): Promise<readonly string[]> {
    const said = await Promise.all(this.checks.map((check) => check()));
    return said.filter((text) => text !== null);
  }
}
