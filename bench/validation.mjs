import 'reflect-metadata';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { ACTS } from '../dist/arbiter/acts/registry.js';
import { argumentsOf } from '../dist/features/games/act-inputs.js';
import { InputPipe } from '../dist/platform/contract/input.pipe.js';

/**
 * Measures the validation of the input of a move: the server's pipe, zod alone with and without compilation
 * by `new Function`, and JSON Schema compiled by ajv. All are measured in alternation in one run; the results
 * are medians of the rounds with the least and the greatest, as multiples of parsing the same input as JSON,
 * which every request does anyway.
 *
 *   npm run bench:validation [-- ROUNDS MS]
 *
 *   ROUNDS   number of rounds (default 9)
 *   MS       duration of each measurement in milliseconds (default 300)
 */

const ROUNDS = Number(process.argv[2] ?? 9);
const MS = Number(process.argv[3] ?? 300);

const MOVE = {
  gameId: '01890000-0000-7000-8000-000000000000',
  ply: 12,
  move: 'e7e8q',
  version: 30,
  offerDraw: false,
};
const TEXT = JSON.stringify(MOVE);

const act = ACTS.find(({ name }) => name === 'makeMove');
const { type } = argumentsOf(act);
const pipe = new InputPipe();
const metadata = { type: 'body', metatype: type };

const schema = z.strictObject({
  gameId: z.uuid(),
  ply: z.int().min(1),
  move: z.string().min(1).max(16),
  version: z.int().nullish(),
  offerDraw: z.boolean().nullish(),
});

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$';
const check = new Ajv({ allowUnionTypes: true }).compile({
  type: 'object',
  additionalProperties: false,
  required: ['gameId', 'ply', 'move'],
  properties: {
    gameId: { type: 'string', pattern: UUID },
    ply: { type: 'integer', minimum: 1 },
    move: { type: 'string', minLength: 1, maxLength: 16 },
    version: { type: ['integer', 'null'] },
    offerDraw: { type: ['boolean', 'null'] },
  },
});

const jitless = z.strictObject(schema.shape);
const INPUTS = { right: MOVE, wrong: { ...MOVE, ply: 0 } };

/** Each returns whether the input is valid. */
const RIVALS = {
  JSON: () => JSON.parse(TEXT).ply === 12,
  pipe: (input) => {
    try {
      pipe.transform(input, metadata);
      return true;
    } catch {
      return false;
    }
  },
  zod: (input) => schema.safeParse(input).success,
  'zod without new Function': (input) => jitless.safeParse(input, { jitless: true }).success,
  ajv: (input) => check(input),
};

function microseconds(rival, input, expected) {
  const began = performance.now();
  let count = 0;
  while (performance.now() - began < MS) {
    for (let turn = 0; turn < 100; turn += 1) {
      if (rival(input) !== expected) throw new Error('A wrong answer.');
    }
    count += 100;
  }
  return ((performance.now() - began) * 1000) / count;
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

function print(what, rounds) {
  console.log(
    `\n| ${what} | microseconds | times reading the JSON (least to greatest) |\n| --- | ---: | ---: |`,
  );
  for (const name of Object.keys(RIVALS)) {
    const ratios = rounds.map((round) => round[name] / round.JSON);
    const [least, middle, most] = [Math.min(...ratios), median(ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)); // prettier-ignore
    console.log(`| ${name} | ${median(rounds.map((round) => round[name])).toFixed(2)} | ${middle} (${least} to ${most}) |`); // prettier-ignore
  }
}

for (const [what, input] of Object.entries(INPUTS)) {
  const rounds = [];
  // One extra round first, to compile everything.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const took = {};
    for (const [name, rival] of Object.entries(RIVALS)) {
      took[name] = microseconds(rival, input, name === 'JSON' || what === 'right');
    }
    if (round > 0) rounds.push(took);
  }
  print(`a move that is ${what}`, rounds);
}
