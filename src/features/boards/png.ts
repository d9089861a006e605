import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

/** Pixels of four bytes, row by row. */
interface Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Buffer;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const [BITS, RGBA] = [8, 6];

/** A PNG, compressed in another thread: resvg's own encoder would keep all requests waiting for 100 ms at 2048 pixels. */
export async function pngOf({ width, height, pixels }: Raster): Promise<Buffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([BITS, RGBA], 8);
  const data = await promisify(deflate)(rowsOf({ width, height, pixels }));
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** Each row behind the number of its filter: none, which suits areas of one colour. */
function rowsOf({ width, height, pixels }: Raster): Buffer {
  const row = width * 4;
  const rows = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y++) pixels.copy(rows, y * (row + 1) + 1, y * row, (y + 1) * row);
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const made = Buffer.alloc(body.length + 8);
  made.writeUInt32BE(data.length);
  body.copy(made, 4);
  made.writeUInt32BE(crc32(body), body.length + 4);
  return made;
}
