import { Extensions } from '@nestjs/graphql';
import { isInterfaceType, isObjectType, type GraphQLField, type GraphQLNamedType } from 'graphql';
import { MOST_ON_A_PAGE } from '../page.js';

/** The arguments of a field as they were sent, before anything has checked them. */
export type SentArguments = Readonly<Record<string, unknown>>;

/** What a field costs where it is more than one field; declared with the field by `@Cost`. */
export interface FieldCost {
  /** The fields that it counts as; 1 by default. */
  readonly fields?: number;
  /** A list, counted row by row: as many as the field above it is asked for, or as many as it is asked for itself. */
  readonly list?: 'ofParent' | 'own';
  /** How many rows it is asked for; `first` or `last` by default. */
  readonly rows?: (args: SentArguments, page: number) => number;
  /** How many rows a list has where no argument says it; 100 by default. */
  readonly page?: number;
  /** The fields that each row counts as beside those selected in it; 0 by default. */
  readonly perRow?: number;
}

/** A list without arguments that has so many rows at most, or seldom more. */
export const rowsAtMost = (most: number): FieldCost => ({ list: 'own', rows: () => most });

const KEY = 'cost';

/** Declares what a field of the schema costs. */
export const Cost = (cost: FieldCost): MethodDecorator & PropertyDecorator => Extensions({ [KEY]: cost });

const PLAIN: FieldCost = {};

/** The declared cost of a field; an unknown field is refused by the validation, and counts as one. */
export const declaredCost = (field: GraphQLField<unknown, unknown> | undefined): FieldCost =>
  (field?.extensions[KEY] as FieldCost | undefined) ?? PLAIN;

/** Of a type whose rows are counted by the field above it: how many a page has that is not said; else undefined. */
export function pageOf(type: GraphQLNamedType | undefined): number | undefined {
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const costs = Object.values(type.getFields()).map(declaredCost);
  const rows = costs.find(({ list }) => list === 'ofParent');
  return rows && (rows.page ?? MOST_ON_A_PAGE);
}

/** The length of a page; so many where the arguments do not say it. */
export function pageAsked({ first, last }: SentArguments, page: number): number {
  const asked = first ?? last;
  return typeof asked === 'number' ? Math.max(1, asked) : page;
}
