import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { components } from '../../../packages/client/src/client.js';
import { Field } from '../field.js';
import { Form } from '../form.js';
import { Further } from '../further.js';
import { GameList } from '../game-list.js';
import { RatingGraph } from '../rating-graph.js';
import { day, useRead } from '../reading.js';
import { heading, useWays } from '../router.js';
import { readRulesets } from '../rulesets.js';
import { halfmove } from '../session.js';

/** A player as everybody sees them: who it is, how they are rated, and what they have played. */

type User = components['schemas']['User'];
type Rating = components['schemas']['Rating'];

export function PlayerPage() {
  const [, username = ''] = useWays();
  return <OnePlayer key={username} username={username} />;
}

function OnePlayer({ username }: { readonly username: string }) {
  const path = { params: { path: { username } } };
  const read = () =>
    Promise.all([
      halfmove.rest.GET('/v1/users/{username}', path).then(({ data }) => data),
      halfmove.rest.GET('/v1/users/{username}/ratings', path).then(({ data }) => data.items),
    ]);
  const [player, , trouble] = useRead(read);
  const name = player?.[0].displayName ?? null;
  useEffect(() => {
    if (name !== null) heading.value = name;
  }, [name]);
  if (trouble !== null) return <p role="alert">{trouble}</p>;
  if (player === null) return <p>Reading the player ...</p>;
  const [user, ratings] = player;
  return (
    <>
      <p>
        <strong>{user.username}</strong>
        {user.guest && ', a guest'}
        {user.createdAt !== null && `, here since ${day(user.createdAt)}`}
      </p>
      <Ratings user={user} ratings={ratings} />
      <History user={user} />
    </>
  );
}

const shown = ({ rating, provisional }: Rating) => `${Math.round(rating)}${provisional ? '?' : ''}`;

function Ratings({ user, ratings }: { readonly user: User; readonly ratings: readonly Rating[] }) {
  const [chosen, setChosen] = useState(ratings[0]?.pool.id ?? '');
  const rating = ratings.find(({ pool }) => pool.id === chosen);
  return (
    <section aria-labelledby="ratings">
      <h2 id="ratings">Ratings</h2>
      {rating === undefined ? (
        <p>No rated game yet.</p>
      ) : (
        <>
          <Table
            label="Table of the ratings"
            titles={['Game', 'Rating', 'Deviation', 'Games', 'Won', 'Drawn', 'Lost']}
          >
            {ratings.map((one) => (
              <tr key={one.pool.id}>
                <th scope="row">{one.pool.ruleset.name}</th>
                <td>{shown(one)}</td>
                <td>{Math.round(one.deviation)}</td>
                <td>{one.games}</td>
                <td>{one.wins}</td>
                <td>{one.draws}</td>
                <td>{one.losses}</td>
              </tr>
            ))}
          </Table>
          {ratings.some(({ provisional }) => provisional) && (
            <p>
              <small>A question mark: too few recent games to be sure.</small>
            </p>
          )}
          {ratings.length > 1 && (
            <p class="field">
              <label for="pool">Show the rating over time in</label>
              <select
                id="pool"
                value={chosen}
                onChange={({ currentTarget }) => setChosen(currentTarget.value)}
              >
                {ratings.map(({ pool }) => (
                  <option key={pool.id} value={pool.id}>
                    {pool.ruleset.name}
                  </option>
                ))}
              </select>
            </p>
          )}
          <RatingHistory key={rating.pool.id} user={user} rating={rating} />
        </>
      )}
    </section>
  );
}

function RatingHistory({ user, rating }: { readonly user: User; readonly rating: Rating }) {
  const { id, ruleset } = rating.pool;
  const read = async (before?: string) => {
    const { data } = await halfmove.rest.GET('/v1/users/{username}/ratings/{pool}', {
      params: {
        path: { username: user.username, pool: id },
        query: { last: 100, ...(before === undefined ? {} : { before }) },
      },
    });
    return data;
  };
  const [history, , , setHistory] = useRead(() => read());
  if (history === null) return null;
  const { items, previous } = history;
  if (items.length === 0) return null;
  const addEarlier = async () => {
    const earlier = await read(previous!);
    setHistory({ ...earlier, items: [...earlier.items, ...items] });
  };
  const [oldest, newest] = [items[0]!, items.at(-1)!];
  const label = `The rating of ${user.displayName} in ${ruleset.name}: ${Math.round(oldest.rating)} on ${day(oldest.at)}, ${Math.round(newest.rating)} on ${day(newest.at)}, give or take ${Math.round(newest.deviation)}.`;
  return (
    <>
      <RatingGraph points={items} label={label} />
      <p>
        <small>
          The rating after each rated game of {ruleset.name}. The band is one deviation up and down: the
          narrower it is, the surer the rating.
        </small>
      </p>
      {previous !== null && <Further label="Earlier games" onMore={addEarlier} />}
      <details>
        <summary>The values</summary>
        <Table label="Table of the values" titles={['Game', 'Over', 'Rating', 'Change', 'Deviation']}>
          {items.map(({ number, gameId, at, rating: after, change, deviation }) => (
            <tr key={number}>
              <td>
                <a href={`/games/${gameId}`}>{number}</a>
              </td>
              <td>{day(at)}</td>
              <td>{Math.round(after)}</td>
              <td>{signed(change)}</td>
              <td>{Math.round(deviation)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </>
  );
}

interface TableProps {
  readonly label: string;
  readonly titles: readonly string[];
  readonly children: ComponentChildren;
}

/** It scrolls by itself where the page is narrow, also by keyboard. */
function Table({ label, titles, children }: TableProps) {
  return (
    <div class="wide numbers" tabIndex={0} role="group" aria-label={label}>
      <table>
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

const signed = (change: number) => `${change < 0 ? '\u2212' : '+'}${Math.abs(Math.round(change))}`;

const RESULTS = [
  ['', 'any'],
  ['won', 'won'],
  ['lost', 'lost'],
  ['drawn', 'drawn'],
] as const;
const KINDS = [
  ['', 'both'],
  ['true', 'rated'],
  ['false', 'casual'],
] as const;

type Given = Readonly<Record<string, string>>;

/** The games of a player, the newest first, that meet what was filled in. */
async function readGames({ username }: User, given: Given, after?: string) {
  const { ruleset = '', result = '', rated = '', opponent = '' } = given;
  const { data } = await halfmove.rest.GET('/v1/users/{username}/games', {
    params: {
      path: { username },
      query: {
        ...(ruleset === '' ? {} : { ruleset }),
        ...(result === '' ? {} : { result: result as 'won' | 'lost' | 'drawn' }),
        ...(rated === '' ? {} : { rated: rated === 'true' }),
        ...(opponent.trim() === '' ? {} : { opponent: opponent.trim().toLowerCase() }),
        ...(after === undefined ? {} : { after }),
      },
    },
  });
  return data;
}

function History({ user }: { readonly user: User }) {
  const [rulesets] = useRead(readRulesets);
  const [given, setGiven] = useState<Given>({});
  const read = (filter: Given, after?: string) => readGames(user, filter, after);
  const [page, , trouble, setPage] = useRead(() => read({}));
  const filter = async (values: Given) => {
    setPage(await read(values));
    setGiven(values);
  };
  const addMore = async () => {
    const { items, next } = page!;
    const more = await read(given, next!);
    setPage({ ...more, items: [...items, ...more.items] });
  };
  return (
    <section aria-labelledby="history">
      <h2 id="history">Games</h2>
      <Form label="Which games" action="Show these games" kind="second" onSend={filter}>
        {(fault) => (
          <div class="filters">
            <Choice
              label="Game"
              name="ruleset"
              values={[['', 'all'], ...(rulesets ?? []).map(({ id, name }) => [id, name] as const)]}
            />
            <Choice label="Result" name="result" values={RESULTS} />
            <Choice label="Rated" name="rated" values={KINDS} />
            <Field label="Opponent" name="opponent" hint="Their username." optional fault={fault} />
          </div>
        )}
      </Form>
      <p role="alert">{trouble}</p>
      {page !== null && (
        <>
          <p role="status">{page.items.length === 0 && 'There is no such game.'}</p>
          <GameList
            games={page.items}
            seatOf={({ players }) => players.find(({ player }) => player.id === user.id)?.seat ?? 'first'}
          />
          {page.next !== null && <Further label="More" onMore={addMore} />}
        </>
      )}
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly values: readonly (readonly [string, string])[];
}

function Choice({ label, name, values }: ChoiceProps) {
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {values.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </p>
  );
}
