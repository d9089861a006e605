import { Extensions } from '@nestjs/graphql';
import { isInterfaceType, isObjectType, type GraphQLField, type GraphQLNamedType } from 'graphql';
import { MAX_PAGE_SIZE } from './page.js';

/** The arguments of a field as sent, unchecked. */
export type SentArguments = Readonly<Record<string, unknown>>;

/** The cost of a field that is more than 1; declared with `@Cost`. */
export interface FieldCost {
  /** The cost of the field itself; 1 by default. */
  readonly fields?: number;
  /** A list, whose rows are determined by its parent field or by its own arguments. */
  readonly list?: 'ofParent' | 'own';
  /** The number of rows requested; `first` or `last` by default. */
  readonly rows?: (args: SentArguments, page: number) => number;
  /** The default number of rows; 100 by default. */
  readonly page?: number;
  /** The extra cost of each row; 0 by default. */
  readonly perRow?: number;
}

/** A list without arguments that rarely has more rows than this. */
export const rowsAtMost = (most: number): FieldCost => ({ list: 'own', rows: () => most });

const KEY = 'cost';

/** Declares the cost of a field. */
export const Cost = (cost: FieldCost): MethodDecorator & PropertyDecorator => Extensions({ [KEY]: cost });

const PLAIN: FieldCost = {};

/** The declared cost of a field. An unknown field counts as one; validation refuses it. */
export const declaredCost = (field: GraphQLField<unknown, unknown> | undefined): FieldCost =>
  (field?.extensions[KEY] as FieldCost | undefined) ?? PLAIN;

/** The default page size of a connection type; undefined for other types. */
export function pageOf(type: GraphQLNamedType | undefined): number | undefined {
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const costs = Object.values(type.getFields()).map(declaredCost);
  const rows = costs.find(({ list }) => list === 'ofParent');
  return rows && (rows.page ?? MAX_PAGE_SIZE);
}

/** The requested page size, or this default. */
export function pageAsked({ first, last }: SentArguments, page: number): number {
  const asked = first ?? last;
  return typeof asked === 'number' ? Math.max(1, asked) : page;
}
