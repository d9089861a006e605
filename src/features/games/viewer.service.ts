import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/process/config.module.js';
import { cacheBytes } from '../../platform/process/cache-sizes.js';
import type { Config } from '../../config.js';
import { isOpen, type Act, type Proposal, type ProposalContext } from '../../arbiter/acts/act.js';
import { ACTS, type ActName } from '../../arbiter/acts/registry.js';
import type { Situation } from '../../arbiter/acts/situation.js';
import { EngineService } from '../../engine/engine.service.js';
import { Time } from '../../platform/process/time.js';
import { CLAIMS, type Player } from '../../rules/ruleset.js';
import { FactFinder } from './facts.js';
import { situationOf, type GameRow, type ShownGame } from './game.row.js';
import { KeptOfGames } from './kept-of-games.js';
import { KnownGames } from './known-games.js';
import type { Seat } from './referee.js';
import type { ActTerms, AllowedAct } from './viewer.model.js';

type NamedAct = Act & { readonly name: ActName };

/** Inputs with which an act is open as far as the state of the game tells. */
interface Candidates {
  readonly act: NamedAct;
  readonly proposals: readonly Proposal[];
}

const BYTES_OF_AN_ACT = 300;

/** Lists what a player may do now, by the same conditions that judge the acts. */
@Injectable()
export class ViewerService {
  private readonly kept: KeptOfGames<readonly AllowedAct[]>;

  constructor(
    known: KnownGames,
    private readonly engine: EngineService,
    private readonly facts: FactFinder,
    private readonly time: Time,
    @Inject(CONFIG) config: Pick<Config, 'cacheMb'>,
  ) {
    this.kept = new KeptOfGames(known, cacheBytes(config, 'acts'), (acts) => BYTES_OF_AN_ACT * acts.length);
  }

  acts(row: ShownGame, player: Player): Promise<readonly AllowedAct[]> {
    const now = this.time.now();
    const open = openByTime(row, player, now);
    return this.kept.get(row, `${player} ${open.join()}`, () => this.allowedAt(now, row, player));
  }

  private async allowedAt(now: Date, row: GameRow, player: Player): Promise<readonly AllowedAct[]> {
    const seat = { row, player, now, current: row };
    const situation = situationOf(seat);
    const claims = () => (row.turn === player ? this.engine.openClaims(row) : []);
    // Check without the facts first: that already rules out most acts.
    const found = candidatesIn(situation, claims).map((candidates) =>
      this.allowed(candidates, seat, situation),
    );
    return (await Promise.all(found)).filter((act) => act !== null);
  }

  private async allowed(
    { act, proposals }: Candidates,
    seat: Seat,
    situation: Situation,
  ): Promise<AllowedAct | null> {
    if (act.needs.length === 0) return { act: act.name, terms: termsOf(act, proposals) };
    const open: Proposal[] = [];
    for (const proposal of proposals) {
      const facts = await this.facts.find(act.needs, seat, { ...proposal });
      if (isOpen(act, { ...situation, ...proposal, ...facts })) open.push(proposal);
    }
    return open.length === 0 ? null : { act: act.name, terms: termsOf(act, open) };
  }
}

function candidatesIn(situation: Situation, claims: ProposalContext['claims']): readonly Candidates[] {
  const on = { state: situation.state, claims };
  return ACTS.map((act: NamedAct) => ({
    act,
    proposals: act.proposals(on).filter((proposal) => isOpen(act, { ...situation, ...proposal })),
  })).filter(({ proposals }) => proposals.length > 0);
}

const ANY_CLAIM = [{ reason: CLAIMS[0], move: null }] as const;

/**
 * The names of the acts that are open as far as the state and the time tell. Which of them are allowed in the end
 * depends only on them and on the version of the game, since no condition judges both the time and the board.
 */
export const openByTime = (row: GameRow, player: Player, now: Date): readonly ActName[] =>
  candidatesIn(situationOf({ row, player, now }), () => ANY_CLAIM).map(({ act }) => act.name);

function termsOf(act: Act, proposals: readonly Proposal[]): ActTerms | null {
  if (Object.keys(act.input).length === 0) return null;
  const claims = proposals.flatMap(({ reason, move = null }) =>
    reason === undefined ? [] : [{ reason, move }],
  );
  return {
    ply: proposals[0]!.ply ?? null,
    offerDraw: 'offerDraw' in act.input ? proposals.some(({ offerDraw }) => offerDraw === true) : null,
    claims: claims.length === 0 ? null : claims,
  };
}
