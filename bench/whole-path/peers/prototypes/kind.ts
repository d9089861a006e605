/** Which prototype this is, by the first argument of server.ts: <http>/<auth>/<rules>/<db>, and perhaps /async. */
export const [HTTP, AUTH, RULES, DB, ASYNC] = process.argv[2]!.split('/') as [
  string,
  string,
  string,
  string,
  string?,
];
