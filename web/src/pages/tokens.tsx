import { useState } from 'preact/hooks';
import { ALL_SCOPES, SCOPES } from '../../../src/platform/contract/scopes.js';
import { useConfirmation } from '../confirmation.js';
import { Field } from '../field.js';
import { Form } from '../form.js';
import { day, useRead } from '../reading.js';
import { halfmove } from '../session.js';

export function Tokens() {
  const [tokens, readAgain] = useRead(async () => (await halfmove.rest.GET('/v1/me/tokens')).data.items);
  const [made, setMade] = useState<string | null>(null);
  const { confirmed, question } = useConfirmation();
  const make = ({ name = '', expiresInDays = '' }, all: FormData) =>
    confirmed(async () => {
      const scopes = all.getAll('scopes').map(String);
      const { data } = await halfmove.rest.POST('/v1/me/tokens', {
        body: { name, scopes, expiresInDays: Number(expiresInDays) },
      });
      setMade(data.token);
      await readAgain();
    });
  const remove = async (id: string, name: string) => {
    if (!confirm(`Delete the token ${name}? What uses it will stop working.`)) return;
    await halfmove.rest.DELETE('/v1/me/tokens/{id}', { params: { path: { id } } });
    await readAgain();
  };
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">Personal tokens</h2>
      <p>For scripts and bots of yours. They never change the password or the e-mail address.</p>
      <ul class="rows">
        {tokens?.map(({ id, name, scopes, lastUsedAt, expiresAt }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong>: {scopes.join(', ')}
              <br />
              <small>
                {lastUsedAt == null ? 'Never used' : `Last used ${day(lastUsedAt)}`}, until {day(expiresAt)}
              </small>
            </span>
            <button
              type="button"
              class="plain"
              aria-label={`Delete the token ${name}`}
              onClick={() => void remove(id, name)}
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
      <p role="status">
        {made !== null && (
          <>
            Copy the token now, it is not shown again: <code>{made}</code>
          </>
        )}
      </p>
      {question}
      <details hidden={question !== null}>
        <summary>Make a token</summary>
        <Form label="Make a token" action="Make the token" onSend={make}>
          {(fault) => (
            <>
              <Field label="Name" name="name" fault={fault} />
              <Field
                label="Days until it expires"
                name="expiresInDays"
                type="number"
                value="365"
                fault={fault}
              />
              <fieldset>
                <legend>What it may do</legend>
                {ALL_SCOPES.map((scope) => (
                  <label key={scope} class="choice">
                    <input type="checkbox" name="scopes" value={scope} /> {SCOPES[scope]}
                  </label>
                ))}
                {fault?.field === 'scopes' && <strong class="fault">{fault.message}</strong>}
              </fieldset>
            </>
          )}
        </Form>
      </details>
    </section>
  );
}
