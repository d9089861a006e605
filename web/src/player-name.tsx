import type { components } from '../../packages/client/src/client.js';

/** The name of a player, which leads to their page unless the account is closed. */

type User = components['schemas']['User'];

export function PlayerName({ player }: { readonly player: User }) {
  if (player.closed) return <>{player.displayName}</>;
  return <a href={`/players/${player.username}`}>{player.displayName}</a>;
}
