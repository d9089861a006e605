/** Preloaded into the server: reports its memory on request. */
process.on('message', (asked) => {
  if (asked === 'rss') process.send(process.memoryUsage.rss());
});
