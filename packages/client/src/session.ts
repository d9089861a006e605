import { hasCode, sessionOver } from './errors.js';

/** The tokens of a user. Without a refresh token the session ends when the access token expires, unless `onExpired` gives another. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
}

/** The tabs of a site take this lock to renew the session that they share. */
const LOCK = 'halfmove-session';

interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Only secure contexts have locks. Without one, the server gives two tabs that renew at once the same answer. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const { navigator } = globalThis as { navigator?: { readonly locks?: Locks } };
  return navigator?.locks === undefined ? work() : navigator.locks.request(LOCK, work);
}

/** The user of an access token, which is a JWT; null if it is another text. */
function userOf({ accessToken }: Tokens): unknown {
  try {
    const claims = accessToken.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    return (JSON.parse(atob(claims)) as { readonly sub?: unknown }).sub;
  } catch {
    return null;
  }
}

/**
 * A session begun by a login, a registration or given tokens; anonymous with null. A request keeps the session it was
 * made with, so that it is never sent as another user. Requests whose token is refused at the same time share one refresh.
 */
export class Session {
  private renewal: Promise<boolean> | null = null;

  constructor(
    private current: Tokens | null,
    private readonly keeper: SessionKeeper,
  ) {}

  get tokens(): Tokens | null {
    return this.current;
  }

  /** True if another session has replaced it. The anonymous session never ends. */
  get isOver(): boolean {
    return this.current !== null && this.keeper.session !== this;
  }

  assertCurrent(): void {
    if (this.isOver) throw sessionOver();
  }

  /** Renews the session if the refused token is its newest. Returns true if there is a newer token to try. */
  async renewed(refused: string | undefined): Promise<boolean> {
    if (this.current === null || this.isOver) return false;
    if (this.current.accessToken !== refused) return true;
    this.renewal ??= this.renew(this.current).finally(() => (this.renewal = null));
    return this.renewal;
  }

  private renew(refused: Tokens): Promise<boolean> {
    const { stored } = this.keeper;
    return stored === null ? this.exchange(refused) : alone(() => this.catchUp(refused, stored()));
  }

  /** Another tab may have renewed the session, ended it, or begun another one. */
  private async catchUp(refused: Tokens, stored: Tokens | null): Promise<boolean> {
    if (this.isOver) return false;
    if (stored?.accessToken === refused.accessToken) return this.exchange(stored);
    const isRenewed = stored !== null && userOf(stored) === userOf(refused);
    if (isRenewed) this.current = stored;
    else this.keeper.begin(stored);
    return isRenewed;
  }

  private async exchange({ refreshToken }: Tokens): Promise<boolean> {
    if (refreshToken === undefined) return this.replaced();
    try {
      const tokens = await this.keeper.refresh(refreshToken);
      if (this.isOver) return false;
      this.current = tokens;
      this.keeper.tell(tokens);
      return true;
    } catch (error) {
      if (!hasCode(error, 'INVALID_REFRESH_TOKEN', 'ACCOUNT_CLOSED')) throw error;
      this.keeper.end(this);
      return false;
    }
  }

  /** Whoever has made the token may give another one. */
  private async replaced(): Promise<boolean> {
    const tokens = (await this.keeper.expired?.()) ?? null;
    if (tokens === null || this.isOver) return false;
    this.current = tokens;
    this.keeper.tell(tokens);
    return true;
  }
}

/** Holds the current session, which new requests use. */
export class SessionKeeper {
  session: Session;

  constructor(
    tokens: Tokens | null,
    /** Reads the session that the tabs of a site share; null if this client has one of its own. */
    readonly stored: (() => Tokens | null) | null,
    readonly refresh: (refreshToken: string) => Promise<Tokens>,
    readonly tell: (tokens: Tokens | null) => void,
    /** Asked for new tokens where there is no refresh token. */
    readonly expired?: () => Promise<Tokens | null>,
  ) {
    this.session = new Session(tokens, this);
  }

  begin<T extends Tokens | null>(tokens: T): T {
    this.session = new Session(tokens, this);
    this.tell(tokens);
    return tokens;
  }

  /** Ends this session, unless another has replaced it. */
  end(session: Session): void {
    if (this.session === session) this.begin(null);
  }
}
