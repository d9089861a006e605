import { Int } from '@nestjs/graphql';
import { ApiSchema } from '@nestjs/swagger';
import { model, shown, type Property } from '../../platform/contract/model.js';
import { inCatalogue } from './catalogue.js';
import { RULES_VERSION } from './descriptions.js';
import { Ruleset } from './catalogue.model.js';

/** The rule set in answers: complete in GraphQL, by id and name in REST, where it has its own route. */

@ApiSchema({ description: 'A rule set by its name; its address has the rest.' })
export class RulesetName extends model({
  id: shown(String, { description: 'The id of the rule set.', example: 'chess' }),
  name: shown(String, { description: 'The English name of the rule set.', example: 'Chess' }),
  version: shown(Int, { description: RULES_VERSION }),
}) {}

export const RULESET: Property<RulesetName> = shown(Ruleset, {
  description: 'The rule set that is played.',
  rest: { type: RulesetName },
  inGraphql: ({ id }: RulesetName) => inCatalogue(id),
}) as Property<unknown> as Property<RulesetName>;

export function named(known: string): RulesetName {
  const { id, name, version } = inCatalogue(known)!;
  return { id, name, version };
}
