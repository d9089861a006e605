import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { HalfmoveError } from '../../packages/client/src/client.js';

/** Forms that say what went wrong beside the field where it did. */

export interface Fault {
  readonly message: string;
  /** The name of the input, if one is to blame. */
  readonly field: string | undefined;
}

export function faultOf(error: unknown): Fault {
  if (!(error instanceof HalfmoveError)) throw error;
  const message =
    error.code === 'NO_ANSWER'
      ? 'The server cannot be reached. Check your connection and try again.'
      : error.message;
  return { message, field: error.field };
}

interface FormProps {
  readonly label: string;
  /** The words of the button. */
  readonly action: string;
  /** How the button looks: for the usual act of a page, for another, or for what cannot be undone. */
  readonly kind?: 'second' | 'dangerous';
  /** Sends what was typed, by the names of the inputs. */
  readonly onSend: (given: Readonly<Record<string, string>>, all: FormData) => Promise<void>;
  readonly children: (fault: Fault | null) => ComponentChildren;
}

/** A form that is sent once at a time, and keeps what was typed when it is refused. */
export function Form({ label, action, kind, onSend, children }: FormProps) {
  const [fault, setFault] = useState<Fault | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (fault !== null)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')?.focus();
  }, [fault]);
  const send = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    setFault(null);
    const all = new FormData(form.current!);
    try {
      await onSend(
        Object.fromEntries([...all].filter((pair): pair is [string, string] => typeof pair[1] === 'string')),
        all,
      );
    } catch (error) {
      setFault(faultOf(error));
    } finally {
      setIsBusy(false);
    }
  };
  const hasField = fault?.field !== undefined && form.current?.elements.namedItem(fault.field) != null;
  return (
    <form ref={form} aria-label={label} onSubmit={(event) => void send(event)}>
      {children(fault)}
      {fault !== null && !hasField && (
        <p role="alert" class="fault" tabIndex={-1}>
          {fault.message}
        </p>
      )}
      <p>
        <button type="submit" class={kind} aria-disabled={isBusy}>
          {action}
        </button>
      </p>
    </form>
  );
}
