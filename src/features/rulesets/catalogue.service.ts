import { Injectable } from '@nestjs/common';
import { badInput, demand, DomainError } from '../../platform/errors.js';
import { EngineService } from '../../engine/engine.service.js';
import { setupCount } from '../../rules/setup.js';
import type { Ruleset, RulesetOption, Setup } from './catalogue.model.js';

type Known = ReturnType<EngineService['catalogue']>[number];

export interface SetupAsked {
  readonly number?: number | null | undefined;
  readonly text?: string | null | undefined;
}

/** The rule sets as players and programs see them. */
@Injectable()
export class CatalogueService {
  constructor(private readonly engine: EngineService) {}

  all(): readonly Ruleset[] {
    return this.engine.catalogue().map((ruleset) => this.shown(ruleset));
  }

  one(id: string): Ruleset {
    return this.shown(this.known(id));
  }

  /** A set-up by its number or its text, whichever is given. */
  setup(id: string, { number, text }: SetupAsked): Setup {
    const { id: ruleset } = this.known(id);
    if (number != null && text == null) return this.engine.setup(ruleset, number);
    if (number == null && text != null) return this.engine.setup(ruleset, text);
    throw badInput('number', 'Give either the number or the text of a set-up.');
  }

  private known(id: string): Known {
    return demand(
      this.engine.catalogue().find((ruleset) => ruleset.id === id),
      () => new DomainError('NOT_FOUND', 'There is no rule set with this id.'),
    );
  }

  private shown(ruleset: Known): Ruleset {
    const { id, version, name, summary, source, sides, board, hidden, chance } = ruleset;
    return {
      id,
      version,
      name,
      chineseName: ruleset.chinese,
      summary,
      source,
      sides,
      pieces: ruleset.pieces,
      board,
      hidden,
      chance,
      setupCount: chance === 'setup' ? setupCount(ruleset) : null,
      start: this.engine.opening(id, this.engine.options(id, {}), null),
      options: optionsOf(ruleset),
    };
  }
}

const optionsOf = ({ options }: Known): readonly RulesetOption[] =>
  Object.entries(options).map(([name, spec]) => ({
    name,
    type: spec.type,
    meaning: spec.meaning,
    default: spec.default,
    min: spec.type === 'integer' ? spec.min : null,
    max: spec.type === 'integer' ? spec.max : null,
    values: spec.type === 'choice' ? spec.values : null,
  }));
