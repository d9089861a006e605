/** Each round measures every subject once, in rotating order, so that a slow moment of the machine meets them all. */

/** How far the order rotates each round: a number without a common factor with how many there are. */
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
