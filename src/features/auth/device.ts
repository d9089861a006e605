import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Quotas, quotasOf, type Counted } from '../../platform/limits/quotas.js';
import { requestOf } from './principal.js';

/** Where a request comes from. */
export interface ClientOf extends Counted {
  /** In words that its user knows again. */
  readonly device: string;
}

/** The client of a request; its address behind a proxy only with TRUST_PROXY. */
export const OfClient = createParamDecorator((_: unknown, context: ExecutionContext): ClientOf => {
  const request = requestOf(context);
  return {
    address: request?.ip ?? '',
    device: deviceOf(request?.headers['user-agent']),
    quotas: told(context),
  };
});

/** What the answer of a request tells of limits. */
export const OfQuotas = createParamDecorator((_: unknown, context: ExecutionContext) => told(context));

function told(context: ExecutionContext): Quotas {
  const request = requestOf(context);
  return request === null ? new Quotas() : quotasOf(request);
}

const MOST = 60;

/** The first that is named counts: most browsers also name others. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.* Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstIn = (agent: string, names: readonly (readonly [RegExp, string])[]): string | undefined =>
  names.find(([pattern]) => pattern.test(agent))?.[1];

/** `Firefox on Linux`, or the first product that a program names, as `curl/8.5.0`; empty for what says nothing. */
export function deviceOf(agent: string | undefined): string {
  if (agent === undefined) return '';
  const [browser, system] = [firstIn(agent, BROWSERS), firstIn(agent, SYSTEMS)];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  // What a client sends is shown to its user alone, and is text, not markup.
  const product = /^[\w.@/+-]+/.exec(agent)?.[0] ?? '';
  return product.slice(0, MOST);
}
