import { useRef, useState } from 'preact/hooks';
import { hasCode } from '../../packages/client/src/client.js';
import { Field } from './field.js';
import { Form } from './form.js';
import { halfmove } from './session.js';

/** Does what needs the password within ten minutes, and asks for it where it was given longer ago. */
export function useConfirmation() {
  const waiting = useRef<(() => Promise<void>) | null>(null);
  const [isAsked, setIsAsked] = useState(false);
  const confirmed = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!hasCode(error, 'CONFIRMATION_REQUIRED')) throw error;
      waiting.current = work;
      setIsAsked(true);
    }
  };
  const confirm = async ({ confirmation = '' }) => {
    await halfmove.rest.POST('/v1/me/confirmations', { body: { password: confirmation } });
    await waiting.current!();
    setIsAsked(false);
  };
  const question = isAsked ? (
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
  ) : null;
  return { confirmed, question };
}
