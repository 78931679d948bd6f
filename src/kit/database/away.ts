/** PostgreSQL: shutting down, starting, out of connections. Node: nobody listens, or no longer. Prisma: cannot reach,
 *  closed, pool timeout, a transaction that did not begin or end in its time (it was rolled back). */
const UNAVAILABLE = new Set([
  '57P01',
  '57P02',
  '57P03',
  '53300',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'P1001',
  'P1017',
  'P2024',
  'P2028',
]);

/** What pg says without a code when the line breaks, or nobody takes the call. */
const BROKEN_LINE =
  /^Connection terminated|^timeout exceeded when trying to connect|connect ENOENT .*\.s\.PGSQL\.\d+$/m;

/** Codes of an error and of everything under it: PostgreSQL's, Node's and Prisma's alike. */
export function databaseCodes(error: object): string[] {
  return layersOf(error).flatMap((layer) =>
    ['code', 'originalCode'].map((key) => String(Reflect.get(layer, key) ?? '')),
  );
}

/** Whether an error says that the database cannot be reached now: trying again later may do. */
export function isDatabaseAway(error: object): boolean {
  const isBroken = layersOf(error).some((layer) => layer instanceof Error && BROKEN_LINE.test(layer.message));
  return isBroken || databaseCodes(error).some((code) => UNAVAILABLE.has(code));
}

/** PostgreSQL: a deadlock, or a change beside which this one cannot be made. Prisma: either of them. */
const CONTENDED = new Set(['40P01', '40001', 'P2034']);

/** Whether an error says that the transaction was given up for another one's sake: nothing of it was done, and trying again
 *  will do. */
export function isContended(error: object): boolean {
  return databaseCodes(error).some((code) => CONTENDED.has(code));
}

/** The foreign key that a statement violated, by its name; null when it violated none. */
export function violatedKey(error: object): string | null {
  if (!databaseCodes(error).includes('23503')) return null;
  const texts = layersOf(error).map((layer) =>
    String(Reflect.get(layer, 'originalMessage') ?? Reflect.get(layer, 'message')),
  );
  const found = texts.map((text) => /foreign key constraint "(\w+)"/.exec(text)?.[1]);
  return found.find((name) => name !== undefined) ?? null;
}

/** An error and what is under it: Prisma keeps the driver's in `meta`, the others in `cause`. */
function layersOf(error: object): object[] {
  const meta: unknown = Reflect.get(error, 'meta');
  const driver: unknown = isObject(meta) ? Reflect.get(meta, 'driverAdapterError') : undefined;
  const under = [Reflect.get(error, 'cause'), driver].filter(isObject);
  return [error, ...under.flatMap(layersOf)];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
