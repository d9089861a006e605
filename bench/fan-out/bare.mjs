import { WebSocketServer } from 'ws';

/** A server that does nothing but send a given text to all its sockets, on demand. */

const server = new WebSocketServer({ port: Number(process.argv[2]), host: '127.0.0.1' }, () =>
  console.log('ready'),
);

server.on('connection', (socket) => {
  socket.on('error', () => undefined);
  // A watcher with the first message as text asks for it to be sent to all.
  socket.on('message', (data) => {
    const text = JSON.parse(String(data));
    for (const watcher of server.clients) watcher.send(text);
  });
});
