/** What a reader has chosen for all games in this browser. Some pages may not store anything. */

export function preferred(name: string, usual: string): string {
  try {
    return localStorage.getItem(`halfmove-${name}`) ?? usual;
  } catch {
    return usual;
  }
}

export function prefer(name: string, value: string): void {
  try {
    localStorage.setItem(`halfmove-${name}`, value);
  } catch {
    // It stands until the page is left.
  }
}
