/** Freezes a value deeply. Binary data cannot be frozen, so it is copied and compared afterwards. */
export function deepFreeze(value: unknown): { readonly changed: () => boolean } {
  const copies: [ArrayBufferView, Uint8Array][] = [];
  const seen = new Set<unknown>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    if (ArrayBuffer.isView(part)) copies.push([part, bytes(part).slice()]);
    else Object.values(Object.freeze(part)).forEach(visit);
  };
  visit(value);
  return { changed: () => copies.some(([view, copy]) => Buffer.compare(bytes(view), copy) !== 0) };
}

const bytes = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
