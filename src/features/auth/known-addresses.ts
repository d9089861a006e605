const MAX_USERS = 20_000;
const MAX_OF_A_USER = 8;

/**
 * The addresses from which users have recently logged in. Only a few for each user, so that a user with many cannot
 * displace those of others.
 */
export class KnownAddresses {
  private readonly byName = new Map<string, readonly string[]>();

  has(username: string, address: string): boolean {
    return this.byName.get(username)?.includes(address) ?? false;
  }

  add(username: string, address: string): void {
    const others = (this.byName.get(username) ?? []).filter((other) => other !== address);
    // A Map keeps insertion order: the user seen longest ago is dropped.
    this.byName.delete(username);
    this.byName.set(username, [...others, address].slice(-MAX_OF_A_USER));
    const [oldest] = this.byName.keys();
    if (this.byName.size > MAX_USERS && oldest !== undefined) this.byName.delete(oldest);
  }
}
