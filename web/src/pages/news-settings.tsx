import { useRef, useState } from 'preact/hooks';
import { type components, HalfmoveError } from '../../../packages/client/src/client.js';
import { Choice } from '../choice.js';
import { Field } from '../field.js';
import { type Fault, Form } from '../form.js';
import { useRead } from '../reading.js';
import { halfmove } from '../session.js';
import { PushHere } from './push-here.js';

/** What one is told by mail and push, and when. */

type Settings = components['schemas']['NewsSettings'];
type Kind = keyof Settings['mail'];
type Time = Settings['mail'][Kind];
type Given = Readonly<Record<string, string>>;

const CHANNELS = { mail: 'By mail', push: 'By push' } as const;
type Channel = keyof typeof CHANNELS;

const KINDS: Readonly<Record<Kind, string>> = {
  yourTurn: 'It is your turn',
  reminder: 'Your time runs out',
  challenge: 'Challenges, and games that start',
  offer: 'Offers in a game, and answers',
  message: 'Messages',
  gameOver: 'A game is over',
  conditional: 'Conditional moves',
};
const TIMES: Readonly<Record<Time, string>> = { atOnce: 'At once', daily: 'Once a day', never: 'Never' };

const kinds = Object.entries(KINDS) as [Kind, string][];
const channels = Object.entries(CHANNELS) as [Channel, string][];
const times = Object.entries(TIMES) as [Time, string][];

const hours = Array.from(
  { length: 24 },
  (_, hour) => [`${hour}`, `${`${hour}`.padStart(2, '0')}:00`] as const,
);
const hoursOrNone = [['', 'none'], ...hours] as const;

const HOUR = 3600;
const REMINDERS = { most: 5, least: 300, longest: 30 * 86_400 };

/** A refusal of the page itself, beside the field that is to blame. */
const refusal = (field: string, message: string) => new HalfmoveError('BAD_INPUT', message, { field });

/** `24, 0.5` in seconds. */
function remindersIn(text: string): readonly number[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length > REMINDERS.most)
    throw refusal(
      'reminders',
      `There can be ${REMINDERS.most} reminders at most; these are ${words.length}.`,
    );
  return words.map((word) => {
    const seconds = Math.round(Number(word) * HOUR);
    if (seconds >= REMINDERS.least && seconds <= REMINDERS.longest) return seconds;
    throw refusal(
      'reminders',
      `“${word.slice(0, 20)}” is no number of hours from 0.1 to 720. Write for example: 24, 4, 0.5`,
    );
  });
}

const hourIn = (text: string | undefined) => (text === undefined || text === '' ? null : Number(text));

function quietIn({ quietFrom, quietUntil }: Given) {
  const quiet = { quietFrom: hourIn(quietFrom), quietUntil: hourIn(quietUntil) };
  if ((quiet.quietFrom === null) !== (quiet.quietUntil === null))
    throw refusal(
      quiet.quietFrom === null ? 'quietFrom' : 'quietUntil',
      'Choose both hours, or none for both.',
    );
  if (quiet.quietFrom !== null && quiet.quietFrom === quiet.quietUntil)
    throw refusal('quietUntil', 'Choose an hour that differs from the first.');
  return quiet;
}

/** What was chosen of a channel, as far as it differs from what was shown: the rest may have changed elsewhere. */
function choicesIn(channel: Channel, given: Given, shown: Settings) {
  const chosen = kinds
    .map(([kind]) => [kind, given[`${channel}.${kind}`] as Time] as const)
    .filter(([kind, time]) => time !== shown[channel][kind]);
  return chosen.length === 0 ? {} : { [channel]: Object.fromEntries(chosen) };
}

/** Those values that differ from what was shown. */
const changedIn = <T extends Partial<Settings>>(values: T, shown: Settings): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(shown[name as keyof Settings]),
    ),
  ) as Partial<T>;

const readSettings = () => halfmove.rest.GET('/v1/me/news').then(({ data }) => data);

const change = async (body: components['schemas']['UpdateNewsSettingsInput']) =>
  (await halfmove.rest.PATCH('/v1/me/news', { body })).data.newsSettings;

export function NewsSettings() {
  const [settings, again, trouble, replace] = useRead(readSettings);
  const [said, setSaid] = useState('');
  const save = async (given: Given) => {
    setSaid('');
    const shown = settings!;
    const reminders = [...remindersIn(given['reminders'] ?? '')];
    const quiet = quietIn(given);
    const isQuietNew = quiet.quietFrom !== shown.quietFrom || quiet.quietUntil !== shown.quietUntil;
    replace(
      await change({
        ...choicesIn('mail', given, shown),
        ...choicesIn('push', given, shown),
        ...(isQuietNew ? quiet : {}),
        ...changedIn(
          { digestHour: Number(given['digestHour']), timeZone: given['timeZone']!, reminders },
          shown,
        ),
      }),
    );
    setSaid('Saved.');
  };
  return (
    <>
      <section aria-labelledby="settings">
        <h2 id="settings">What you are told</h2>
        {trouble !== null && <p role="alert">{trouble}</p>}
        {settings !== null && (
          <>
            <MailState state={settings.mailState} onChange={replace} />
            <Form label="What you are told" action="Save" onSend={save}>
              {(fault) => (
                <>
                  <Choices settings={settings} />
                  <When settings={settings} fault={fault} />
                </>
              )}
            </Form>
            <p role="status">{said}</p>
          </>
        )}
      </section>
      {settings !== null && <PushHere settings={settings} again={again} />}
    </>
  );
}

interface MailStateProps {
  readonly state: Settings['mailState'];
  readonly onChange: (settings: Settings) => void;
}

function MailState({ state, onChange }: MailStateProps) {
  const [isResumed, setIsResumed] = useState(false);
  const resume = async () => {
    onChange(await change({ resumeMail: true }));
    setIsResumed(true);
  };
  if (state === 'noMail') return <p>This server sends no mail.</p>;
  if (state === 'noAddress') {
    return (
      <p>
        No mail reaches you: your account has no confirmed e-mail address. Add one in{' '}
        <a href="/account">your account</a>.
      </p>
    );
  }
  return (
    <>
      {state === 'refused' && (
        <Form label="Mail again" action="Send mail there again" kind="second" onSend={resume}>
          {() => (
            <p>
              The mail server of your address has answered that there is no such mailbox, so no news is sent
              there. Give another address in <a href="/account">your account</a>, or try this one again.
            </p>
          )}
        </Form>
      )}
      <p role="status">{isResumed && 'Mail is sent to your address again.'}</p>
    </>
  );
}

interface PartProps {
  readonly settings: Settings;
  readonly fault: Fault | null;
}

function Choices({ settings }: Pick<PartProps, 'settings'>) {
  return (
    <table class="choices">
      <thead>
        <tr>
          <th scope="col">News</th>
          {channels.map(([channel, words]) => (
            <th key={channel} scope="col">
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map(([kind, words]) => (
          <tr key={kind}>
            <th scope="row">{words}</th>
            {channels.map(([channel, by]) => (
              <td key={channel} data-by={by}>
                <select name={`${channel}.${kind}`} aria-label={`${words}: ${by}`}>
                  {/* A digest may come after the deadline. */}
                  {times
                    .filter(([time]) => kind !== 'reminder' || time !== 'daily')
                    .map(([time, label]) => (
                      <option key={time} value={time} selected={time === settings[channel][kind]}>
                        {label}
                      </option>
                    ))}
                </select>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function When({ settings, fault }: PartProps) {
  const { digestHour, quietFrom, quietUntil, reminders } = settings;
  return (
    <>
      <Choice
        label="What you want once a day comes at"
        name="digestHour"
        options={hours}
        value={`${digestHour}`}
        fault={fault}
      />
      <fieldset>
        <legend>Quiet hours</legend>
        <p>
          <small>Nothing is told in them; it is told at their end.</small>
        </p>
        <div class="filters">
          <Choice
            label="From"
            name="quietFrom"
            options={hoursOrNone}
            value={`${quietFrom ?? ''}`}
            fault={fault}
          />
          <Choice
            label="Until"
            name="quietUntil"
            options={hoursOrNone}
            value={`${quietUntil ?? ''}`}
            fault={fault}
          />
        </div>
      </fieldset>
      <Zone settings={settings} fault={fault} />
      <Field
        label="Reminders, in hours before a deadline"
        name="reminders"
        value={reminders.map((seconds) => +(seconds / HOUR).toFixed(4)).join(', ')}
        hint="Up to five numbers with commas between them. Where a move has less than twice the longest, all come nearer to the deadline."
        optional
        fault={fault}
      />
    </>
  );
}

/** All that the browser knows, and that of the settings, which may have another name there. */
function Zone({ settings: { timeZone }, fault }: PartProps) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const top = useRef<HTMLDivElement>(null);
  const zones = [...new Set([timeZone, here, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
  const take = () => {
    const select = top.current!.querySelector('select')!;
    select.value = here;
    select.focus();
  };
  return (
    <div ref={top}>
      <Choice
        label="Time zone of these hours"
        name="timeZone"
        options={zones.map((zone) => [zone, zone.replaceAll('_', ' ')])}
        value={timeZone}
        fault={fault}
      />
      {here !== timeZone && (
        <p>
          <button type="button" class="plain" onClick={take}>
            Take {here.replaceAll('_', ' ')}, as this browser has it
          </button>
        </p>
      )}
    </div>
  );
}
