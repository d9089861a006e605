import { type components, createClient, type Halfmove, type Tokens } from '../../client/src/client.js';
import { Frame } from './frame.js';
import type { Game, Shown } from './game/follow.js';
import { GameView } from './game/game.js';
import { misuseIn } from './texts/misuse.js';
import type { Texts } from './texts/texts.js';
import { judged, type Judged } from './token.js';

/** A user has no application. */
type ManagedPlayer = Partial<Pick<components['schemas']['ManagedPlayer'], 'application'>>;

/** How long a request waits for the fresh token that the page is asked for. */
const ASKED_MS = 10_000;

/**
 * `<halfmove-game game="ID" token="...">`: a whole game, to play by whom the token is of, or to watch without one.
 * Attributes: `game`, `token` (taken off at once), `base`, `lang` and `theme`. Events, all with `detail`: `halfmove-move`
 * ({gameId, ply, player, move, san}), `halfmove-end` ({gameId, outcome}), `halfmove-next` ({gameId} of the rematch that is
 * shown from then on), and `halfmove-token`, which asks for a fresh token: answer it by `setToken`.
 */
export class HalfmoveGame extends Frame {
  static readonly observedAttributes = ['game', 'token', 'base', 'lang'];

  private client: Halfmove | null = null;
  /** The server and the game that the client is for. */
  private clientOf = '';
  private token: Judged = { kind: 'none' };
  /** A token that came before it was asked for. */
  private fresh: Tokens | null = null;
  private waiting: ((tokens: Tokens | null) => void) | null = null;
  private shown: Shown | null = null;

  /** The game as it was read last; null before. */
  get state(): Game | null {
    return this.shown?.game ?? null;
  }

  /** Gives the token of a player or guest: a first one, a fresh one, or that of somebody else. */
  setToken(token: string): void {
    const before = this.token;
    this.token = judged(token);
    if (this.token.kind !== 'good' || before.kind !== 'good' || this.token.user !== before.user) {
      this.client = null;
      this.draw();
      return;
    }
    const tokens = { accessToken: token };
    if (this.waiting === null) this.fresh = tokens;
    else this.waiting(tokens);
    this.draw();
  }

  override attributeChangedCallback(name?: string): void {
    const token = this.getAttribute('token');
    // A token in the document could be read and kept by whatever looks at it.
    if (token !== null) {
      this.removeAttribute('token');
      this.setToken(token);
    } else if (name !== 'token') this.draw();
  }

  protected content(texts: Texts) {
    const id = this.getAttribute('game');
    if (id === null || id === '') return <p role="alert">{misuseIn(texts).missing('game game="ID"')}</p>;
    if (this.token.kind === 'bad') return <p role="alert">{misuseIn(texts)[this.token.why]}</p>;
    const client = this.connected(id);
    return (
      <GameView
        // What was seen as somebody else, or of another game, is read anew.
        key={client}
        client={client}
        id={id}
        mayTalk={this.token.kind === 'good' && this.token.mayTalk}
        token={this.token}
        asSeen={(shown) => this.seen(shown)}
        onShown={(shown) => this.follow(shown)}
        onNext={(gameId) => {
          this.setAttribute('game', gameId);
          this.tell('halfmove-next', { gameId });
        }}
      />
    );
  }

  private connected(id: string): Halfmove {
    const of = `${this.base} ${id}`;
    if (this.client === null || this.clientOf !== of) {
      this.clientOf = of;
      this.shown = null;
      this.client = createClient({
        url: this.base,
        session: this.token.kind === 'good' ? { accessToken: this.token.token } : null,
        retries: 1,
        onExpired: () => this.asked(),
      });
    }
    return this.client;
  }

  /** A fresh token of the page, or null if it gives none in time. */
  private asked(): Promise<Tokens | null> {
    const { fresh } = this;
    this.fresh = null;
    if (fresh !== null) return Promise.resolve(fresh);
    return new Promise((resolve) => {
      const answer = (tokens: Tokens | null) => {
        clearTimeout(timer);
        this.waiting = null;
        resolve(tokens);
      };
      const timer = setTimeout(() => answer(null), ASKED_MS);
      this.waiting = answer;
      this.tell('halfmove-token', { gameId: this.getAttribute('game') });
    });
  }

  /** Without the viewer's own application behind the names of its players. */
  private seen(shown: Shown): Shown {
    const players = shown.game.players.map(({ player, ...seat }) => {
      const { application, ...rest } = player as ManagedPlayer;
      return { ...seat, player: application?.id === this.token.application ? rest : player };
    });
    return { ...shown, game: { ...shown.game, players: players as unknown as Game['players'] } };
  }

  private follow(shown: Shown): void {
    const before = this.shown?.game.id === shown.game.id ? this.shown.game : null;
    this.shown = shown;
    if (before === null) return;
    const { game, plies } = shown;
    for (const { ply, player, move, san } of plies)
      if (ply > before.plyCount) this.tell('halfmove-move', { gameId: game.id, ply, player, move, san });
    if (before.outcome === null && game.outcome !== null)
      this.tell('halfmove-end', { gameId: game.id, outcome: game.outcome });
  }
}
