import { crosscheckChess } from './chess.mjs';
import { crosscheckSmall } from './small.mjs';
import { crosscheckXiangqi } from './xiangqi.mjs';
import { UserError } from '../../scripts/support.mjs';

/**
 * Compares the rules with other programs, ply by ply in random games; see docs/crosscheck.md. Exits with 1 if
 * there is a difference that no known class explains.
 *
 *   npm run crosscheck [-- GAMES CHECKS SEED]
 *
 *   GAMES    number of random games per check (default 1000)
 *   CHECKS   comma-separated checks (default chess,xiangqi,small)
 *   SEED     seed of the random games (default 1)
 */

const CHECKS = { chess: crosscheckChess, xiangqi: crosscheckXiangqi, small: crosscheckSmall };

const [, , games = 1000, names = Object.keys(CHECKS).join(), seed = 1] = process.argv;
const unknown = names.split(',').find((name) => !(name in CHECKS));
if (unknown !== undefined)
  throw new UserError(`Unknown check: ${unknown}. Use ${Object.keys(CHECKS).join()}.`);
const results = names.split(',').map((name) => CHECKS[name](Number(games), Number(seed)));
process.exitCode = results.every(Boolean) ? 0 : 1;
