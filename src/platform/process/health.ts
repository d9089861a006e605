import { Injectable } from '@nestjs/common';

/** A fault of a part of the server, as a text, or null. */
export type Check = () => Promise<string | null>;

/** The health of the server, as its parts report it. */
@Injectable()
export class Health {
  private readonly checks: Check[] = [];
  private ends: string | null = null;

  /** Registers a check. */
  watch(check: Check): void {
    this.checks.push(check);
  }

  /** Marks the server as shutting down, with the reason. */
  ending(why: string): void {
    this.ends ??= why;
  }

  /** Why the server is shutting down, or null. */
  get end(): string | null {
    return this.ends;
  }

  /** The current faults of the running server. */
  async troubles(): Promise<readonly string[]> {
    const said = await Promise.all(this.checks.map((check) => check()));
    return said.filter((text) => text !== null);
  }
}
