/** Statistics over several rounds, and their format. */

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const digitsOf = (number) => (number >= 100 ? 0 : number >= 10 ? 1 : 2);

const figure = (number) => number.toFixed(digitsOf(number));

/** The median with the least and the greatest: `12.3 (11.8..13.0)`; a dash where there is none. */
export const spread = (numbers) =>
  numbers === undefined || numbers.some(Number.isNaN)
    ? '-'
    : `${figure(median(numbers))} (${figure(Math.min(...numbers))}..${figure(Math.max(...numbers))})`;

/** The ratio of each round, as rounds with the same number ran next to each other; undefined without a reference. */
export const ratios = (numbers, reference) =>
  reference && numbers?.map((one, round) => one / reference[round]);

export const row = (cells) => `| ${cells.join(' | ')} |`;

/** Requests per second, and the median and 99th percentile of the latencies. */
export function speedOf(latencies, elapsedMs) {
  const sorted = latencies.sort((a, b) => a - b);
  return {
    rate: (sorted.length / elapsedMs) * 1000,
    p50: sorted[sorted.length >> 1],
    p99: sorted[Math.floor(sorted.length * 0.99)],
  };
}
