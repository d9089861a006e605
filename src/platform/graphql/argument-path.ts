import { Kind, parse, visit, BREAK, type ASTNode, type DocumentNode, type GraphQLError, type Source } from 'graphql'; // prettier-ignore

/** Only the check of values complains of these nodes; all else that it names is about the document. */
const VALUES: ReadonlySet<string> = new Set([
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
  Kind.LIST,
  Kind.OBJECT,
  Kind.OBJECT_FIELD,
]);

/** One document may have a hundred faults. */
const documents = new WeakMap<Source, DocumentNode>();

/**
 * The path of a value that stands in the document itself, from its argument on, as `filter.status.0`; undefined if the
 * error is about no such value. An unknown part of an object counts as its value.
 */
export function argumentPath({ source, nodes }: GraphQLError): string | undefined {
  const node = nodes?.[0];
  if (source === undefined || node?.loc === undefined || !VALUES.has(node.kind)) return undefined;
  const document = documents.get(source) ?? parse(source);
  documents.set(source, document);
  let keys: readonly (string | number)[] = [];
  visit(document, {
    enter(each, _key, _parent, path) {
      if (each.kind !== node.kind || each.loc?.start !== node.loc!.start) return undefined;
      keys = [...path];
      return BREAK;
    },
  });
  return namesOn(document, keys);
}

/** The names and places that a path of graphql-js leads through; a default has the name of its variable. */
function namesOn(document: DocumentNode, keys: readonly (string | number)[]): string | undefined {
  let names: (string | number)[] = [];
  let at: unknown = document;
  for (const [i, key] of keys.entries()) {
    at = (at as Record<string | number, unknown>)[key];
    const node = at as ASTNode;
    if (node.kind === Kind.ARGUMENT) names = [node.name.value];
    else if (node.kind === Kind.VARIABLE_DEFINITION) names = [node.variable.name.value];
    else if (node.kind === Kind.OBJECT_FIELD) names.push(node.name.value);
    else if (keys[i - 1] === 'values') names.push(key);
  }
  return names.length === 0 ? undefined : names.join('.');
}
