/** What the starter tabs of GraphiQL are made of. */

/** A tab as GraphiQL takes it: three editors, each with its text. */
export interface StarterTab {
  readonly query: string;
  readonly variables?: string;
  readonly headers?: string;
}

type Variables = Readonly<Record<string, unknown>>;

/** What the page fills in: see graphiql.script.ts. */
export const GAME_ID = '{{gameId}}';
export const LINK_TOKEN = '{{linkToken}}';
export const REMATCH_ID = '{{rematchId}}';
export const VACATION_ID = '{{vacationId}}';
export const IN_A_WEEK = '{{inAWeek}}';

export const OF_GAME = { gameId: GAME_ID };
export const THREE_DAYS = 259_200;

export function tab(query: string, variables?: Variables, user?: string): StarterTab {
  const headers = user === undefined ? undefined : { Authorization: `Bearer {{${user}}}` };
  return {
    query: query.trimStart(),
    ...(variables && { variables: JSON.stringify(variables, null, 2) }),
    ...(headers && { headers: JSON.stringify(headers, null, 2) }),
  };
}

export const createChallenge = (tabName: string, comment: string, fields: string): string => `
${comment}
mutation ${tabName}($input: CreateChallengeMutationInput!) {
  createChallenge(input: $input) {
    id
${indented(fields, 4)}
  }
}
`;

export const acceptChallenge = (
  tabName: string,
  comment: string,
  fields = 'status\nyou\nturn\nposition\ndeadlineAt',
): string => `
${comment}
mutation ${tabName}($input: AcceptChallengeInput!) {
  acceptChallenge(input: $input) {
    id
${indented(fields, 4)}
  }
}
`;

export const makeMove = (tabName: string, comment: string, fields: string): string => `
${comment}
mutation ${tabName}($input: MakeMoveInput!) {
  makeMove(input: $input) {
${indented(fields, 4)}
  }
}
`;

/** An act for which the game is all that has to be said. */
export const act = (tabName: string, comment: string, name: string, fields: string): string => `
${comment}
mutation ${tabName}($gameId: ID!) {
  ${name}(gameId: $gameId) {
${indented(fields, 4)}
  }
}
`;

/** The game, as somebody sees it. */
export const look = (tabName: string, comment: string, fields: string): string => `
${comment}
query ${tabName}($gameId: ID!) {
  game(id: $gameId) {
${indented(fields, 4)}
  }
}
`;

const indented = (fields: string, spaces: number): string => fields.replaceAll(/^/gm, ' '.repeat(spaces));
