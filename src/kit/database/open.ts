import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../../prisma/generated/client/client.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import { traceQueries } from '../tracing/database.ts';
import { isTraced } from '../tracing/spans.ts';
import { startEmbedded, type Embedded } from './embedded/start.ts';
import { checkPooler, pooled, refusePooler } from './pooler.ts';
import { closeNow, closeSilent, PatientClient, processOf } from './silence.ts';

/** An open database: the embedded one, or the server at `DATABASE_URL`. */
export interface Database {
  readonly pool: pg.Pool;
  /** Prisma client on the same pool. */
  readonly prisma: PrismaClient;
  /** Configuration for additional connections, each a separate session. */
  readonly connection: pg.ClientConfig;
  /** Folder of the embedded database; null for an external server. */
  readonly home: string | null;
  /** Closes the connections. The embedded database stops with the last process that uses it. */
  stop(): Promise<void>;
}

/** Maximum connections per process. A larger pool is no faster: PostgreSQL's cores are the limit. */
const MAX_CONNECTIONS = 20;

/** After about 20 seconds without traffic, ends connections to a machine that no longer exists. */
const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Ends a transaction that is idle for 30,000 milliseconds, as when its process is frozen, so that others do not wait for its locks.
 *  Long transactions remove the limit; see `keptIdle`. */
const IDLE_LIMIT = 'idle_in_transaction_session_timeout=30000';

const DATE_OID = 1082;

/** Opens the database. Sessions run in UTC; our own SQL reads a `date` as a `YYYY-MM-DD` string.
 *  @throws {Error} with the reason, if the server is unreachable or the embedded one cannot start */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>,
  log: Log,
): Promise<Database> {
  const { databaseUrl, databaseDirectUrl } = config;
  if (!databaseUrl) {
    const embedded = await startEmbedded({ dataDir: config.dataDir, log });
    return connect(inSession(embedded.connection), log, { embedded });
  }
  const direct = serverConnection(databaseDirectUrl ?? databaseUrl);
  const pooler = databaseDirectUrl === null ? null : pooled(inSession({ connectionString: databaseUrl }));
  await refusePooler(direct, pooler ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL');
  const database = await connect(direct, log, { pooler });
  try {
    if (pooler) await checkPooler(database.pool, direct);
    return database;
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** Connection configuration for the server at `DATABASE_URL`. */
export function serverConnection(databaseUrl: string): pg.ClientConfig {
  const url = new URL(databaseUrl);
  const options = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options'); // otherwise the URL would override what we add
  return inSession({ connectionString: url.href }, options);
}

/** The embedded database or the pooler between the server and its database. */
interface Between {
  /** The embedded database, released after the last connection is closed. */
  readonly embedded?: Pick<Embedded, 'home' | 'leave'>;
  /** Configuration of the pool, if it differs from that of other connections. */
  readonly pooler?: pg.PoolConfig | null;
}

/** Creates the pool and Prisma client for a connection. */
export async function connect(
  connection: pg.ClientConfig,
  log: Log,
  { embedded, pooler = null }: Between = {},
): Promise<Database> {
  const limited = pooler ?? { ...connection, options: `-c ${IDLE_LIMIT} ${connection.options}` };
  const pool = new pg.Pool({ Client: PatientClient, ...limited, ...keptAlive, max: MAX_CONNECTIONS });
  // Without listeners, a broken connection, idle or between queries, would crash the process. The pool opens a new
  // one.
  let isStopping = false;
  pool.on('error', (err) => log[isStopping ? 'debug' : 'warn']({ err }, 'A database connection was lost'));
  pool.on('connect', (client) => void client.on('error', (err) => log.debug({ err }, 'A database connection failed')));
  if (isTraced()) traceQueries(pool);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const sessions = trackSessions(pool);
  // The process ids of a pooler are not those of the database.
  const isPooled = pooler !== null;
  const endWatch = closeSilent({ sessions, connection: pooler ?? connection, isPooled, log });
  const cancelLate = () =>
    cancel(connection, isPooled ? [] : [...sessions].map(processOf)).catch((err: unknown) =>
      log.debug({ err }, 'Running statements were not cancelled'),
    );
  const stop = async () => {
    isStopping = true;
    endWatch();
    const cancelling = setTimeout(() => void cancelLate(), CANCEL_MS);
    const closing = setTimeout(() => sessions.forEach(closeNow), CLOSE_MS);
    await prisma.$disconnect();
    if (!pool.ended) await pool.end();
    clearTimeout(cancelling);
    clearTimeout(closing);
    await embedded?.leave();
  };
  try {
    await pool.query('select 1');
  } catch (cause) {
    await stop();
    throw new Error(`Cannot connect to the database: ${reason(cause)}`, { cause });
  }
  return { pool, prisma, connection, home: embedded?.home ?? null, stop };
}

/** Time after which a stop cancels running statements, in milliseconds. */
const CANCEL_MS = 1_000;
/** Time after which a stop closes the sessions that are still busy, in milliseconds. */
const CLOSE_MS = 4_000;

/** @returns the open sessions of the pool */
function trackSessions(pool: pg.Pool): ReadonlySet<pg.PoolClient> {
  const sessions = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void sessions.add(client));
  pool.on('remove', (client) => void sessions.delete(client));
  return sessions;
}

/** Cancels the statements of sessions: the pool waits for them before it ends. */
async function cancel(connection: pg.ClientConfig, sessions: readonly number[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('/* cancel */ SELECT pg_cancel_backend(pid) FROM unnest($1::int[]) AS pid', [sessions]);
  await client.end();
}

/** Makes every session of a connection run in UTC and read dates as strings, because a JavaScript Date would shift
 *  them by the machine's UTC offset. Sessions do not compile queries (JIT): that takes longer than most of ours run.
 *  @param options PostgreSQL's own, such as `-c statement_timeout=5000` */
export function inSession(connection: pg.ClientConfig, options = ''): pg.ClientConfig {
  const getTypeParser = (oid: number, format?: 'text' | 'binary') =>
    oid === DATE_OID ? (value: string) => value : pg.types.getTypeParser(oid, format ?? 'text');
  return {
    ...connection,
    options: `${options} -c timezone=UTC -c jit=off`.trim(),
    application_name: 'costkeep',
    types: { getTypeParser },
  };
}

function reason(error: unknown): string {
  // A host name with several addresses fails with one error per address and an empty message.
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  return error instanceof Error ? error.message : String(error);
}
