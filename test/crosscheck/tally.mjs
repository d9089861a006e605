/** Counts what a cross-check has compared, and the differences between the two programs. */
export class Tally {
  constructor(name) {
    this.name = name;
    this.counts = new Map();
    this.explained = new Map();
    this.unexplained = [];
  }

  count(what, by = 1) {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  /**
   * A difference that the text of our rules decides, by its class, with the first position in which it
   * occurred.
   */
  explain(reason, example) {
    const found = this.explained.get(reason) ?? { count: 0, example };
    found.count++;
    this.explained.set(reason, found);
  }

  fail(where, what, ours, theirs) {
    this.unexplained.push(`${where}: ${what}: ours ${shown(ours)}, theirs ${shown(theirs)}`);
  }

  /** Counts a comparison; records a difference unless both values are equal. */
  compare(where, what, ours, theirs) {
    this.count('comparisons');
    if (ours !== theirs) this.fail(where, what, ours, theirs);
  }

  /** Prints everything as Markdown; returns whether all differences are explained. */
  print() {
    console.log(`\n### ${this.name}\n`);
    console.log([...this.counts].map(([what, count]) => `${count} ${what}`).join(', ') + '.');
    if (this.explained.size > 0) {
      console.log('\n| difference | count | first seen in |\n| --- | --- | --- |');
      for (const [reason, { count, example }] of [...this.explained].sort()) {
        console.log(`| ${reason} | ${count} | \`${example}\` |`);
      }
    }
    console.log(`\n${this.unexplained.length} unexplained differences.`);
    for (const line of this.unexplained.slice(0, 20)) console.log(`- ${line}`);
    return this.unexplained.length === 0;
  }
}

const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
