/**
 * The permitted acts in each state of a game, written from the rules of play. Each line names acts, then the
 * result for the first and for the second player: `done`, `same` (already done), `planned` (invisible to the
 * opponent), or the code of the refusal. Time requests are covered by time-requests.e2e.test.ts; the random
 * walk checks that no act is missing.
 */

export const ACTS = [
  'move',
  'moveWithOffer',
  'resign',
  'abort',
  'offerDraw',
  'acceptDraw',
  'declineDraw',
  'claimThreefold',
  'claimFifty',
  'offerTakeback',
  'acceptTakeback',
  'declineTakeback',
  'giveTime',
  'offerPause',
  'acceptPause',
  'declinePause',
  'unpause',
  'claimAbandoned',
  'plan',
] as const;
export type ActOfTable = (typeof ACTS)[number];

/** The result of an act for the first and the second player. */
export type Results = readonly [first: string, second: string];
export type Answers = Readonly<Record<ActOfTable, Results>>;

/**
 * Parses lines of results, which override those of another state; throws if an act is unknown or listed
 * twice.
 */
function over(known: Readonly<Record<string, Results>>, text: string): Readonly<Record<string, Results>> {
  const own: Record<string, Results> = {};
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [left = '', second = ''] = line.split('|').map((part) => part.trim());
    const words = left.split(/\s+/);
    for (const act of words.slice(0, -1)) {
      if (!(ACTS as readonly string[]).includes(act) || act in own) throw new Error(`${act} in: ${line}`);
      own[act] = [words.at(-1)!, second];
    }
  }
  return { ...known, ...own };
}

/** The results of a state; throws if an act is missing. */
function answers(known: Readonly<Record<string, Results>>, text = ''): Answers {
  const all = over(known, text);
  const missing = ACTS.filter((act) => all[act] === undefined);
  if (missing.length > 0) throw new Error(`No result for ${missing.join(', ')} in: ${text}`);
  return all;
}

const everything = (code: string): Answers =>
  Object.fromEntries(ACTS.map((act) => [act, [code, code]])) as unknown as Answers;

/** Two plies are played, the first player is to move, and there are no open offers. */
const PLAIN = over(
  {},
  `
  move moveWithOffer          done                 | NOT_YOUR_TURN
  resign                      done                 | done
  abort                       TOO_LATE_TO_ABORT    | TOO_LATE_TO_ABORT
  offerDraw                   done                 | done
  acceptDraw declineDraw      NO_OFFER             | NO_OFFER
  claimThreefold claimFifty   CLAIM_NOT_MET        | NOT_YOUR_TURN
  offerTakeback               done                 | done
  acceptTakeback declineTakeback NO_OFFER          | NO_OFFER
  giveTime                    YOUR_TURN            | done
  offerPause                  done                 | done
  acceptPause declinePause    NO_OFFER             | NO_OFFER
  unpause                     GAME_NOT_PAUSED      | GAME_NOT_PAUSED
  claimAbandoned              NOT_ABANDONED        | NOT_ABANDONED
  plan                        YOUR_TURN            | planned`,
);

const FRESH = over(
  PLAIN,
  `
  moveWithOffer               TOO_EARLY_TO_OFFER   | NOT_YOUR_TURN
  abort                       done                 | done
  offerDraw                   TOO_EARLY_TO_OFFER   | TOO_EARLY_TO_OFFER
  offerTakeback               NOTHING_TO_TAKE_BACK | NOTHING_TO_TAKE_BACK`,
);

const PAUSED = over(
  PLAIN,
  `
  move moveWithOffer claimThreefold claimFifty giveTime        GAME_PAUSED | GAME_PAUSED
  offerTakeback acceptTakeback                                 GAME_PAUSED | GAME_PAUSED
  declineTakeback                                              NO_OFFER    | NO_OFFER
  offerPause acceptPause declinePause claimAbandoned           GAME_PAUSED | GAME_PAUSED
  unpause                                                      done        | done`,
);

const UNTIMED = `
  giveTime                    NO_CLOCK             | NO_CLOCK`;

/** In an ended game even invalid moves and claims get the same refusal as other acts. */
const OVER = everything('GAME_OVER');

export const WHO_MAY_ACT = {
  'awaiting a seed': answers(everything('GAME_PENDING'), 'abort done | done'),
  'before ply 1': answers(FRESH),
  'before ply 2': answers(
    FRESH,
    `
    move moveWithOffer          NOT_YOUR_TURN      | done
    claimThreefold claimFifty   NOT_YOUR_TURN      | CLAIM_NOT_MET
    offerTakeback               done               | NOTHING_TO_TAKE_BACK
    giveTime                    done               | YOUR_TURN
    plan                        planned            | YOUR_TURN`,
  ),
  'before ply 2, ply 1 turned a piece up': answers(
    FRESH,
    `
    move moveWithOffer          NOT_YOUR_TURN      | done
    abort                       TOO_LATE_TO_ABORT  | done
    claimThreefold claimFifty   NOT_YOUR_TURN      | CLAIM_NOT_MET
    offerTakeback               PIECE_TURNED_UP    | NOTHING_TO_TAKE_BACK
    giveTime                    done               | YOUR_TURN
    plan                        planned            | YOUR_TURN`,
  ),
  'before ply 3': answers(PLAIN),
  'draw offered by first': answers(
    PLAIN,
    `
    offerDraw                   same               | done
    acceptDraw declineDraw      NO_OFFER           | done`,
  ),
  'draw offered by second': answers(
    PLAIN,
    `
    offerDraw                   done               | same
    acceptDraw declineDraw      done               | NO_OFFER`,
  ),
  'draw offer of first refused': answers(
    PLAIN,
    `
    moveWithOffer               OFFER_TOO_SOON     | NOT_YOUR_TURN
    offerDraw                   OFFER_TOO_SOON     | done`,
  ),
  'takeback offered by first': answers(
    PLAIN,
    `
    offerTakeback               same               | done
    acceptTakeback declineTakeback NO_OFFER        | done`,
  ),
  'takeback offered by second': answers(
    PLAIN,
    `
    offerTakeback               done               | same
    acceptTakeback declineTakeback done            | NO_OFFER`,
  ),
  'pause offered by first': answers(
    PLAIN,
    `
    offerPause                  same               | done
    acceptPause declinePause    NO_OFFER           | done`,
  ),
  paused: answers(PAUSED),
  'paused before ply 1': answers(
    PAUSED,
    `
    abort                       done               | done
    offerDraw                   TOO_EARLY_TO_OFFER | TOO_EARLY_TO_OFFER`,
  ),
  'paused, first gave notice': answers(PAUSED, 'unpause same | done'),
  'paused, draw offered by second': answers(
    PAUSED,
    `
    offerDraw                   done               | same
    acceptDraw declineDraw      done               | NO_OFFER`,
  ),
  'time given': answers(PLAIN, 'giveTime YOUR_TURN | same'),
  rated: answers(PLAIN, 'offerTakeback RATED_GAME | RATED_GAME'),
  'last ply turned a piece up': answers(PLAIN, 'offerTakeback PIECE_TURNED_UP | PIECE_TURNED_UP'),
  untimed: answers(PLAIN, `${UNTIMED}\n claimAbandoned YOUR_TURN | NOT_ABANDONED`),
  'untimed for 30 days': answers(PLAIN, `${UNTIMED}\n claimAbandoned YOUR_TURN | done`),
  'untimed for 30 days before ply 2': answers(
    FRESH,
    `${UNTIMED}
    move moveWithOffer          NOT_YOUR_TURN      | done
    claimThreefold claimFifty   NOT_YOUR_TURN      | CLAIM_NOT_MET
    offerTakeback               done               | NOTHING_TO_TAKE_BACK
    plan                        planned            | YOUR_TURN
    claimAbandoned              done               | done`,
  ),
  'overdue before ply 3': everything('DEADLINE_PASSED'),
  'overdue before ply 1': everything('DEADLINE_PASSED'),
  'overdue awaiting a seed': everything('DEADLINE_PASSED'),
  checkmated: OVER,
  'resigned by second': answers(OVER, 'resign GAME_OVER | same'),
  'aborted by first': answers(OVER, 'abort same | same'),
  'drawn by agreement': answers(OVER, 'offerDraw acceptDraw same | same'),
  'drawn by a claim': answers(OVER, 'claimThreefold same | same'),
  'timed out': OVER,
} as const satisfies Readonly<Record<string, Answers>>;
export type StateOfTable = keyof typeof WHO_MAY_ACT;
