import { recreate } from './database.mjs';
import { SAN } from './line.mjs';
import { PEERS, requirePeer } from './peers.mjs';
import { freePort, startServer } from './servers.mjs';

/** boardgame.io with its chess example, played through its own protocol: one WebSocket per player. */

const DATABASE = 'halfmove_whole_path_boardgame';
const SEATS = [0, 1];

export async function startBoardgame() {
  const port = await freePort();
  const env = { NODE_ENV: 'production', DATABASE_URL: await recreate(DATABASE) };
  const child = await startServer(['boardgame.cjs', String(port)], { cwd: PEERS, env, ready: /ready/ });
  return { port, pid: child.pid };
}

let matches = 0;

/** A move is complete when its player's own socket receives a later state than the one it was sent for. */
export function boardgameMatch({ port }) {
  const { io } = requirePeer('socket.io-client');
  let [id, state, sentFor, mover, finish] = ['', -1, -1, 0, () => undefined];

  const hears = (seat, newState) => {
    if (seat !== mover || newState <= sentFor) return;
    [state, sentFor] = [newState, newState];
    finish();
  };
  const sockets = SEATS.map((seat) => {
    const socket = io(`http://127.0.0.1:${port}/chess`, { transports: ['websocket'], forceNew: true });
    socket.on('update', (match, { _stateID }) => match === id && hears(seat, _stateID));
    socket.on('patch', (match, _before, newState) => match === id && hears(seat, newState));
    return socket;
  });

  const join = (seat) =>
    new Promise((resolve) => {
      const synced = (match, sync) => {
        if (match !== id) return;
        sockets[seat].off('sync', synced);
        state = sync.state._stateID;
        resolve();
      };
      sockets[seat].on('sync', synced);
      sockets[seat].emit('sync', id, String(seat), undefined, SEATS.length);
    });
  const actionOf = (ply) => ({
    type: 'MAKE_MOVE',
    payload: { type: 'move', args: [SAN[ply]], playerID: String(mover) },
  });

  return {
    prepare: () => undefined,
    fresh: async () => {
      id = `match-${matches++}`;
      sentFor = -1;
      for (const seat of SEATS) await join(seat);
    },
    act: (ply) =>
      new Promise((resolve) => {
        mover = ply % 2;
        sentFor = state;
        finish = resolve;
        sockets[mover].emit('update', actionOf(ply), state, id, String(mover));
      }),
    close: () => sockets.forEach((socket) => socket.close()),
  };
}
