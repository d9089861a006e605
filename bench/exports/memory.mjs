/** Loaded into the server: says how much memory it has when it is asked. */
process.on('message', (asked) => {
  if (asked === 'rss') process.send(process.memoryUsage.rss());
});
