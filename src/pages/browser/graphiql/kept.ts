/**
 * What this page keeps in localStorage, shared by all windows: a session for each username, ids and tokens by name, and
 * the number in this browser's two usernames. With GraphiQL's prefix, the button "Clear data" deletes it all.
 */

export const KEPT = 'graphiql:halfmove';

export interface Session {
  readonly accessToken: string;
  readonly accessTokenExpiresAt: string;
  readonly refreshToken?: string;
}

interface Identified {
  readonly id?: string;
}

/** The parts of payloads that later examples need; a request need not select them. */
interface Payload {
  readonly session?: (Session & { readonly user?: { readonly username?: string } }) | null;
  readonly challenge?: (Identified & { readonly linkToken?: string | null }) | null;
  readonly game?: Identified | null;
  readonly vacation?: Identified | null;
  readonly importedGames?: readonly Identified[];
  readonly personalToken?: Identified;
  readonly application?: Identified;
  readonly secret?: string;
  readonly applicationSecret?: Identified;
  readonly webhook?: Identified;
  readonly pushSubscription?: Identified;
  readonly token?: string;
  readonly plyCount?: number;
  readonly edges?: readonly { readonly node?: Identified }[];
}

/** The data of an answer, by its fields. */
export type Data = Readonly<Record<string, Payload | null>>;

/** The name under which the session of a user is kept, which no other name and no property of an object is. */
export const sessionOf = (username: string): string => `session ${username}`;

export const kept = (): Readonly<Record<string, string | Session>> =>
  JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Record<string, string | Session>;

/** Usernames are unique, so each browser has its own "ann" and "ben". */
export const playersNumber =
  (kept()['playersNumber'] as string | undefined) ?? String(Math.random()).slice(2, 8);

export const keep = (more: object): void =>
  localStorage.setItem(KEPT, JSON.stringify({ ...kept(), playersNumber, ...more }));

function rememberSession(payload: Payload | null): void {
  if (!payload?.session) return;
  const { user, ...session } = payload.session;
  if (!user?.username || !session.accessToken) return;
  keep({ [sessionOf(user.username)]: session, refreshToken: session.refreshToken });
}

/** Keeps what later examples need of an answer. */
export function remember(data: Data | null | undefined): void {
  Object.values(data ?? {}).forEach(rememberSession);
  const { challenge } = data?.createChallenge ?? data?.counterChallenge ?? data?.createSeek ?? {};
  const { game } = data?.acceptChallenge ?? data?.offerRematch ?? {};
  const news = {
    gameId: (challenge ?? game)?.id,
    linkToken: challenge?.linkToken,
    rematchId: data?.offerRematch?.challenge?.id,
    vacationId: data?.planVacation?.vacation?.id,
    importId: data?.importGames?.importedGames?.[0]?.id,
    tokenId: data?.createToken?.personalToken?.id,
    applicationId: data?.createApplication?.application?.id,
    applicationSecret: data?.createApplication?.secret,
    app: data?.createApplicationToken?.token,
    secretId: data?.createApplicationSecret?.applicationSecret?.id,
    webhookId: data?.createWebhook?.webhook?.id,
    pushId: data?.savePushSubscription?.pushSubscription?.id,
    sessionId: (data?.mySessions as unknown as readonly Identified[] | undefined)?.[0]?.id,
    eventId: data?.myEvents?.edges?.[0]?.node?.id,
    gameEventId: data?.gameEvents?.edges?.[0]?.node?.id,
    publicEventId: data?.publicEvents?.edges?.[0]?.node?.id,
  };
  keep(Object.fromEntries(Object.entries(news).filter(([, value]) => value)));
}
