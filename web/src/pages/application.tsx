import { useEffect, useRef, useState } from 'preact/hooks';
import type { components } from '../../../packages/client/src/client.js';
import { useConfirmation } from '../confirmation.js';
import { Copy } from '../copy.js';
import { Field } from '../field.js';
import { faultOf, Form } from '../form.js';
import { day } from '../reading.js';
import { halfmove, useSession } from '../session.js';

/** An application: what it is and uses, its secrets and owners, its name, and its end. */

export type Application = components['schemas']['Application'];

/** A secret that is shown this once, and the id of its application. */
export interface Made {
  readonly id: string;
  readonly secret: string;
}

export type OnMade = (made: Made) => Promise<void>;

interface Props {
  readonly application: Application;
  /** Called when it has changed. */
  readonly onChange: () => Promise<void>;
}

export function OneApplication({
  application,
  secret,
  onMade,
  onChange,
}: Props & { readonly secret: string | null; readonly onMade: OnMade }) {
  const { id, name, suspended } = application;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      {suspended && (
        <p class="fault">The operator of this server has suspended it: none of its tokens is accepted.</p>
      )}
      {secret !== null && <NewSecret key={secret} name={name} secret={secret} />}
      <Facts application={application} />
      <Secrets application={application} onMade={onMade} onChange={onChange} />
      <Owners application={application} onChange={onChange} />
      <Change application={application} onChange={onChange} />
      <Deletion application={application} onChange={onChange} />
    </section>
  );
}

function NewSecret({ name, secret }: { readonly name: string; readonly secret: string }) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current!.focus(), []);
  return (
    <div ref={top} class="made" role="group" aria-label={`The new secret of ${name}`} tabIndex={-1}>
      <p>
        <strong>Copy the secret now, it is not shown again.</strong> It belongs on your server, never in a
        page or a program that others get.
      </p>
      <p>
        <code>{secret}</code>
      </p>
      <Copy text={secret} action="Copy the secret" />
      <p>
        Your server exchanges the id and the secret for a token at <code>/oauth/token</code>, as the{' '}
        <a href="/docs#/applications/clientToken">reference</a> says.
      </p>
    </div>
  );
}

const count = (of: number, most: number) => `${of.toLocaleString('en')} of ${most.toLocaleString('en')}`;

function Facts({ application: { id, name, url, chat, createdAt, usage } }: Pick<Props, 'application'>) {
  return (
    <table class="facts" aria-label={`About ${name}`}>
      <tbody>
        <tr>
          <th scope="row">Id</th>
          <td>
            <code>{id}</code> <Copy text={id} action="Copy the id" kind="plain" />
          </td>
        </tr>
        <tr>
          <th scope="row">Address</th>
          <td>
            <a href={url}>{url}</a>
          </td>
        </tr>
        <tr>
          <th scope="row">Messages</th>
          <td>{chat ? 'Can be written in its games' : 'Cannot be written in its games'}</td>
        </tr>
        <tr>
          <th scope="row">Players</th>
          <td>{count(usage.players, usage.mostPlayers)}</td>
        </tr>
        <tr>
          <th scope="row">Running games</th>
          <td>{count(usage.runningGames, usage.mostRunningGames)}</td>
        </tr>
        <tr>
          <th scope="row">Requests this minute</th>
          <td>{count(usage.requests, usage.mostRequests)}</td>
        </tr>
        <tr>
          <th scope="row">Registered</th>
          <td>{day(createdAt)}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** What is done by a button alone, with the password where it is asked for, and why it was refused. */
function useAct() {
  const { confirmed, question } = useConfirmation();
  const [trouble, setTrouble] = useState('');
  const act = (work: () => Promise<void>) => {
    setTrouble('');
    confirmed(work).catch((error: unknown) => setTrouble(faultOf(error).message));
  };
  const refusal = (
    <p role="alert" class="fault">
      {trouble}
    </p>
  );
  return { act, confirmed, question, refusal };
}

function Secrets({
  application: { id, name, secrets },
  onMade,
  onChange,
}: Props & { readonly onMade: OnMade }) {
  const { act, confirmed, question, refusal } = useAct();
  const path = { id };
  const make = () =>
    confirmed(async () => {
      const { data } = await halfmove.rest.POST('/v1/applications/{id}/secrets', { params: { path } });
      await onMade({ id, secret: data.secret });
    });
  const remove = (secretId: string) => {
    if (!confirm('Delete this secret? All tokens of the application and its players end at once.')) return;
    act(async () => {
      await halfmove.rest.DELETE('/v1/applications/{id}/secrets/{secretId}', {
        params: { path: { ...path, secretId } },
      });
      await onChange();
    });
  };
  return (
    <>
      <h3>Secrets</h3>
      {question}
      <div hidden={question !== null}>
        <ul class="rows">
          {secrets.map(({ id: secretId, createdAt }) => (
            <li key={secretId}>
              <span>Made {day(createdAt)}</span>
              <button
                type="button"
                class="plain"
                aria-label={`Delete the secret of ${name}, made ${day(createdAt)}`}
                onClick={() => remove(secretId)}
              >
                Delete
              </button>
            </li>
          ))}
        </ul>
        {refusal}
        {secrets.length > 1 ? (
          <p>Use the newer one in your server, then delete the other. An application has two at most.</p>
        ) : (
          <Form label={`Make a secret of ${name}`} action="Make a secret" kind="second" onSend={make}>
            {() => (
              <p>
                {secrets.length === 0
                  ? 'Without a secret, it gets no tokens.'
                  : 'To replace a secret, make another, use it in your server, then delete the first.'}
              </p>
            )}
          </Form>
        )}
      </div>
    </>
  );
}

function Owners({ application: { id, name, owners }, onChange }: Props) {
  const { username: own } = useSession();
  const { act, confirmed, question, refusal } = useAct();
  const add = ({ username = '' }) =>
    confirmed(async () => {
      await halfmove.rest.POST('/v1/applications/{id}/owners', {
        params: { path: { id } },
        body: { username },
      });
      await onChange();
    });
  const remove = (username: string) => {
    const asked =
      username === own
        ? `Remove yourself from the owners of ${name}? You will not see it any more.`
        : `Remove ${username} from the owners of ${name}?`;
    if (!confirm(asked)) return;
    act(async () => {
      await halfmove.rest.DELETE('/v1/applications/{id}/owners/{username}', {
        params: { path: { id, username } },
      });
      await onChange();
    });
  };
  return (
    <>
      <h3>Owners</h3>
      {question}
      <div hidden={question !== null}>
        <ul class="rows">
          {owners.map(({ username }) => (
            <li key={username}>
              <span>{username === own ? `${username} (you)` : username}</span>
              {owners.length > 1 && (
                <button
                  type="button"
                  class="plain"
                  aria-label={`Remove ${username} from the owners of ${name}`}
                  onClick={() => remove(username)}
                >
                  Remove
                </button>
              )}
            </li>
          ))}
        </ul>
        {refusal}
        {owners.length === 1 && (
          <details>
            <summary>Add an owner</summary>
            <Form label={`Add an owner of ${name}`} action="Add the owner" onSend={add}>
              {(fault) => (
                <Field
                  label="Username"
                  name="username"
                  hint="They may do all that you may, and remove you."
                  fault={fault}
                />
              )}
            </Form>
          </details>
        )}
      </div>
    </>
  );
}

function Change({ application: { id, name, url, chat }, onChange }: Props) {
  const { confirmed, question } = useConfirmation();
  const [said, setSaid] = useState('');
  const save = ({
    name: newName = '',
    url: newUrl = '',
    chat: newChat,
  }: Readonly<Record<string, string>>) => {
    setSaid('');
    return confirmed(async () => {
      await halfmove.rest.PATCH('/v1/applications/{id}', {
        params: { path: { id } },
        body: { name: newName, url: newUrl, chat: newChat !== undefined },
      });
      await onChange();
      setSaid('Saved.');
    });
  };
  return (
    <>
      <h3>Name, address and messages</h3>
      {question}
      <details hidden={question !== null}>
        <summary>Change them</summary>
        <Form label={`Change ${name}`} action="Save" onSend={save}>
          {(fault) => (
            <>
              <Field label="Name" name="name" value={name} fault={fault} />
              <Field label="Address of the site" name="url" type="url" value={url} fault={fault} />
              <label class="choice">
                <input type="checkbox" name="chat" defaultChecked={chat} /> Messages can be written in its
                games
              </label>
            </>
          )}
        </Form>
      </details>
      <p role="status">{said}</p>
    </>
  );
}

function Deletion({ application: { id, name, usage }, onChange }: Props) {
  const { confirmed, question } = useConfirmation();
  const remove = async () => {
    const lost = `Its tokens end at once, and its players (${usage.players.toLocaleString('en')}) are erased.`;
    if (!confirm(`Delete ${name}? ${lost} This cannot be undone.`)) return;
    await confirmed(async () => {
      await halfmove.rest.DELETE('/v1/applications/{id}', { params: { path: { id } } });
      await onChange();
    });
  };
  return (
    <>
      <h3>The end</h3>
      {question}
      <div hidden={question !== null}>
        <Form label={`Delete ${name}`} action="Delete the application" kind="dangerous" onSend={remove}>
          {() => (
            <p>
              When you delete it, its tokens end, and its players are erased as closed accounts are: their
              names go, running games are resigned. Games and their records stay.
            </p>
          )}
        </Form>
      </div>
    </>
  );
}
