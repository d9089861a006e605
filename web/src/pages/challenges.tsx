import { useState } from 'preact/hooks';
import type { components } from '../../../packages/client/src/client.js';
import { faultOf } from '../form.js';
import { PlayerName } from '../player-name.js';
import { useRead } from '../reading.js';
import { go } from '../router.js';
import { halfmove } from '../session.js';
import { timeControlOf } from '../time-control.js';
import { takeBack } from './waiting.js';

/** What waits for an answer: invitations to the user, and the user's own invitations and seeks. */

type Challenge = components['schemas']['Challenge'];

const MOST = 100;

const readBox = async (box: 'incoming' | 'outgoing') =>
  (await halfmove.rest.GET('/v1/challenges', { params: { query: { box, first: MOST } } })).data.items;
const readBoth = () => Promise.all([readBox('incoming'), readBox('outgoing')]);

export function Challenges() {
  const [boxes, again, trouble] = useRead(readBoth);
  const [fault, setFault] = useState<string | null>(null);
  const [incoming, outgoing] = boxes ?? [[], []];
  const act = async (work: () => Promise<unknown>) => {
    setFault(null);
    try {
      await work();
    } catch (error) {
      // It was answered or has expired meanwhile.
      setFault(faultOf(error).message);
    }
    await again().catch(() => undefined);
  };
  const accept = async ({ id }: Challenge) => {
    const path = { params: { path: { id } } };
    const { data } = await halfmove.rest.POST('/v1/challenges/{id}/accept', { ...path, body: {} });
    go(`/games/${data.game.id}`);
  };
  const decline = ({ id }: Challenge) =>
    halfmove.rest.POST('/v1/challenges/{id}/decline', { params: { path: { id } }, body: {} });
  const button = (label: string, challenge: Challenge, work: (challenge: Challenge) => Promise<unknown>) => (
    <button
      type="button"
      class="second"
      aria-label={`${label}: ${challenge.ruleset.name}${whomOf(challenge)}`}
      onClick={() => void act(() => work(challenge))}
    >
      {label}
    </button>
  );
  return (
    <>
      <p role="alert" class="fault">
        {fault ?? trouble}
      </p>
      {incoming.length > 0 && (
        <section aria-labelledby="incoming">
          <h2 id="incoming">Invitations to you</h2>
          <ul class="rows">
            {incoming.map((each) => (
              <li key={each.id}>
                <span>
                  <Terms challenge={each} />, from <PlayerName player={each.creator} />
                </span>
                <span class="answers">
                  {button('Accept', each, accept)} {button('Decline', each, decline)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {outgoing.length > 0 && (
        <section aria-labelledby="outgoing">
          <h2 id="outgoing">Waiting for an opponent</h2>
          <ul class="rows">
            {outgoing.map((each) => (
              <li key={each.id}>
                <span>
                  <Terms challenge={each} />, <Whom challenge={each} />
                </span>
                {button('Take it back', each, takeBack)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Terms({ challenge: { ruleset, rated, timeControl } }: { readonly challenge: Challenge }) {
  return (
    <>
      <strong>{ruleset.name}</strong>, {rated ? 'rated' : 'casual'}, {timeControlOf(timeControl)}
    </>
  );
}

function Whom({ challenge: { id, kind, opponent } }: { readonly challenge: Challenge }) {
  if (kind === 'seek') return <>whoever comes next</>;
  if (kind === 'link') return <a href={`/challenges/${id}`}>a friend, who gets this link</a>;
  return (
    <>
      with <PlayerName player={opponent!} />
    </>
  );
}

const whomOf = ({ kind, opponent, creator }: Challenge): string =>
  kind === 'direct' ? `, ${creator.displayName} and ${opponent!.displayName}` : '';
