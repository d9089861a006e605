import { useState } from 'preact/hooks';
import type { components } from '../../../packages/client/src/client.js';
import { later } from '../../../packages/elements/src/later.js';
import { Form } from '../form.js';
import { useRead } from '../reading.js';
import { go } from '../router.js';
import { readRulesets } from '../rulesets.js';
import { halfmove, isSignedIn, useSession } from '../session.js';

/** Beginning a game: against whoever comes next, or a friend who gets a link. */

const readMore = () => import('./more-terms.js');
const MoreTerms = later(() => readMore().then((read) => read.MoreTerms));
const Waiting = later(() => import('./waiting.js').then((read) => read.Waiting));

type Challenge = components['schemas']['Challenge'];

const DAY = 86_400;
const TIMES: readonly (readonly [string, string, number | null])[] = [
  ['3', '3 days for each move', 3 * DAY],
  ['1', '1 day for each move', DAY],
  ['7', '7 days for each move', 7 * DAY],
  ['none', 'no limit', null],
];

export function Play() {
  const session = useSession();
  const [rulesets] = useRead(readRulesets);
  const [chosen, setChosen] = useState(new URLSearchParams(location.search).get('ruleset'));
  const [isRated, setIsRated] = useState(false);
  const [waiting, setWaiting] = useState<Challenge | null>(null);
  const all = rulesets ?? [];
  const ruleset = all.find(({ id }) => id === chosen) ?? all[0];
  const start = async (values: Readonly<Record<string, string>>) => {
    if (!isSignedIn()) await halfmove.playAsGuest();
    const seconds = TIMES.find(([id]) => id === values['time'])![2];
    const terms = {
      ruleset: values['ruleset']!,
      rated: values['rated'] === 'on',
      timeControl: seconds === null ? { none: {} } : { perMove: { seconds } },
      // Who is faster than the script of these terms leaves them as they are.
      ...(values['seat'] === undefined ? {} : (await readMore()).moreOf(values, ruleset)),
    };
    if (values['opponent'] === 'friend') {
      const { data } = await halfmove.rest.POST('/v1/challenges', {
        body: { ...terms, opponent: { link: true } },
      });
      setWaiting(data.challenge);
      return;
    }
    const { data } = await halfmove.rest.POST('/v1/seeks', { body: terms });
    const { challenge } = data;
    if (challenge.gameId !== null) go(`/games/${challenge.gameId}`);
    else setWaiting(challenge);
  };
  return (
    <>
      <div role="status">
        {waiting !== null && <Waiting challenge={waiting} onGone={() => setWaiting(null)} />}
      </div>
      {waiting === null && (
        <Form label="A new game" action={session.isSignedIn ? 'Play' : 'Play as a guest'} onSend={start}>
          {(fault) => (
            <>
              <p class="field">
                <label for="ruleset">Game</label>
                <select
                  id="ruleset"
                  name="ruleset"
                  value={ruleset?.id}
                  onChange={({ currentTarget }) => setChosen(currentTarget.value)}
                >
                  {all.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
                {ruleset !== undefined && <a href={`/rules/${ruleset.id}`}>Rules of {ruleset.name}</a>}
              </p>
              <fieldset>
                <legend>Against</legend>
                <label class="choice">
                  <input type="radio" name="opponent" value="anybody" defaultChecked /> whoever comes next
                </label>
                <label class="choice">
                  <input type="radio" name="opponent" value="friend" /> a friend, who gets a link
                </label>
              </fieldset>
              <p class="field">
                <label for="time">Time</label>
                <select id="time" name="time">
                  {TIMES.map(([id, label]) => (
                    <option key={id} value={id}>
                      {label}
                    </option>
                  ))}
                </select>
              </p>
              {session.isPerson && (
                <label class="choice">
                  <input
                    type="checkbox"
                    name="rated"
                    checked={isRated}
                    onChange={({ currentTarget }) => setIsRated(currentTarget.checked)}
                  />{' '}
                  Rated
                </label>
              )}
              {ruleset !== undefined && (
                <MoreTerms key={ruleset.id} ruleset={ruleset} isRated={isRated} fault={fault} />
              )}
            </>
          )}
        </Form>
      )}
    </>
  );
}
