/** When the element with the focus is removed, the focus goes on nearby, so that a keyboard does not begin anew. */
export function keepFocus(root: HTMLElement, next: (nearest: Element) => HTMLElement | null): void {
  let path: readonly Element[] = [];
  const isLost = () => document.activeElement === document.body;
  root.addEventListener('focusin', (event) => {
    path = event.composedPath() as Element[];
  });
  // A removed element may tell this, too; after the removal it is known whether somebody has left by a click.
  root.addEventListener('focusout', () =>
    queueMicrotask(() => {
      if (isLost() && path[0]?.isConnected) path = [];
    }),
  );
  new MutationObserver(() => {
    if (isLost() && path[0]?.isConnected === false)
      next(path.find(({ isConnected }) => isConnected)!)?.focus();
  }).observe(root, { childList: true, subtree: true });
}

/** The square to which Tab goes. */
export const squareIn = (root: HTMLElement) => root.querySelector<HTMLElement>('[data-square][tabindex="0"]');
