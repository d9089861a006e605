import { hasCode, sessionOver } from './errors.js';

/** The tokens of a user. Without a refresh token the session ends when the access token expires. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
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

  /** Refreshes the session if the refused token is its newest. Returns true if there is a newer token to try. */
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

/** Holds the current session, which new requests use. */
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

  /** Ends this session, unless another has replaced it. */
  end(session: Session): void {
    if (this.session === session) this.begin(null);
  }
}
