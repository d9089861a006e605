import { z } from 'zod';

/**
 * An export is text with one JSON value per line: a header, for each table a line with its columns and its rows as
 * arrays of texts as PostgreSQL prints them, the sequences, and a last line with the SHA-256 of all bytes before it.
 * Without that line the export is incomplete.
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

/** The lines that are not rows. */
export const note = z.union([table, sequence, end]);

export type Note = z.infer<typeof note>;

/** Splits a stream of bytes into lines without newlines, including an unfinished last line. */
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
