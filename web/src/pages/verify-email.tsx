import { useState } from 'preact/hooks';
import { useStore } from '../../../packages/elements/src/store.js';
import { Form } from '../form.js';
import { secret } from '../router.js';
import { halfmove } from '../session.js';

/** Uses the link by a click, so that a program that opens the links of mails does not. */
export function VerifyEmail() {
  const link = useStore(secret);
  const [email, setEmail] = useState<string | null>(null);
  const verify = async () => {
    const { data } = await halfmove.rest.POST('/v1/email-verifications', { body: { token: secret.value } });
    setEmail(data.email);
  };
  if (link === '' && email === null)
    return <p>Open the link in the mail as it is: something is missing behind its # sign.</p>;
  return (
    <>
      <p role="status">
        {email !== null && (
          <>
            {email} is the e-mail address of your account now. <a href="/account">Your account</a>
          </>
        )}
      </p>
      {email === null && (
        <Form label="Confirm the address" action="Confirm this address" onSend={verify}>
          {() => <p>The address recovers your account, and gets the notices about it.</p>}
        </Form>
      )}
    </>
  );
}
