const MAX_USERS = 20_000;
const MAX_OF_A_USER = 8;

/**
 * From where users have proved lately who they are. A few addresses of each, so that nobody who comes from many makes
 * the server forget those of others.
 */
export class KnownAddresses {
  private readonly byName = new Map<string, readonly string[]>();

  has(username: string, address: string): boolean {
    return this.byName.get(username)?.includes(address) ?? false;
  }

  add(username: string, address: string): void {
    const others = (this.byName.get(username) ?? []).filter((other) => other !== address);
    // The user heard of longest ago makes room: a Map keeps the order of insertion.
    this.byName.delete(username);
    this.byName.set(username, [...others, address].slice(-MAX_OF_A_USER));
    const [oldest] = this.byName.keys();
    if (this.byName.size > MAX_USERS && oldest !== undefined) this.byName.delete(oldest);
  }
}
