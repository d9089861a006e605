import { closeSync, openSync, readSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';

/** The vector files of an argument: the file itself, or all *.jsonl files in a folder and below, sorted. */
export function filesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(path, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true)
    .sort();
}

const CHUNK = 1 << 20;

/**
 * The lines of a file, read in chunks. Only `\n` ends a line (a `\r` before it is white space in JSON); text after the
 * last one is a line as well.
 */
export function* linesOf(file: string): Generator<string> {
  const handle = openSync(file, 'r');
  try {
    const decoder = new StringDecoder('utf8');
    const chunk = Buffer.alloc(CHUNK);
    let rest: string[] = [];
    for (let size = readSync(handle, chunk); size > 0; size = readSync(handle, chunk)) {
      const [first, ...others] = decoder.write(chunk.subarray(0, size)).split('\n');
      rest.push(first!);
      for (const line of others) {
        yield rest.join('');
        rest = [line];
      }
    }
    const last = rest.join('') + decoder.end();
    if (last !== '') yield last;
  } finally {
    closeSync(handle);
  }
}
