import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { buildSchema, getOperationAST, type OperationDefinitionNode, parse, validate } from 'graphql';
import { readExamples } from '../../src/pages/examples.js';
import { Time } from '../../src/platform/process/time.js';
import { Referee } from '../../src/features/games/referee.js';
import { openPage } from '../support/graphiql.js';
import { SHARED_SETTINGS, startServer, type TestServer } from '../support/server.js';
import { stopTime } from '../support/stopped-time.js';
import { toRestSpelling } from '../support/enum-spelling.js';
import type { Json } from '../support/transport.js';

/** The files of examples/: each of them runs, and together they cover the API. */

const groups = readExamples();
const examples = groups.flatMap((group) => group.examples);
const operationOf = ({ query }: { query: string }): OperationDefinitionNode => getOperationAST(parse(query))!;

let server: TestServer;
beforeAll(async () => {
  // A server of its own: all users share the lobby and the leaderboards.
  server = await startServer(SHARED_SETTINGS);
});
afterAll(() => server.close());

describe('the operations', () => {
  const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));

  it('are valid for the schema', () => {
    for (const { name, query } of examples)
      expect([name, validate(schema, parse(query))]).toEqual([name, []]);
  });

  it('have one operation per file, of the same name', () => {
    const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const files = readdirSync('examples', { recursive: true, encoding: 'utf8' });
    const names = files.filter((file) => file.endsWith('.graphql')).sort();
    expect(names.map((name) => name.replace(/^.*\/\d+-(.*)\.graphql$/, '$1'))).toEqual(
      examples.map((example) => kebab(operationOf(example).name!.value)),
    );
    expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length);
  });

  it('are named after who does what', () => {
    for (const { name, headers } of examples) {
      const by = /\{\{(\w+)\}\}/.exec(headers ?? '')?.[1];
      expect(name).toMatch(by === undefined ? /^(ann|ben|anyone)[A-Z]/ : new RegExp(`^${by}[A-Z]`));
    }
  });

  it('begin with a title, and fit the editor in a window 1280 wide', () => {
    expect(examples.filter(({ query }) => !/^# .{4,30}\n#\n# \S/.test(query))).toEqual([]);
    const comments = examples.flatMap(({ query }) => query.match(/^#.*$/gm) ?? []);
    expect(comments.filter((line) => line.length > 44)).toEqual([]);
  });

  it('have at most six tabs in their first group', () => {
    expect(groups[0]!.examples.length).toBeLessThanOrEqual(6);
  });

  it.each(['Query', 'Mutation', 'Subscription'])('select every field of %s', (type) => {
    const selections = examples.flatMap((example) => operationOf(example).selectionSet.selections);
    const shown = new Set(selections.map((selection) => 'name' in selection && selection.name.value));
    const fields = Object.keys((schema.getType(type) as Json).getFields() as object);
    expect(fields.filter((field) => !shown.has(field))).toEqual([]);
  });
});

describe('the operations, run one after the other as in GraphiQL,', () => {
  const answers: Record<string, Json> = {};
  const refused: Record<string, string> = {};

  beforeAll(async () => {
    const { run } = await openPage(server);
    for (const { name, query } of examples) {
      const { data, errors } = await (name === 'annLosesOnTime' ? aMinuteLater(() => run(name)) : run(name));
      const announced = /\berror\s+(?:# )?([A-Z][A-Z_]{3,})/.exec(query)?.[1];
      expect([name, errors?.[0].extensions?.code ?? errors]).toEqual([name, announced]);
      answers[name] = toRestSpelling(query, data);
      if (announced !== undefined) refused[announced] = errors[0].message;
    }
  });

  /** Runs the sweep first, since the reminder is due. */
  async function aMinuteLater(run: () => Promise<Json>): Promise<Json> {
    const time = stopTime(server.app);
    time.forward(50_000);
    await server.app.get(Referee).sweep();
    time.forward(16_000);
    return run().finally(() => Reflect.deleteProperty(server.app.get(Time), 'now'));
  }

  const movesIn = (game: Json): Json[] => game.moves.edges.map(({ node }: Json) => node);

  it('play a first game', () => {
    expect(answers['anyoneLooks'].rulesets.map(({ id }: Json) => id)).toContain('banqi-hongkong');
    expect(answers['benReads'].challenges.edges).toHaveLength(1);
    expect(answers['annLooks'].game.viewer.legalMoves).toHaveLength(19);
    expect(answers['benLooks'].game.viewer.legalMoves).toHaveLength(20);
    expect(answers['benMoves'].makeMove.game).toMatchObject({ plyCount: 2, turn: 'first' });
    expect(answers['anyoneAnalyses'].analyse.plies.map(({ san }: Json) => san)).toEqual([
      'Rd7',
      'Kf8',
      'Rd8+',
    ]);
    expect(movesIn(answers['anyoneReadsGame'].game).map(({ san }) => san)).toEqual(['f3', 'e5']);
    expect(answers['benResigns'].resign.game.outcome).toEqual({ winner: 'first', reason: 'resignation' });
    expect(answers['benAcceptsByLink'].acceptChallenge.game.position).toMatch(/^xxxx\//);
    expect(answers['annAborts'].abort.game.status).toBe('aborted');
  });

  it('answer challenges in every way', () => {
    expect(answers['benReadsOne'].challenge.ruleset).toEqual({ name: expect.stringMatching(/^Xiangqi/) });
    expect(answers['benCounters'].counterChallenge.challenge.counterTo).toBe(
      answers['annOffersXiangqi'].createChallenge.challenge.id,
    );
    expect(answers['annDeclines'].declineChallenge.challenge).toMatchObject({ declineReason: 'timeControl' });
    expect(answers['benAcceptsSeed'].acceptChallenge.game).toMatchObject({
      fairness: { awaitingSeed: true, creatorSeed: 'sealed', accepterSeed: 'given' },
    });
    expect(answers['annGivesSeed'].giveClientSeed).toMatchObject({
      challenge: { status: 'accepted' },
      game: {
        status: 'active',
        turn: 'first',
        fairness: { clientSeeds: { first: expect.stringMatching(/^[0-9a-f]{32}$/) } },
      },
    });
    expect(answers['annCancels'].cancelChallenge.challenge.status).toBe('cancelled');
    expect(answers['anyoneFindsOpponents'].users.length).toBeGreaterThan(0);
  });

  it('try each rule of the clocks', () => {
    const { outcome, endedAt, events: log } = answers['annLosesOnTime'].game;
    const events = log.edges.map(({ node }: Json) => node);
    expect(outcome).toEqual({ winner: 'second', reason: 'timeout' });
    expect(events.map(({ type }: Json) => type)).toContain('reminder');
    expect(events.slice(-2).map(({ at }: Json) => at)).toEqual([endedAt, endedAt]);
    const { deadline, clocks } = answers['annReadsDeadline'].game;
    expect(deadline.explain.map(({ kind }: Json) => kind)).toEqual(['turnStarted', 'allowance']);
    expect(clocks.second).toEqual({ remaining: 259_200, running: false, onVacationUntil: null });
    const { explain } = answers['benGivesTime'].giveTime.game.deadline;
    expect(explain).toContainEqual({ kind: 'given', seconds: 86_400 });
    expect(answers['benPauses'].acceptPause.game).toMatchObject({ status: 'paused', deadlineAt: null });
    expect(answers['annDeclinesPause'].declinePause.game.offers.pause).toBeNull();
    expect(answers['annUnpauses'].unpause.game).toMatchObject({ status: 'paused' });
    expect(answers['annUnpauses'].unpause.game.resumesAt).not.toBeNull();
    expect(answers['benUnpauses'].unpause.game).toMatchObject({ status: 'active', resumesAt: null });
    expect(answers['annGoesAway'].planVacation.vacation).toMatchObject({ status: 'running', days: 2 });
    const seen = answers['benSeesVacation'].game;
    expect(seen.clocks.first.onVacationUntil).toBe(answers['annGoesAway'].planVacation.vacation.endsAt);
    expect(seen.deadline.explain.map(({ kind }: Json) => kind)).toContain('vacation');
    expect(answers['annComesBack'].endVacation.vacation).toMatchObject({ status: 'over', days: 1 });
    expect(answers['annPlansAhead'].planVacation.vacation).toMatchObject({ status: 'planned', days: 7 });
    expect(answers['annVacations'].myVacations.items).toHaveLength(2);
    expect(answers['annCallsOff'].endVacation.vacation).toMatchObject({ status: 'calledOff', days: 0 });
    expect(answers['annDeclinesTime'].declineTimeRequest.game.offers.time).toBeNull();
    expect(answers['benAsksAgain'].requestTime.game.offers.time).toMatchObject({ by: 'second' });
    const granted = answers['annGrantsTime'].acceptTimeRequest.game;
    expect(granted.deadline.explain).toContainEqual({ kind: 'given', seconds: expect.any(Number) });
    expect(refused['NOT_ABANDONED']).toContain('time control');
  });

  it('try each rule of offers, claims and plans', () => {
    expect(answers['benReadsPlan'].game.viewer.conditionalMoves).toHaveLength(3);
    expect(answers['annIsAnswered'].makeMove).toMatchObject({
      ply: { ply: 1, player: 'first', san: 'e4', automatic: false },
      automatic: [{ ply: 2, player: 'second', san: 'e5', automatic: true }],
    });
    expect(answers['benClearsPlan'].clearConditionalMoves.conditionalMoves).toBeNull();
    expect(answers['annOffersDraw'].makeMove.game.offers.draw.by).toBe('first');
    expect(answers['benDeclinesDraw'].declineDraw.game.offers).toMatchObject({
      draw: null,
      firstMustMove: 10,
    });
    expect(answers['benAsksTakeback'].offerTakeback.game.offers.takeback).toMatchObject({ by: 'second' });
    expect(answers['annDeclinesTakeback'].declineTakeback.game.offers.takeback).toBeNull();
    expect(answers['annAsksTakeback'].offerTakeback.game.offers.takeback).toMatchObject({
      by: 'first',
      ply: 2,
    });
    expect(answers['benAllowsTakeback'].acceptTakeback.game).toMatchObject({ plyCount: 2, turn: 'first' });
    expect(
      movesIn(answers['benAllowsTakeback'].acceptTakeback.game).map(({ takenBack }) => takenBack),
    ).toEqual([false, false, true]);
    expect(refused['CLAIM_NOT_MET']).toMatch(/once.* three occurrences/);
    expect(answers['annAcceptsDraw'].acceptDraw.game.outcome).toEqual({ winner: null, reason: 'agreement' });
    expect(answers['annOffersRematch'].offerRematch.challenge).toMatchObject({
      status: 'open',
      seat: 'second',
    });
    expect(answers['benAcceptsRematch'].acceptChallenge.game).toMatchObject({
      viewer: { seat: 'first' },
      turn: 'first',
    });
    expect(answers['benGoesToAndFro'].ply7.game).toEqual({ plyCount: 7, turn: 'second' });
    const warned = answers['annIsWarned'].game.viewer.legalMoves.filter(
      ({ warning }: Json) => warning !== null,
    );
    const outcome = { winner: null, reason: 'threefoldRepetition' };
    expect(warned).toEqual([{ move: 'f6g8', san: 'Ng8', warning: outcome }]);
    expect(answers['annClaims'].claimDraw).toEqual({
      game: { status: 'finished', outcome },
      ply: { ply: 8, san: 'Ng8' },
    });
  });

  it('show the inbox and what players write', () => {
    expect(answers['benInbox'].inbox.edges).toMatchObject([{ node: { kind: 'challenge' } }]);
    expect(answers['benGames'].myGames.counts).toEqual({ toMove: 2, waiting: 2, offers: 0 });
    const news = answers['benNews'].notifications.edges.map(({ node }: Json) => node.type);
    expect(news).toEqual(expect.arrayContaining(['yourTurn', 'conditionalPlayed']));
    expect(answers['benHasReadNews'].markNotificationsRead.marked).toBeGreaterThanOrEqual(1);
    expect(answers['annChoosesNews'].updateNewsSettings.newsSettings).toMatchObject({ quietFrom: 22 });
    const { pushSubscription } = answers['annIsToldByPush'].savePushSubscription;
    expect(pushSubscription).toMatchObject({ service: 'push.example', isCurrent: true });
    expect(answers['annStopsPush'].deletePushSubscription.deletedId).toBe(pushSubscription.id);
    expect(answers['annSeesNewsSettings'].newsSettings).toMatchObject({
      mail: { yourTurn: 'atOnce', reminder: 'atOnce', message: 'never' },
      mailState: 'noAddress',
    });
    const messages = answers['benReadsMessages'].game.viewer.messages.edges;
    expect(messages.map(({ node }: Json) => node.text)).toEqual(['Good luck!']);
    expect(answers['benMutes'].muteOpponent.muted).toBe(true);
    expect(answers['annNotes'].setNote.note).toBe('He likes open games.');
    expect(answers['annReadsBlocks'].blockedUsers.edges).toEqual([
      { node: answers['annBlocks'].blockUser.user },
    ]);
    expect(answers['annUnblocks'].unblockUser.user).toEqual(answers['annBlocks'].blockUser.user);
  });

  it('find an opponent, rate a game and search for it', () => {
    const { challenge, game } = answers['annSeeks'].createSeek;
    const { id: gameId } = challenge;
    expect([challenge.status, game]).toEqual(['open', null]);
    expect(answers['anyoneReadsLobby'].lobby.edges).toMatchObject([{ node: { id: gameId } }]);
    expect(answers['benTakesSeek'].acceptChallenge.game).toMatchObject({
      id: gameId,
      turn: 'first',
      rated: true,
    });
    const { unrated, ratingChanges } = answers['benResignsRated'].resign.game;
    expect([unrated, ratingChanges.first.before]).toEqual([null, 1500]);
    const { user, ratingHistory } = answers['annRatings'];
    expect(user.ratings).toMatchObject([{ rating: ratingChanges.first.after, wins: 1 }]);
    expect(ratingHistory.edges).toMatchObject([{ node: { gameId } }]);
    expect(answers['anyoneReadsPool'].expectedScore.score).toBeGreaterThan(0.5);
    const { edges } = answers['anyoneSearches'].games;
    expect(edges).toContainEqual({ node: expect.objectContaining({ id: gameId, rated: true }) });
    expect(answers['annStatistics'].headToHead.all.wins).toBe(edges.length);
    expect(answers['annImports'].importGames.importedGames).toMatchObject([
      { outcome: { reason: 'checkmate' }, plyCount: 4 },
    ]);
    expect(answers['annChanges'].changes.items.length).toBeGreaterThan(9);
  });

  it('manage an account, and close it', () => {
    expect(answers['annReadsImport'].importedGame.moves.edges).toHaveLength(4);
    expect(answers['annDeletesImport'].deleteImportedGame.deletedId).toBe(
      answers['annImports'].importGames.importedGames[0].id,
    );
    expect(answers['annUpdatesProfile'].updateProfile.user.challengesWithin).toBe(300);
    expect(answers['annSeesSessions'].mySessions[0]).toMatchObject({ isCurrent: true });
    expect(answers['annEndsSession'].endSession.ended).toBe(1);
    expect(answers['annChangesPassword'].changePassword.ended).toBe(0);
    expect(answers['annMakesToken'].createToken.token).toMatch(/^hm_\w{43}$/);
    expect(answers['annSeesTokens'].myTokens).toHaveLength(1);
    expect(answers['annDeletesToken'].deleteToken.ended).toBe(1);
    const { account } = answers['annGivesEmail'].changeEmail;
    expect(account).toMatchObject({
      email: null,
      pendingEmail: expect.stringMatching(/^ann\d+@example\.org$/) as string,
    });
    expect(answers['annReadsAccount'].myAccount).toEqual(account);
    expect(answers['anyonePlaysAsGuest'].createGuest.session.user.guest).toBe(true);
    expect(refused['FORBIDDEN']).toContain('Only a guest can claim');
    expect(refused['INVALID_LINK']).toContain('Ask for a new one');
    expect(answers['anyoneReadsServer'].server.recovery).toBe('operator');
    expect(answers['annForgetsPassword'].requestRecovery.accepted).toBe(true);
    expect(answers['annMakesWebhook'].createWebhook.secret).toMatch(/^whsec_/);
    expect(answers['annTestsWebhook'].testWebhook.delivery).toMatchObject({ type: 'test', waiting: true });
    expect(answers['annSeesDeliveries'].webhookDeliveries.edges).toHaveLength(1);
    expect([0, 1]).toContain(answers['annSendsAgain'].redeliverWebhook.asked);
    expect(answers['annReplacesHookSecret'].replaceWebhookSecret.secret).toMatch(/^whsec_/);
    expect(answers['annSwitchesWebhookOff'].updateWebhook.webhook.offReason).toBe('switchedOff');
    expect(answers['annSeesWebhooks'].myWebhooks).toMatchObject([
      { on: false, url: 'https://hooks.example/halfmove' },
    ]);
    expect(answers['annDeletesWebhook'].deleteWebhook.deletedId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answers['annTurnsChatOff'].updateApplication.application.chat).toBe(false);
    expect(answers['annMakesSecret'].createApplicationSecret.secret).toHaveLength(43);
    expect(answers['annDeletesSecret'].deleteApplicationSecret.application.secrets).toHaveLength(1);
    expect(answers['annAddsOwner'].addApplicationOwner.application.owners).toHaveLength(2);
    expect(answers['annRemovesOwner'].removeApplicationOwner.application.owners).toHaveLength(1);
    expect(answers['appSavesPlayers'].savePlayers.players).toHaveLength(2);
    expect(answers['appReadsPlayers'].ownPlayers.edges).toHaveLength(3);
    expect(answers['appReadsGames'].ownGames.edges[0].node.externalId).toBe('round-1-board-1');
    expect(answers['appReadsEvents'].ownEvents.edges).toMatchObject([{ node: { type: 'accept' } }, { node: { type: 'start' } }]); // prettier-ignore
    expect(answers['appReadsMessages'].ownMessages.edges).toEqual([]);
    expect(answers['appMakesClaimLink'].createClaimLink.url).toContain('/claim#');
    expect(answers['appReadsItself'].application.usage.players).toBe(0);
    expect(answers['annEndsOthers'].endSessions.ended).toBe(0);
    expect(answers['benClosesAccount'].closeAccount.user.closed).toBe(true);
  });
});

describe('the scripts', () => {
  // Developers may not have these tools; CI has them.
  const hasTools = ['bash', 'curl', 'jq'].every((tool) => spawnSync(tool, ['--version']).status === 0);
  const scripts = readdirSync('examples/rest').filter((file) => file.endsWith('.sh'));

  (hasTools ? it : it.skip).each(scripts)('run to their end: %s', async (file) => {
    const env = { PATH: process.env['PATH'], HALFMOVE_URL: server.url };
    const { stdout } = await promisify(execFile)('bash', [`examples/rest/${file}`], { env });
    expect(stdout).not.toBe('');
  });
});
