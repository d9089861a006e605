/**
 * The kind of prototype, from the first argument of server.ts: <http>/<auth>/<rules>/<db>, optionally with
 * /async.
 */
export const [HTTP, AUTH, RULES, DB, ASYNC] = process.argv[2]!.split('/') as [
  string,
  string,
  string,
  string,
  string?,
];
