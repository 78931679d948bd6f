import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../../../prisma/generated/client/client.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import { startEmbedded, type Embedded } from './embedded/start.ts';

/** An open database: the embedded one, or the server of `DATABASE_URL`. */
export interface Database {
  readonly pool: pg.Pool;
  /** Prisma on the same pool. */
  readonly prisma: PrismaClient;
  /** How to open one more connection of the same kind. */
  readonly connection: pg.ClientConfig;
  /** Folder of the embedded database; null for a server's. */
  readonly home: string | null;
  /** Closes the connections. An embedded database stops with the last process that uses it. */
  stop(): Promise<void>;
}

/** Connections of one process. A pool larger than this does not answer faster: PostgreSQL has as many cores either way. */
const MAX_CONNECTIONS = 20;

const DATE_OID = 1082;

/** Opens the database. Sessions run in UTC; SQL of our own reads a `date` as the text `YYYY-MM-DD`.
 *  @throws {Error} when the server cannot be reached or the embedded one cannot start, with the reason */
export async function openDatabase(config: Pick<Config, 'databaseUrl' | 'dataDir'>, log: Log): Promise<Database> {
  if (config.databaseUrl) return connect(serverConnection(config.databaseUrl), log);
  const embedded = await startEmbedded({ dataDir: config.dataDir, log });
  return connect(inSession(embedded.connection), log, embedded);
}

/** How to connect to the server of `DATABASE_URL`. */
export function serverConnection(databaseUrl: string): pg.ClientConfig {
  const url = new URL(databaseUrl);
  const options = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options'); // else the address would win over what we add
  return inSession({ connectionString: url.href }, options);
}

/** Opens pool and Prisma over a connection.
 *  @param embedded the embedded database that it leads to, left after the last connection is closed */
export async function connect(
  connection: pg.ClientConfig,
  log: Log,
  embedded?: Pick<Embedded, 'home' | 'leave'>,
): Promise<Database> {
  const pool = new pg.Pool({ ...connection, max: MAX_CONNECTIONS });
  // Without listeners a connection that breaks, idle or between two queries, would end the process. The pool opens another.
  let isStopping = false;
  pool.on('error', (err) => log[isStopping ? 'debug' : 'warn']({ err }, 'A database connection was lost'));
  pool.on('connect', (client) => void client.on('error', (err) => log.debug({ err }, 'A database connection failed')));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const stop = async () => {
    isStopping = true;
    await prisma.$disconnect();
    if (!pool.ended) await pool.end();
    await embedded?.leave();
  };
  try {
    await pool.query('select 1');
  } catch (cause) {
    await stop();
    throw new Error(`The database does not answer: ${reason(cause)}`, { cause });
  }
  return { pool, prisma, connection, home: embedded?.home ?? null, stop };
}

/** Makes every session of a connection run in UTC and read dates as text, because a JavaScript Date would move them by the
 *  machine's offset.
 *  @param options PostgreSQL's own, such as `-c statement_timeout=5000` */
export function inSession(connection: pg.ClientConfig, options = ''): pg.ClientConfig {
  const getTypeParser = (oid: number, format?: 'text' | 'binary') =>
    oid === DATE_OID ? (value: string) => value : pg.types.getTypeParser(oid, format ?? 'text');
  return {
    ...connection,
    options: `${options} -c timezone=UTC`.trim(),
    application_name: 'costkeep',
    types: { getTypeParser },
  };
}

function reason(error: unknown): string {
  // A name with several addresses fails with one error for each, and an empty message of its own.
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ');
  return error instanceof Error ? error.message : String(error);
}
