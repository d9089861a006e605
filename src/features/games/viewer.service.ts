import { Injectable } from '@nestjs/common';
import { isOpen, type Act, type Proposal } from '../../arbiter/acts/act.js';
import { ACTS, type ActName } from '../../arbiter/acts/registry.js';
import { EngineService } from '../../engine/engine.service.js';
import { Time } from '../../platform/time.js';
import type { Player } from '../../rules/ruleset.js';
import { FactFinder } from './facts.js';
import { situationOf, type GameRow } from './game.row.js';
import type { Seat } from './referee.js';
import type { ActTerms, AllowedAct } from './viewer.model.js';

/** Lists what a player may do now, by the same conditions that judge the acts. */
@Injectable()
export class ViewerService {
  constructor(
    private readonly engine: EngineService,
    private readonly facts: FactFinder,
    private readonly time: Time,
  ) {}

  async acts(row: GameRow, player: Player): Promise<readonly AllowedAct[]> {
    const seat = { row, player, now: this.time.now(), current: row };
    const found = await Promise.all(ACTS.map((act) => this.allowed(act, seat)));
    return found.filter((act) => act !== null);
  }

  private async allowed(act: Act & { readonly name: ActName }, seat: Seat): Promise<AllowedAct | null> {
    const situation = situationOf(seat);
    const claims = () => (seat.row.turn === seat.player ? this.engine.openClaims(seat.row) : []);
    // Check without the facts first: that already rules out most acts.
    const candidates = act
      .proposals({ state: situation.state, claims })
      .filter((proposal) => isOpen(act, { ...situation, ...proposal }));
    const open = await Promise.all(
      candidates.map(async (proposal) => {
        const facts = await this.facts.find(act.needs, seat, { ...proposal });
        return isOpen(act, { ...situation, ...proposal, ...facts }) ? [proposal] : [];
      }),
    );
    const proposals = open.flat();
    return proposals.length === 0 ? null : { act: act.name, terms: termsOf(act, proposals) };
  }
}

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
