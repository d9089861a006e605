// Preloaded into the server: throws an uncaught error on a signal, like a bug would.
process.on('SIGUSR2', () => {
  setImmediate(() => {
    throw new Error('nobody has foreseen this');
  });
});
