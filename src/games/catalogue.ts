import { Injectable } from '@nestjs/common';
import { DomainError } from '../platform/errors.js';
import { EngineService } from '../engine/engine.service.js';
import type { Ruleset, RulesetOption } from './catalogue.model.js';

type Known = ReturnType<EngineService['catalogue']>[number];

/** The rule sets as players and programs see them. */
@Injectable()
export class Catalogue {
  constructor(private readonly engine: EngineService) {}

  all(): readonly Ruleset[] {
    return this.engine.catalogue().map((ruleset) => this.shown(ruleset));
  }

  one(id: string): Ruleset {
    const found = this.engine.catalogue().find((ruleset) => ruleset.id === id);
    if (found === undefined) throw new DomainError('NOT_FOUND', 'There is no rule set with this id.');
    return this.shown(found);
  }

  private shown(ruleset: Known): Ruleset {
    const { id, name, summary, sides, board, hidden, chance } = ruleset;
    const start = this.engine.opening(id, this.engine.options(id, {}));
    return { id, name, summary, sides, board, hidden, chance, start, options: optionsOf(ruleset) };
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
