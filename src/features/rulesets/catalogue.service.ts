import { Injectable } from '@nestjs/common';
import { EngineService } from '../../engine/engine.service.js';
import { badInput, demand, DomainError } from '../../platform/errors.js';
import { CATALOGUE, inCatalogue } from './catalogue.js';
import type { Ruleset, Setup } from './catalogue.model.js';

export interface SetupAsked {
  readonly number?: number | null | undefined;
  readonly text?: string | null | undefined;
}

/** What is asked of the rule sets. */
@Injectable()
export class CatalogueService {
  constructor(private readonly engine: EngineService) {}

  all(): readonly Ruleset[] {
    return CATALOGUE;
  }

  /** The one with this id, or null. */
  found(id: string): Ruleset | null {
    return inCatalogue(id);
  }

  /** Throws NOT_FOUND. */
  one(id: string): Ruleset {
    return demand(this.found(id), () => new DomainError('NOT_FOUND', 'There is no rule set with this id.'));
  }

  /** A set-up by its number or its text, whichever is given. */
  setup(id: string, { number, text }: SetupAsked): Setup {
    const { id: ruleset } = this.one(id);
    if (number != null && text == null) return this.engine.setup(ruleset, number);
    if (number == null && text != null) return this.engine.setup(ruleset, text);
    throw badInput('number', 'Give either the number or the text of a set-up.');
  }
}
