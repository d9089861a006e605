/** Shows progress: a bar on a terminal, otherwise a line every few seconds. */

const WIDTH = 30;
const BAR_MS = 200;
const LINE_MS = 5000;

const inWords = (number) => Math.round(number).toLocaleString('en');

function left(seconds) {
  if (!Number.isFinite(seconds)) return 'time left unknown';
  return seconds < 90 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`;
}

/** `before`: what an earlier run has done. */
export function progress(total, before) {
  const start = performance.now();
  const isTerminal = process.stdout.isTTY === true;
  const done = { ...before };
  let shownAt = 0;
  const text = () => {
    const seconds = (performance.now() - start) / 1000;
    const games = done.games - before.games;
    const part = done.games / total;
    const bar = '#'.repeat(Math.floor(part * WIDTH)).padEnd(WIDTH, '.');
    const speed = `${inWords((done.plies - before.plies) / seconds)} plies/s`;
    const counts = `${inWords(done.games)} games  ${inWords(done.plies)} plies`;
    return `${isTerminal ? `[${bar}] ` : ''}${(100 * part).toFixed(1)} %  ${counts}  ${speed}  ${left(((total - done.games) / games) * seconds)}`;
  };
  const show = () => {
    shownAt = performance.now();
    if (isTerminal) process.stdout.write(`\r${text()}\u001b[K`);
    else console.log(text());
  };
  return {
    made: ({ games, plies }) => {
      done.games += games;
      done.plies += plies;
      if (performance.now() - shownAt > (isTerminal ? BAR_MS : LINE_MS)) show();
    },
    end: () => {
      show();
      if (isTerminal) process.stdout.write('\n');
      console.log(`Games: ${((performance.now() - start) / 1000).toFixed(1)} s.`);
    },
  };
}
