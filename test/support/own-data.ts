import type { LineKind } from '../../src/features/accounts/own-data.lines.js';
import { exported, type Sent } from './exports.js';
import { EXPORTS } from './operations/exports.js';
import type { Body, By, Http } from './transport.js';

/** The export of a user's own data. */

export interface OwnLine {
  readonly kind: LineKind;
  readonly data: Body;
}

export interface OwnFile extends Sent {
  readonly lines: readonly OwnLine[];
  /** The lines of one kind, in order. */
  readonly of: (kind: LineKind) => readonly Body[];
}

/** Reads the export, of the user or of a player of the application, and checks that it is complete. */
export async function ownFile(http: Http, by: By, externalId?: string): Promise<OwnFile> {
  const asked =
    externalId === undefined ? EXPORTS.exportOwnData.rest() : EXPORTS.exportPlayer.rest(externalId);
  const sent = await exported(http, asked, by);
  if (sent.status !== 200 || !sent.text.endsWith('\n')) throw new Error(JSON.stringify(sent));
  const lines = sent.text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as OwnLine);
  return { ...sent, lines, of: (kind) => lines.filter((line) => line.kind === kind).map(({ data }) => data) };
}
