import { hasCode, sessionOver } from './errors.js';

/** The tokens that speak for a user. Without a refresh token the session ends when the access token expires. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
}

/**
 * What a login, a registration or given tokens have begun, or nobody's session, with null. A request keeps the one that it
 * began with, so that it never goes out as somebody else. Requests whose token is refused at the same time share one
 * refresh.
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

  /** Whether another session has taken its place. Nobody's never ends: what needs no user may go on. */
  get isOver(): boolean {
    return this.current !== null && this.keeper.session !== this;
  }

  assertCurrent(): void {
    if (this.isOver) throw sessionOver();
  }

  /** Refreshes the session if the refused token is its newest. True when there is a newer token to try. */
  async renewed(refused: string | undefined): Promise<boolean> {
    if (this.current === null || this.isOver) return false;
    if (this.current.accessToken !== refused) return true;
    this.renewal ??= this.renew(this.current).finally(() => (this.renewal = null));
    return this.renewal;
  }

  private async renew({ refreshToken }: Tokens): Promise<boolean> {
    if (refreshToken === undefined) return false;
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
}

/** Holds the session that new requests belong to. */
export class SessionKeeper {
  session: Session;

  constructor(
    tokens: Tokens | null,
    readonly refresh: (refreshToken: string) => Promise<Tokens>,
    readonly tell: (tokens: Tokens | null) => void,
  ) {
    this.session = new Session(tokens, this);
  }

  begin<T extends Tokens | null>(tokens: T): T {
    this.session = new Session(tokens, this);
    this.tell(tokens);
    return tokens;
  }

  /** Ends this session, unless another has taken its place. */
  end(session: Session): void {
    if (this.session === session) this.begin(null);
  }
}
