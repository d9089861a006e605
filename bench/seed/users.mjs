import { idOf } from './chance.mjs';

/** The users of a seeded database, ordered by how much they play. */

/** Zipf's exponent: the first of 3,000 users has a sixtieth of all seats. */
const SKEW = 0.6;
const DAY = 86_400_000;
const BEFORE_FIRST_GAME = 30 * DAY;
const MOST = 3000;
const FEWEST = 20;
const GAMES_A_USER = 20;

const NAMES = ['ada', 'ben', 'cai', 'dora', 'emil', 'fang', 'gita', 'hugo', 'ines', 'jun', 'kofi', 'lena', 'mei', 'nils', 'olga', 'pan']; // prettier-ignore

export const countUsers = ({ games }) => Math.min(MOST, Math.max(FEWEST, Math.floor(games / GAMES_A_USER)));

const idOfUser = ({ seed, from }, number) =>
  idOf(`${seed}:user:${number}`, from - BEFORE_FIRST_GAME + number * 1000);

/** The rows of all users. They share one password, so that a benchmark can log in as any of them. */
export function usersOf(plan) {
  return Array.from({ length: countUsers(plan) }, (_, number) => {
    const name = NAMES[number % NAMES.length];
    return {
      id: idOfUser(plan, number),
      username: `${name}-${number + 1}`,
      displayName: `${name[0].toUpperCase()}${name.slice(1)} ${number + 1}`,
      passwordHash: plan.passwordHash,
      createdAt: new Date(plan.from - BEFORE_FIRST_GAME + number * 1000),
    };
  });
}

/** Draws two different users; busy users are drawn often. */
export function pairDrawer(plan) {
  const count = countUsers(plan);
  const ids = Array.from({ length: count }, (_, number) => idOfUser(plan, number));
  const upTo = new Float64Array(count);
  for (let number = 0, sum = 0; number < count; number++) {
    sum += (number + 1) ** -SKEW;
    upTo[number] = sum;
  }
  const draw = ({ unit }) => {
    const at = unit() * upTo[count - 1];
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (upTo[middle] > at) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return (chance) => {
    const one = draw(chance);
    let two = draw(chance);
    while (two === one) two = draw(chance);
    return [ids[one], ids[two]];
  };
}
