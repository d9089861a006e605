import { z } from 'zod';

/**
 * An export is text, one JSON value a line: a header, then for each table a line that names its columns and its
 * rows as arrays of texts as PostgreSQL prints them, then the sequences, then the end with the SHA-256 of all
 * bytes before it. An export without its end is no export.
 */

export const FORMAT = 1;

export const header = z.object({
  halfmove: z.literal('export'),
  format: z.literal(FORMAT),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
});

export const table = z.object({ table: z.string(), columns: z.array(z.string()) });

export const sequence = z.object({ sequence: z.string(), value: z.string().regex(/^\d+$/) });

export const end = z.object({ end: z.literal(true), rows: z.number(), sha256: z.string() });

/** What stands between the rows. */
export const note = z.union([table, sequence, end]);

export type Note = z.infer<typeof note>;

/** Cuts a stream of bytes into lines, without their newlines; what follows the last newline comes last. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun = '';
  for await (const chunk of chunks) {
    const lines = (begun + decoder.decode(chunk, { stream: true })).split('\n');
    begun = lines.pop()!;
    yield* lines;
  }
  begun += decoder.decode();
  if (begun !== '') yield begun;
}
