/**
 * Measures every subject once per round, in rotating order, so that a slow moment of the machine affects all
 * of them.
 */

/** The rotation per round: a number that is coprime to the number of subjects. */
const strideOf = (count) => [5, 3, 7, 2].find((stride) => stride < count && count % stride !== 0) ?? 1;

export async function inTurns(subjects, rounds, measure) {
  const stride = strideOf(subjects.length);
  const samples = new Map(subjects.map((subject) => [subject, []]));
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < subjects.length; i++) {
      const subject = subjects[(i + round * stride) % subjects.length];
      samples.get(subject).push(await measure(subject));
    }
  }
  return samples;
}
