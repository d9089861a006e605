import type { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** A text to send as a file. */
export interface TextFile<Content extends string | Readable> {
  readonly content: Content;
  readonly mediaType: string;
  readonly fileName: string;
}

/** The answer of a route that sends a file. */
export function fileOf({ content, mediaType, fileName }: TextFile<string | Readable>): StreamableFile {
  const options = {
    type: mediaType === 'application/json' ? mediaType : `${mediaType}; charset=utf-8`,
    disposition: `attachment; filename="${fileName}"`,
  };
  return typeof content === 'string'
    ? new StreamableFile(Buffer.from(content), options)
    : new StreamableFile(content, options);
}
