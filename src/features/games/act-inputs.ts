import { ArgsType, Field as GraphqlField, ID, InputType, Int } from '@nestjs/graphql';
import { Transform } from 'class-transformer';
import { Allow, IsBoolean, IsIn, IsInt, IsOptional, IsString, IsUUID, Length, Min } from 'class-validator';
import type { Act } from '../../arbiter/acts/act.js';
import type { Field } from '../../arbiter/acts/input.js';
import { JsonScalar } from '../../platform/graphql/scalars.js';
import { declare, Given } from '../../platform/model.js';
import { CLAIMS } from '../../rules/ruleset.js';
import { ClaimEnum } from './enums.model.js';

/** Of what an act says that it takes, the class that both schemas show and by which both transports check it. */

type Class = new () => object;

const VERSION =
  'The version of the game that this is meant for: once it has changed nothing is done (STALE_VERSION, or what else stands against it).';
const TREE_IN_REST = { type: 'array', items: { type: 'object' } } as const;

/** The words of fields and the enumerations that show them. */
const ENUMS = new Map<readonly string[], Readonly<Record<string, string>>>([[CLAIMS, ClaimEnum]]);

const told = ({ description, example, optional }: Field) => ({
  nullable: optional === true,
  ...(description === undefined ? {} : { description }),
  ...(example === undefined ? {} : { example }),
});

/** What a property of this kind is shown and checked by. */
function decorators(name: string, field: Field): readonly PropertyDecorator[] {
  const shown = told(field);
  switch (field.kind) {
    case 'wholeNumber': {
      const message = `${name} must be a whole number from ${field.min}`;
      return [Given(() => Int, shown), IsInt({ message }), Min(field.min, { message })];
    }
    case 'text':
      return [Given(() => String, shown), Length(1, field.most), IsString()];
    case 'word':
      return [Given(() => ENUMS.get(field.of)!, shown), IsIn(field.of)];
    case 'flag':
      return [Given(() => Boolean, shown), IsBoolean()];
    case 'tree':
      return [Given(() => JsonScalar, { ...shown, rest: TREE_IN_REST }), Allow(), asItCame(name)];
  }
}

/** Its own reader says what is wrong with it. */
const asItCame = (name: string): PropertyDecorator =>
  Transform(({ obj }: { obj: Readonly<Record<string, unknown>> }) => obj[name]);

/** A class of its own below this one, with what the act takes. */
function withFields(base: Class, name: string, { input }: Act): Class {
  const made = { [name]: class extends base {} }[name]!;
  for (const [property, field] of Object.entries(input))
    declare(made, property, ...decorators(property, field));
  return made;
}

@InputType()
class ActInput {
  @Given(() => Int, { nullable: true, description: VERSION })
  @IsInt()
  readonly version?: number | null;
}

@ArgsType()
class ActArgs {
  @GraphqlField(() => ID)
  @IsUUID()
  readonly gameId: string;

  @GraphqlField(() => Int, { nullable: true, description: VERSION })
  @IsOptional()
  @IsInt()
  readonly version?: number;
}

const takesNothing = ({ input }: Act): boolean => Object.keys(input).length === 0;
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The body of the route of an act. */
export function bodyOf(act: Act): Class {
  if (takesNothing(act)) return ActInput;
  const body = withFields(ActInput, act.inputName?.rest ?? `${capital(act.name)}Input`, act);
  InputType()(body);
  return body;
}

/** The arguments of the mutation of an act: one by one, or all in one `input`. */
export function argumentsOf(act: Act): { readonly type: Class; readonly isInput: boolean } {
  if (takesNothing(act)) return { type: ActArgs, isInput: false };
  if (act.inputName === undefined) {
    const type = withFields(ActArgs, `${capital(act.name)}Args`, act);
    ArgsType()(type);
    return { type, isInput: false };
  }
  const { graphql, description } = act.inputName;
  const type = withFields(ActInput, graphql, act);
  declare(
    type,
    'gameId',
    Given(() => ID),
    IsUUID(),
  );
  InputType({ description })(type);
  return { type, isInput: true };
}
