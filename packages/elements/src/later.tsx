import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Store, useStore } from './store.js';
import { useTexts } from './texts/texts.js';

/** A part whose script is read when it is needed: what a first game needs not comes later. */
export function later<Props extends object>(read: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const content = new Store<ComponentType<Props> | null>(null);
  const isMissing = new Store(false);
  return function Later(props: Props) {
    const texts = useTexts();
    const Content = useStore(content);
    const isGone = useStore(isMissing);
    useEffect(() => {
      read().then(
        (found) => (content.value = found),
        () => (isMissing.value = true),
      );
    }, []);
    if (isGone) return <p role="alert">{texts.trouble.unread}</p>;
    return Content === null ? null : <Content {...props} />;
  };
}
