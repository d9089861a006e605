import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { useTexts } from './texts/texts.js';

/** A part whose script is read when it is needed: what a first game needs not comes later. */
export function later<Props extends object>(read: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const content = signal<ComponentType<Props> | null>(null);
  const isMissing = signal(false);
  return function Later(props: Props) {
    const texts = useTexts();
    useEffect(() => {
      read().then(
        (found) => (content.value = found),
        () => (isMissing.value = true),
      );
    }, []);
    const Content = content.value;
    if (isMissing.value) return <p role="alert">{texts.trouble.unread}</p>;
    return Content === null ? null : <Content {...props} />;
  };
}
