import { useEffect, useState } from 'preact/hooks';
import type { components } from '../../../packages/client/src/client.js';
import { Form } from '../form.js';
import { isPushPossible, keepPush, turnOffPush, turnOnPush } from '../push.js';
import { day } from '../reading.js';
import { useSession } from '../session.js';

/** Push on and off in this browser. */

interface Props {
  readonly settings: components['schemas']['NewsSettings'];
  readonly again: () => Promise<void>;
}

export function PushHere({ settings, again }: Props) {
  const others = settings.pushSubscriptions.filter(({ isCurrent }) => !isCurrent);
  return (
    <section aria-labelledby="push">
      <h2 id="push">Push in this browser</h2>
      <p>A browser can show your news as notifications, also while no page of this server is open.</p>
      {isPushPossible() ? <Switch settings={settings} again={again} /> : <p>{impossible()}</p>}
      {others.length > 0 && (
        <>
          <p>You are also told in these browsers, until you sign out there:</p>
          <ul class="rows">
            {others.map(({ id, device, createdAt }) => (
              <li key={id}>
                <span>
                  {device === '' ? 'An unnamed program' : device}
                  <br />
                  <small>Since {day(createdAt)}</small>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const impossible = (): string =>
  isSecureContext
    ? 'This browser cannot. On an iPhone or iPad, add this page to the home screen first, and open it from there.'
    : 'This page cannot, because its address does not begin with https://. Open it at such an address, if this server has one.';

function Switch({ settings, again }: Props) {
  const { username } = useSession();
  const permission = usePermission();
  const [said, setSaid] = useState('');
  useEffect(() => {
    // Whoever has signed in anew is told again; if that fails, the button is there.
    void keepPush(username)
      .then((isSaved) => (isSaved ? again() : undefined))
      .catch(() => undefined);
  }, [username]);
  if (permission === 'denied') {
    return (
      <p>
        This browser shows no notifications of this server, because it was told so. Allow them in the settings
        of the site, which open by the sign beside the address; then you can turn push on here.
      </p>
    );
  }
  const isOn = permission === 'granted' && settings.pushSubscriptions.some(({ isCurrent }) => isCurrent);
  const turnOn = async () => {
    if ((await Notification.requestPermission()) !== 'granted') {
      setSaid('The browser was not allowed to show notifications, so push stays off.');
      return;
    }
    await turnOnPush(username, settings.pushKey);
    await again();
    setSaid('This browser shows your news now.');
  };
  const turnOff = async () => {
    await turnOffPush(settings);
    await again();
    setSaid('This browser shows your news no more.');
  };
  return (
    <>
      <p>{isOn ? 'It is on in this browser.' : 'It is off in this browser.'}</p>
      <Form
        label="Push in this browser"
        action={isOn ? 'Turn push off' : 'Turn push on'}
        kind="second"
        onSend={isOn ? turnOff : turnOn}
      >
        {() => null}
      </Form>
      <p role="status">{said}</p>
    </>
  );
}

/** Whether this browser may show notifications, also after a change in its settings. */
function usePermission(): NotificationPermission {
  const [permission, setPermission] = useState(Notification.permission);
  useEffect(() => {
    const ending = new AbortController();
    const look = () => setPermission(Notification.permission);
    void navigator.permissions
      .query({ name: 'notifications' })
      .then((status) => status.addEventListener('change', look, { signal: ending.signal }));
    return () => ending.abort();
  }, []);
  return permission;
}
