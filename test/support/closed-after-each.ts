interface Closable {
  close(): unknown;
}

/** What tests open and keep: `kept` returns it, and it is closed after the test. */
export function closedAfterEach(): { kept<T extends Closable>(each: T): T; closeAll(): Promise<void> } {
  const open: Closable[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(open.splice(0).map((each) => each.close()));
  };
  afterEach(closeAll);
  return {
    kept(each) {
      open.push(each);
      return each;
    },
    closeAll,
  };
}
