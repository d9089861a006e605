import { useState } from 'preact/hooks';
import { useConfirmation } from '../confirmation.js';
import { Field } from '../field.js';
import { Form } from '../form.js';
import { useRead } from '../reading.js';
import { halfmove } from '../session.js';
import { type Application, type Made, OneApplication, type OnMade } from './application.js';

/** One's applications, and the registration of another. */

export function OwnApplications() {
  const [applications, readAgain, trouble] = useRead<readonly Application[]>(
    async () => (await halfmove.rest.GET('/v1/applications')).data.items,
  );
  const [made, setMade] = useState<Made | null>(null);
  const onMade = async (one: Made) => {
    await readAgain();
    setMade(one);
  };
  if (trouble !== null) return <p role="alert">{trouble}</p>;
  if (applications === null) return <p role="status">Reading your applications …</p>;
  return (
    <>
      <p>
        Through an application, a site of yours brings its own users as players: its server makes the players,
        begins games between them, and gives their browsers tokens. The{' '}
        <a href="/docs#/applications">reference</a> has what it can call, and{' '}
        <code>docs/applications.md</code> in the source of the server explains it.
      </p>
      {applications.map((application) => (
        <OneApplication
          key={application.id}
          application={application}
          secret={made?.id === application.id ? made.secret : null}
          onMade={onMade}
          onChange={readAgain}
        />
      ))}
      <Registration onMade={onMade} />
    </>
  );
}

function Registration({ onMade }: { readonly onMade: OnMade }) {
  const { confirmed, question } = useConfirmation();
  const [times, setTimes] = useState(0);
  const register = ({ name = '', url = '' }) =>
    confirmed(async () => {
      const { data } = await halfmove.rest.POST('/v1/applications', { body: { name, url } });
      setTimes(times + 1);
      await onMade({ id: data.application.id, secret: data.secret });
    });
  return (
    <section aria-labelledby="register">
      <h2 id="register">Register an application</h2>
      {question}
      <div hidden={question !== null}>
        {/* Empty again for the next one. */}
        <Form key={times} label="Register an application" action="Register" onSend={register}>
          {(fault) => (
            <>
              <Field
                label="Name"
                name="name"
                hint="It stands beside the names of its players."
                fault={fault}
              />
              <Field
                label="Address of the site"
                name="url"
                type="url"
                hint="It begins with https:// or http://."
                fault={fault}
              />
            </>
          )}
        </Form>
      </div>
    </section>
  );
}
