import { crosscheckChess } from './chess.mjs';
import { crosscheckSmall } from './small.mjs';
import { crosscheckXiangqi } from './xiangqi.mjs';

/**
 * The rules against other people's programs, ply by ply in random games; docs/crosscheck.md says what is compared.
 * Ends with 1 when there is a difference that no class of known ones explains.
 *
 *   npm run crosscheck [-- GAMES CHECKS SEED]      CHECKS as chess,xiangqi,small
 */

const CHECKS = { chess: crosscheckChess, xiangqi: crosscheckXiangqi, small: crosscheckSmall };

const [, , games = 1000, names = Object.keys(CHECKS).join(), seed = 1] = process.argv;
const unknown = names.split(',').find((name) => !(name in CHECKS));
if (unknown !== undefined)
  throw new Error(`There is no check ${unknown}, only ${Object.keys(CHECKS).join()}.`);
const results = names.split(',').map((name) => CHECKS[name](Number(games), Number(seed)));
process.exitCode = results.every(Boolean) ? 0 : 1;
