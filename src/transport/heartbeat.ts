import type { WebSocket } from 'ws';

/** The close code for a fault that passes. Clients of graphql-ws open the socket again and subscribe again. */
export const TRY_AGAIN_LATER = 1013;

const NOT_READ = 'Your socket was not read in time. Open it again, and continue after the last event.';

/**
 * Pings a socket. A client that has not answered by the next ping reads nothing, or is gone: the socket is closed with a
 * code, which is read by who goes on reading, and cut off after as long again.
 */
export function keepAlive(socket: WebSocket, everyMs: number): void {
  let isAnswered = true;
  let isGivenUp = false;
  socket.on('pong', () => (isAnswered = true));
  const beat = setInterval(() => {
    if (isGivenUp) return socket.terminate();
    isGivenUp = !isAnswered;
    isAnswered = false;
    if (isGivenUp) socket.close(TRY_AGAIN_LATER, NOT_READ);
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, everyMs);
  socket.once('close', () => clearInterval(beat));
}
