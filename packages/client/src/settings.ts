import { HOLDERS, POSSIBLE_TYPES, SCALARS } from './generated/schema.js';

/** Settings for Apollo Client, urql, Relay and GraphQL Code Generator, made for the schema of this version. */

type Fields = Readonly<Record<string, unknown>>;

const eachOf = <T>(types: readonly string[], setting: (type: string) => T): Record<string, T> =>
  Object.fromEntries(types.map((type) => [type, setting(type)]));

/** The types that are one thing wherever they occur, each with the field that tells which. */
const KEYS: Readonly<Record<string, string>> = {
  ...eachOf(POSSIBLE_TYPES.Node, () => 'id'),
  // What is only read in its list is no Node.
  Application: 'id',
  ApplicationName: 'id',
  ApplicationSecret: 'id',
  ApplicationSite: 'id',
  Event: 'id',
  GameEvent: 'hash',
  ManagedPlayer: 'id',
  Message: 'id',
  Notification: 'id',
  OpenedSession: 'id',
  OwnMessage: 'id',
  OwnPlayer: 'id',
  PersonalToken: 'id',
  PushSubscription: 'id',
  Session: 'id',
  Ply: 'hash',
  Vacation: 'id',
  Webhook: 'id',
  WebhookDelivery: 'id',
};

/** The types that are only a part of what holds them; an `id` in one (Change, ConditionalMove, LobbyChange) is not its own. */
const PARTS: readonly string[] = [
  ...[
    'Account',
    'ActTerms',
    'AllowedAct',
    'AllowedClaim',
    'AnalysedPly',
    'ApplicationUsage',
    'Analysis',
    'Bank',
    'Board',
    'BoardSize',
  ],
  ...['BoardSquare', 'Chances', 'Change', 'Changes', 'ClientSeeds', 'Clocks', 'ConditionalMove', 'Deadline'],
  ...['DeadlineSegment', 'DealProof', 'ExpectedScore', 'ExplainedErrorCode', 'Explorer', 'ExplorerMove'],
  ...['FaceDownCount', 'Fairness', 'GameCounts', 'GamePlayer', 'GameViewer', 'HeadToHead', 'ImportedPlayers'],
  ...['ImportedPly', 'InboxItem', 'LeaderboardPlace', 'LegalMove', 'LengthTally', 'Lengths', 'LobbyChange'],
  ...[
    'NewsChoices',
    'NewsSettings',
    'Notation',
    'Offer',
    'Offers',
    'Opponent',
    'Outcome',
    'OwnGame',
    'PaceTally',
    'PerMove',
    'Piece',
    'PlayerClock',
  ],
  ...['PoolRating', 'Rating', 'RatingBin', 'RatingChange', 'RatingChanges', 'RatingDistribution'],
  ...['RatingPoint', 'RatingRange', 'ReasonTally', 'RulesetOption', 'RulesetTally', 'Setup'],
  ...[
    'SeatTally',
    'Server',
    'Statistics',
    'Takeback',
    'Tally',
    'TimeControl',
    'TimeUsed',
    'Untimed',
    'VacationYear',
  ],
  ...['Vacations', ...HOLDERS],
];

/** Where the field is not selected, it is unknown which ply it is: then another one replaces it. */
const knownByHash = {
  keyFields: ({ hash }: Fields): ['hash'] | false => (hash === undefined ? false : ['hash']),
  merge: false,
};

const byHash = Object.keys(KEYS).filter((type) => KEYS[type] === 'hash');

/** For Apollo Client: `new InMemoryCache(apollo)`. It knows types with an `id` by itself. */
export const apollo = {
  possibleTypes: { ...POSSIBLE_TYPES },
  typePolicies: {
    ...eachOf(PARTS, () => ({ keyFields: false as const, merge: true })),
    ...eachOf(byHash, () => knownByHash),
  },
};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** For urql: `cacheExchange(urql)` of `@urql/exchange-graphcache`. */
export const urql = {
  keys: {
    ...eachOf(PARTS, () => () => null),
    ...eachOf(Object.keys(KEYS), (type) => (data: Fields) => textOf(data[KEYS[type]!])),
  },
};

/** For GraphQL Code Generator, as part of its `config`: the TypeScript types of the scalars. */
export const codegen = { scalars: SCALARS };

/** For Relay: part of relay.config. */
export const relay = {
  schemaConfig: { nodeInterfaceIdField: 'nodeId', nodeInterfaceIdVariableName: 'nodeId' },
  customScalarTypes: SCALARS,
};

/** For Relay: `new Environment({ getDataID, ... })`. */
export const getDataID = ({ nodeId }: Fields): string | null => textOf(nodeId);
