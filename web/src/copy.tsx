import { useState } from 'preact/hooks';

interface Props {
  readonly text: string;
  /** The words of the button. */
  readonly action: string;
  readonly kind?: 'second' | 'plain';
}

/** Copies a text. Only secure contexts have a clipboard. */
export function Copy({ text, action, kind }: Props) {
  const [isCopied, setIsCopied] = useState(false);
  if ((navigator as { clipboard?: Clipboard }).clipboard === undefined) return null;
  const copy = () => navigator.clipboard.writeText(text).then(() => setIsCopied(true));
  return (
    <button type="button" class={kind} onClick={() => void copy()}>
      {isCopied ? 'Copied' : action}
    </button>
  );
}
