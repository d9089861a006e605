/**
 * The program of the thread in which the embedded database runs; it answers one request after the other. A request is
 * a script, which goes as it is, or a statement with its values, of which a named one is parsed and described only
 * once. An answer is the bytes of PostgreSQL's protocol, which the serving thread reads, or the text of an error.
 *
 * Plain text, because the file of a thread has different names in tests and when built.
 */
export const DATABASE_THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { PGlite, protocol: { serialize } } = require(workerData.pglite);

const [ERROR, PARAMETERS] = Buffer.from('Et');
const [SYNC, EXECUTE] = [serialize.sync(), serialize.execute({})];
/** The types of the parameters of each named statement. */
const named = new Map();
let database;

function exchange(...messages) {
  const chunks = [];
  // The memory of the database is reused at once. Its files are real, so there is no file system to flush.
  const onRawData = (bytes) => chunks.push(bytes.slice());
  database.execProtocolRawStream(Buffer.concat(messages), { syncToFs: false, onRawData });
  return Buffer.concat(chunks);
}

/** Where the first message of this kind begins, or -1. */
function find(kind, bytes) {
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) if (bytes[at] === kind) return at;
  return -1;
}

function parametersIn(described) {
  const at = find(PARAMETERS, described) + 5;
  return Array.from({ length: described.readUInt16BE(at) }, (_, i) => described.readUInt32BE(at + 2 + 4 * i));
}

/** Bytes go as they are, all other values as text. */
function valueOf(value, type) {
  if (value === null || (type === 17 && value instanceof Uint8Array)) return value;
  return (database.serializers[type] ?? String)(value);
}

function ask({ sql, values, name }) {
  let described = Buffer.alloc(0);
  if (!named.has(name)) {
    described = exchange(serialize.parse({ name, text: sql }), serialize.describe({ type: 'S', name }));
    // After an error the database ignores every message up to SYNC.
    if (find(ERROR, described) >= 0) return Buffer.concat([described, exchange(SYNC)]);
  }
  const types = named.get(name) ?? parametersIn(described);
  if (name !== '') named.set(name, types);
  try {
    const bind = serialize.bind({ statement: name, values: values.map((value, i) => valueOf(value, types[i])) });
    return Buffer.concat([described, exchange(bind, EXECUTE, SYNC)]);
  } catch (error) {
    exchange(SYNC);
    throw error;
  }
}

/** Whether a named statement no longer fits the tables, or is gone: it was not begun. */
function isOutdated(answer) {
  const at = find(ERROR, answer);
  if (at < 0) return false;
  const text = answer.latin1Slice(at, at + answer.readUInt32BE(at + 1));
  return /\\0C26000\\0/.test(text) || /\\0C0A000\\0Mcached plan/.test(text);
}

function answerTo(request) {
  if (request.script !== undefined) return exchange(serialize.query(request.script));
  const answer = ask(request);
  if (!named.has(request.name) || !isOutdated(answer)) return answer;
  named.delete(request.name);
  exchange(serialize.close({ type: 'S', name: request.name }), SYNC);
  // Inside a transaction the error has ended it.
  return database.isInTransaction() ? answer : ask(request);
}

async function serve(request) {
  try {
    if (request.end) await database.close();
    const bytes = new Uint8Array(request.end ? [] : answerTo(request));
    parentPort.postMessage(bytes, [bytes.buffer]);
  } catch (error) {
    parentPort.postMessage(String(error?.message ?? error));
  }
}

const startParams = [...PGlite.defaultStartParams, ...workerData.settings.flatMap((setting) => ['-c', setting])];
PGlite.create({ dataDir: workerData.folder, pgliteWasmModule: workerData.program, startParams }).then(
  (opened) => {
    database = opened;
    parentPort.on('message', serve);
    parentPort.postMessage(new Uint8Array(0));
  },
  (error) => parentPort.postMessage(String(error?.message ?? error)),
);
`;
