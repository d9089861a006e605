import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply } from 'fastify';
import { Kind, type OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.js';
import { cacheBytes } from '../platform/process/cache-sizes.js';

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

interface Answer {
  readonly mediaType: string;
  readonly text: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

const ABOUT_SCHEMA = new Set(['__schema', '__type', '__typename']);

/** Shorter answers are made quickly, and never compressed. */
export const LEAST_KEPT = 1024;

/** Whether the operation asks for nothing but the schema, and has no variables: its answer never changes. */
export const isAboutSchema = ({ selectionSet, variableDefinitions = [] }: OperationDefinitionNode): boolean =>
  variableDefinitions.length === 0 &&
  selectionSet.selections.every((each) => each.kind === Kind.FIELD && ABOUT_SCHEMA.has(each.name.value));

/** Answers about the schema itself, which take up to 200 ms to make, as they are sent. */
export class SchemaAnswers {
  private readonly answers: LRUCache<string, Answer>;

  constructor(config: Pick<Config, 'cacheMb'>) {
    this.answers = new LRUCache({
      maxSize: cacheBytes(config, 'schemaAnswers'),
      sizeCalculation: ({ text, br, gzip: gz }, key) => key.length + text.length + br.length + gz.length,
    });
  }

  async keep(key: string, mediaType: string, written: string): Promise<void> {
    const text = Buffer.from(written);
    const [br, gz] = await Promise.all([promisify(brotliCompress)(text, BROTLI), promisify(gzip)(text)]);
    this.answers.set(key, { mediaType, text, br, gzip: gz });
  }

  /** The answer that is kept, in an encoding that the client accepts; null if there is none. */
  send(key: string, reply: FastifyReply): Buffer | null {
    const kept = this.answers.get(key);
    if (kept === undefined) return null;
    const accepted = negotiate(reply.request.headers['accept-encoding'] ?? '', ['br', 'gzip']);
    void reply.header('content-type', kept.mediaType);
    if (accepted === null) return kept.text;
    void reply.headers({ 'content-encoding': accepted, vary: 'accept-encoding' });
    return kept[accepted];
  }
}
