import { shown } from '../../rules/shown.js';
import { Injectable } from '@nestjs/common';
import { EngineService } from '../../engine/engine.service.js';
import { badInput, orThrow, DomainError } from '../../platform/errors/errors.js';
import { OwnAddress } from '../../platform/http/own-address.js';
import { boardPath, CATALOGUE, inCatalogue } from './catalogue.js';
import type { Ruleset, Setup } from './catalogue.model.js';

export interface SetupAsked {
  readonly number?: number | null | undefined;
  readonly text?: string | null | undefined;
}

@Injectable()
export class CatalogueService {
  constructor(
    private readonly engine: EngineService,
    private readonly address: OwnAddress,
  ) {}

  all(): readonly Ruleset[] {
    return CATALOGUE.map((ruleset) => this.addressed(ruleset));
  }

  found(id: string): Ruleset | null {
    const ruleset = inCatalogue(id);
    return ruleset && this.addressed(ruleset);
  }

  /** Where a picture of its start is. */
  boardUrl(id: string): string {
    return this.address.url(boardPath(id));
  }

  /** Throws NOT_FOUND, naming the field of the id. */
  one(id: string, field = 'id'): Ruleset {
    const given = shown(id);
    const message = `No rule set has the id ${given}. Use an id from the list of rule sets.`;
    return orThrow(this.found(id), () => new DomainError('NOT_FOUND', message, { field }));
  }

  /** A set-up by its number or its text. Throws NOT_FOUND, INVALID_SETUP, BAD_INPUT. */
  setup(id: string, { number, text }: SetupAsked, field?: string): Setup {
    const { id: ruleset } = this.one(id, field);
    if (number != null && text == null) return this.engine.setup(ruleset, number);
    if (number == null && text != null) return this.engine.setup(ruleset, text);
    const fault = number == null ? 'number or text is required' : 'number and text must not be sent together';
    throw badInput('number', `${fault}. Send exactly one of them.`);
  }

  private addressed(ruleset: Ruleset): Ruleset {
    return { ...ruleset, boardUrl: this.boardUrl(ruleset.id) };
  }
}
