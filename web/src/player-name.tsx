import type { components } from '../../packages/client/src/client.js';

/** The name of a player, which leads to their page if they have one; beside it the application through which they play. */

type Schemas = components['schemas'];

export function PlayerName({ player }: { readonly player: Schemas['User'] | Schemas['ManagedPlayer'] }) {
  if ('application' in player) return <>{`${player.displayName} (${player.application.name})`}</>;
  if (player.closed) return <>{player.displayName}</>;
  return <a href={`/players/${player.username}`}>{player.displayName}</a>;
}
