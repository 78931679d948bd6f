/** PostgreSQL: connection lost, shutting down, starting up, out of connections, transaction idle for too long; read-only, login
 *  refused or closed for connections, as during a failover or a change of the password. PgBouncer: no connection to PostgreSQL
 *  (08P01). Node: connection refused or lost. Prisma: unreachable, closed, no response, pool timeout, a transaction that did not
 *  start or finish in time (it was rolled back). */
const UNAVAILABLE = new Set([
  '08000',
  '08001',
  '08003',
  '08006',
  '08P01',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '25006',
  '25P03',
  '28000',
  '28P01',
  '55000',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'P1001',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
]);

/** Codes of system calls that got no response: no packet arrives. Other clients, such as that of SMTP, use them for their own limits. */
const UNANSWERED = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Messages of pg errors without a code: the connection broke, or was not established (in time). */
const BROKEN_LINE =
  /^Connection terminated|is not queryable$|^timeout (expired$|exceeded when trying to connect)|connect ENOENT .*\.s\.PGSQL\.\d+$/m;

/** Codes of an error and its causes: PostgreSQL's, Node's and Prisma's. */
export function databaseCodes(error: object): string[] {
  return layersOf(error).flatMap((layer) =>
    ['code', 'originalCode'].map((key) => String(Reflect.get(layer, key) ?? '')),
  );
}

/** Whether an error means that the database is currently unreachable; a later retry may succeed. */
export function isDatabaseAway(error: object): boolean {
  const isBroken = (layer: object) =>
    (layer instanceof Error && BROKEN_LINE.test(layer.message)) ||
    (Reflect.has(layer, 'syscall') && UNANSWERED.has(String(Reflect.get(layer, 'code'))));
  return layersOf(error).some(isBroken) || databaseCodes(error).some((code) => UNAVAILABLE.has(code));
}

/** PostgreSQL: deadlock or serialization failure. Prisma: either. */
const CONTENDED = new Set(['40P01', '40001', 'P2034']);

/** Whether an error means that the transaction was aborted because of a concurrent one: it was rolled back, and a
 *  retry will succeed. */
export function isContended(error: object): boolean {
  return databaseCodes(error).some((code) => CONTENDED.has(code));
}

/** Name of the foreign key that a statement violated; null if none. */
export function violatedKey(error: object): string | null {
  if (!databaseCodes(error).includes('23503')) return null;
  const texts = layersOf(error).map((layer) =>
    String(Reflect.get(layer, 'originalMessage') ?? Reflect.get(layer, 'message')),
  );
  const found = texts.map((text) => /foreign key constraint "(\w+)"/.exec(text)?.[1]);
  return found.find((name) => name !== undefined) ?? null;
}

/** An error and its causes: Prisma keeps the driver's in `meta`, others use `cause`. */
function layersOf(error: object): object[] {
  const meta: unknown = Reflect.get(error, 'meta');
  const driver: unknown = isObject(meta) ? Reflect.get(meta, 'driverAdapterError') : undefined;
  const under = [Reflect.get(error, 'cause'), driver].filter(isObject);
  return [error, ...under.flatMap(layersOf)];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
