// Loaded before the server: a signal makes it throw what nobody catches, as a fault of its own would.
process.on('SIGUSR2', () => {
  setImmediate(() => {
    throw new Error('nobody has foreseen this');
  });
});
