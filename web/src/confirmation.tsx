import { useEffect, useRef, useState } from 'preact/hooks';
import { hasCode } from '../../packages/client/src/client.js';
import { Field } from './field.js';
import { Form } from './form.js';
import { halfmove } from './session.js';

type Answer = (isConfirmed: boolean) => void;

/** Does what needs the password within ten minutes, and asks for it where it was given longer ago: what asks hides its forms meanwhile. */
export function useConfirmation() {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const confirmed = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!hasCode(error, 'CONFIRMATION_REQUIRED')) throw error;
      const isConfirmed = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
      setAnswer(null);
      // Refusals of the work itself stand in its own form, which waits.
      if (isConfirmed) await work();
    }
  };
  const question = answer === null ? null : <Question onAnswer={answer} />;
  return { confirmed, question };
}

function Question({ onAnswer }: { readonly onAnswer: Answer }) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current!.querySelector('input')!.focus(), []);
  const confirm = async ({ confirmation = '' }) => {
    await halfmove.rest.POST('/v1/me/confirmations', { body: { password: confirmation } });
    onAnswer(true);
  };
  return (
    <div ref={top}>
      <Form label="Confirm that it is you" action="Confirm" onSend={confirm}>
        {(fault) => (
          <Field
            label="Your password, to confirm that it is you"
            name="confirmation"
            type="password"
            autocomplete="current-password"
            fault={fault?.field === 'password' ? { ...fault, field: 'confirmation' } : fault}
          />
        )}
      </Form>
      <button type="button" class="plain" onClick={() => onAnswer(false)}>
        Not now
      </button>
    </div>
  );
}
