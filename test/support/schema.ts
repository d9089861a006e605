import { readFileSync } from 'node:fs';

/** prisma/schema.prisma as plain data, with the names and types of the database. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly indexes: readonly Index[];
}

export interface Column {
  readonly name: string;
  /** As printed by PostgreSQL's format_type. */
  readonly type: string;
  readonly nullable: boolean;
}

export interface Index {
  readonly columns: readonly string[];
  readonly kind: 'primary' | 'unique' | 'plain';
}

interface Field extends Column {
  readonly field: string;
  readonly attributes: string;
}

const TYPES: Readonly<Record<string, string>> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Boolean: 'boolean',
  Float: 'double precision',
  Json: 'jsonb',
  Bytes: 'bytea',
};
const NATIVE: Readonly<Record<string, string>> = {
  '@db.Uuid': 'uuid',
  '@db.Timestamptz(3)': 'timestamp(3) with time zone',
  '@db.Json': 'json',
  '@db.SmallInt': 'smallint',
};

export function readSchema(): Table[] {
  const text = readFileSync(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  const models = [...text.matchAll(/^model (\w+) \{\n(.*?)\n\}/gms)];
  const names = new Set(models.map(([, name]) => name!));
  return models.map(([, , body]) => table(body!, names));
}

function table(body: string, models: ReadonlySet<string>): Table {
  const lines = body.split('\n').map((line) => line.trim());
  const fields = lines.flatMap((line) => field(line, models));
  const column = (name: string) => fields.find((each) => each.field === name)!.name;
  const indexes = lines.flatMap((line): Index[] => {
    const [, keyword, list] = /^@@(id|unique|index)\(\[([^\]]+)\]/.exec(line) ?? [];
    return list === undefined ? [] : [{ kind: kind(keyword!), columns: list.split(', ').map(column) }];
  });
  const single = fields.flatMap(({ name, attributes }): Index[] => {
    const [, keyword] = /@(id|unique)\b/.exec(attributes) ?? [];
    return keyword === undefined ? [] : [{ kind: kind(keyword), columns: [name] }];
  });
  return {
    name: /^@@map\("(\w+)"\)/m.exec(lines.join('\n'))![1]!,
    columns: fields.map(({ name, type, nullable }) => ({ name, type, nullable })),
    indexes: [...indexes, ...single],
  };
}

const kind = (keyword: string): Index['kind'] =>
  keyword === 'id' ? 'primary' : keyword === 'unique' ? 'unique' : 'plain';

function field(line: string, models: ReadonlySet<string>): Field[] {
  const [, name, base, mark = '', attributes = ''] =
    /^(\w+)\s+(Unsupported\("\w+"\)|\w+)(\?|\[\])?(.*)$/.exec(line) ?? [];
  if (name === undefined || base === undefined || line.startsWith('//') || models.has(base)) return [];
  const native = Object.keys(NATIVE).find((each) => attributes.includes(each));
  const unsupported = /^Unsupported\("(\w+)"\)$/.exec(base)?.[1];
  const type = unsupported ?? (native === undefined ? TYPES[base] : NATIVE[native]);
  if (type === undefined) throw new Error(`unknown database type for: ${line}`);
  const mapped = /@map\("(\w+)"\)/.exec(attributes)?.[1] ?? name;
  return [{ field: name, name: mapped, type, nullable: mark === '?', attributes }];
}
