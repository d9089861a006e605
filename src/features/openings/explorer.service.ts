import { Injectable } from '@nestjs/common';
import { EngineService } from '../../engine/engine.service.js';
import { unwrap } from '../../engine/refusals.js';
import { DomainError } from '../../platform/errors/errors.js';
import type { AnyRuleset } from '../../rules/registry.js';
import { parseSetup } from '../../rules/setup.js';
import { after, explored, fenOf, positionKey, type Explored } from './explorer.js';
import { ExplorerStore } from './explorer.store.js';

/** A line of moves in a request. */
export interface Line {
  readonly ruleset: string;
  readonly setup?: string | null | undefined;
  readonly moves?: readonly string[] | null | undefined;
}

/** The moves played from a position in games that are over. */
@Injectable()
export class ExplorerService {
  constructor(
    private readonly store: ExplorerStore,
    private readonly engine: EngineService,
  ) {}

  /**
   * The moves played in the position after the given ones. Throws INVALID_RULESET, INVALID_SETUP, ILLEGAL_MOVE, GAME_OVER;
   * the field names the wrong move by its index.
   */
  async explore({ ruleset: id, setup, moves }: Line): Promise<Explored> {
    const ruleset = this.explorable(id);
    const options = this.engine.options(id, {});
    const game = unwrap(after(ruleset, options, setupOf(ruleset, setup ?? null), moves ?? []));
    const counts = await this.store.of(positionKey(id, fenOf(game)));
    return explored(game, moves?.length ?? 0, counts);
  }

  private explorable(id: string): AnyRuleset {
    const ruleset = this.engine.ruleset(id);
    if (!ruleset.hidden) return ruleset;
    const open = this.engine.catalogue().filter(({ hidden }) => !hidden);
    throw new DomainError(
      'INVALID_RULESET',
      `${id} has face-down pieces, so the explorer has no openings of it. ` +
        `ruleset must be one of ${open.map((other) => other.id).join(', ')}.`,
      { field: 'ruleset' },
    );
  }
}

function setupOf(ruleset: AnyRuleset, setup: string | null): string | null {
  if (setup !== null) return unwrap(parseSetup(ruleset, setup));
  if (ruleset.chance !== 'setup') return null;
  throw new DomainError(
    'INVALID_SETUP',
    `setup is required for ${ruleset.id}, which draws its set-up. Send one such as ${ruleset.dealing.join('/')}.`,
    { field: 'setup' },
  );
}
