import type { StarterTab } from './graphiql.tab.js';
import { away, bank, givenTime, pause, timeout } from './graphiql.tabs.clock.js';
import { agreement, drawByMove, plans, refusals, rematch } from './graphiql.tabs.conduct.js';
import { desk, lists } from './graphiql.tabs.desk.js';
import { people } from './graphiql.tabs.people.js';
import { start } from './graphiql.tabs.start.js';

/**
 * The tabs that GraphiQL opens with, for two users with these names. A tab has the name of its operation. Each finds
 * what it needs when those before it have been run.
 */
export const starterTabs = (ann: string, ben: string): readonly StarterTab[] => [
  ...start(ann, ben),
  ...bank(ann, ben),
  ...plans(ann, ben),
  ...givenTime(ben),
  ...drawByMove(ann),
  ...lists(ben),
  ...refusals(ann, ben),
  ...pause(ann, ben),
  ...away(ann, ben),
  ...desk(ann, ben),
  ...agreement(ann, ben),
  ...rematch(ann, ben),
  ...people(ann, ben),
  ...timeout(ann, ben),
];
