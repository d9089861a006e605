import { EVENT_DESCRIPTIONS, scopeOfEvent } from '../features/events/event.row.js';
import { NAMES } from '../features/webhooks/message.js';

const BEGIN = '<!-- The types of messages, from src/features/events/event.row.ts. -->';
const END = '<!-- End of the types of messages. -->';

/** docs/webhooks.md with the table of all types of messages. */
export function withMessageTypes(page: string): string {
  const rows = [...NAMES].map(
    ([type, name]) => `| \`${name}\` | ${EVENT_DESCRIPTIONS[type]} | \`${scopeOfEvent(type)}\` |`,
  );
  const table = ['| type | what happened | scope |', '| --- | --- | --- |', ...rows].join('\n');
  return page.replace(new RegExp(`${BEGIN}[^]*${END}`), `${BEGIN}\n\n${table}\n\n${END}`);
}
