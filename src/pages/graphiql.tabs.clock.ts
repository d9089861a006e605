import {
  acceptChallenge,
  act,
  createChallenge,
  GAME_ID,
  IN_A_WEEK,
  look,
  OF_GAME,
  tab,
  THREE_DAYS,
  VACATION_ID,
  type StarterTab,
} from './graphiql.tab.js';

/** Time: banks, deadlines, given time, pauses, vacations, and turns that run out. */

const DAY = 86_400;
const BANK = { type: 'bank', initial: THREE_DAYS, increment: DAY, cap: 7 * DAY };
const MINUTE = { type: 'perMove', seconds: 60 };

const CLOCKS = `status
turn
clocks {
  first { remaining running onVacationUntil }
  second { remaining running onVacationUntil }
}
deadline {
  at
  explain { kind from until seconds }
  abandonableAt
}`;

const OFFERED = `status
rated
timeControl { type seconds initial increment cap noVacation }`;

const annOffersBank = createChallenge(
  'annOffersBank',
  `# How a game runs, from here on tab by tab. Ann
# invites Ben with a bank: three days to begin
# with, a day more with each move, never above
# seven. The other kinds: perMove with seconds,
# none.`,
  OFFERED,
);

const WHY = `# When the turn runs out and why: explain has
# where it began, what it had, and what moved the
# deadline. The seconds of all add up to it.`;

const invite = (ben: string, timeControl: object) => ({
  input: { ruleset: 'chess', opponent: ben, side: 'first', timeControl },
});

export const bank = (ann: string, ben: string): readonly StarterTab[] => [
  tab(annOffersBank, invite(ben, BANK), ann),
  tab(
    acceptChallenge('benAcceptsBank', '# Ben takes it up. From here on it is {{gameId}}.'),
    { input: { id: GAME_ID } },
    ben,
  ),
  tab(look('deadline', WHY, CLOCKS), OF_GAME, ann),
];

const giveTime = `
# Ann is to move and Ben waits: he gives her more
# time, here what a move adds to the bank. Once in
# a turn: ply is its number, and sent again it
# gives nothing more.
mutation benGivesTime($gameId: ID!, $ply: Int!) {
  giveTime(gameId: $gameId, ply: $ply) {
    clocks { first { remaining } }
    deadline { at explain { kind seconds } }
  }
}
`;

export const givenTime = (ben: string): readonly StarterTab[] => [
  tab(giveTime, { gameId: GAME_ID, ply: 3 }, ben),
];

const PAUSED = `status
deadlineAt
resumesAt
offers { pause { by at } }`;

export const pause = (ann: string, ben: string): readonly StarterTab[] => [
  tab(act('annAsksForPause', '# A pause wants both players. Ann asks.', 'offerPause', PAUSED), OF_GAME, ann),
  tab(
    act(
      'benPauses',
      `# Ben agrees: the clocks stand still, nobody
# moves. To say no put declinePause in place of
# acceptPause.`,
      'acceptPause',
      PAUSED,
    ),
    OF_GAME,
    ben,
  ),
  tab(
    act(
      'annUnpauses',
      `# Ann gives notice: play goes on after 24 hours,
# at resumesAt.`,
      'unpause',
      PAUSED,
    ),
    OF_GAME,
    ann,
  ),
  tab(
    act('benUnpauses', '# When Ben gives notice too, it goes on at once.', 'unpause', PAUSED),
    OF_GAME,
    ben,
  ),
];

const planVacation = (tabName: string, comment: string) => `
${comment}
mutation ${tabName}($startsAt: DateTime, $days: Int!) {
  planVacation(startsAt: $startsAt, days: $days) {
    id
    status
    startsAt
    endsAt
    days
  }
}
`;

const endVacation = (tabName: string, comment: string) => `
${comment}
mutation ${tabName}($id: ID!) {
  endVacation(id: $id) {
    status
    endsAt
    days
  }
}
`;

const myVacations = `
# Ann's vacations, and the days that she has left.
query annVacations {
  myVacations {
    current { id endsAt }
    vacations { id status startsAt endsAt days }
    years { year used left }
  }
}
`;

const abandoned = act(
  'benClaimsAbandoned',
  `# In a game without a time control in which nobody
# has moved for 30 days, whoever waits may end it.
# This one has a clock, so that the answer is the
# error NOT_ABANDONED.`,
  'claimAbandoned',
  'outcome { winner reason }',
);

export const away = (ann: string, ben: string): readonly StarterTab[] => [
  tab(
    planVacation(
      'annGoesAway',
      `# Ann is on vacation for two days from now on. Her
# clocks stand still where she is to move.`,
    ),
    { startsAt: null, days: 2 },
    ann,
  ),
  tab(
    look(
      'benSeesVacation',
      `# Ben sees it, and how the deadline has moved.
# With noVacation in the time control it would not
# have.`,
      CLOCKS,
    ),
    OF_GAME,
    ben,
  ),
  tab(endVacation('annComesBack', '# Back early: the days that have begun count.'), { id: VACATION_ID }, ann),
  tab(
    planVacation('annPlansAhead', '# The next one is planned: seven days, in a week.'),
    { startsAt: IN_A_WEEK, days: 7 },
    ann,
  ),
  tab(myVacations, undefined, ann),
  tab(endVacation('annCallsOff', '# Called off before its start: no day counts.'), { id: VACATION_ID }, ann),
  tab(abandoned, OF_GAME, ben),
];

const minute = createChallenge(
  'annOffersMinute',
  `# To see how time runs out: a minute for each move.`,
  OFFERED,
);

const RAN_OUT = `# Wait a minute and run this: over by timeout, as
# of the deadline itself (at of flag and end),
# with a reminder at 80 %. A move is too late by
# then.`;

export const timeout = (ann: string, ben: string): readonly StarterTab[] => [
  tab(minute, invite(ben, MINUTE), ann),
  tab(
    acceptChallenge('benAcceptsMinute', "# Ben takes it up: Ann's minute begins."),
    { input: { id: GAME_ID } },
    ben,
  ),
  tab(
    look(
      'afterAMinute',
      RAN_OUT,
      `status
deadlineAt
outcome { winner reason }
endedAt
events { type player at }`,
    ),
    OF_GAME,
    ann,
  ),
];
