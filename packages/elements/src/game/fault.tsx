import { useTexts } from '../texts/texts.js';

/** What went wrong. The words of the server are English, also where those of the element are not. */
export function Fault({ text, kind = 'fault' }: { readonly text: string | null; readonly kind?: string }) {
  const { trouble } = useTexts();
  const isOurs = text === null || (Object.values(trouble) as readonly unknown[]).includes(text);
  return (
    <p role="alert" class={kind} lang={isOurs ? undefined : 'en'}>
      {text}
    </p>
  );
}
