import pg from 'pg';
import { ConfigError } from '../config/config.ts';
import { PatientClient } from './silence.ts';

// A connection pooler in transaction mode, such as PgBouncer, gives each transaction of a connection another session of the
// database. Locks, notifications and settings that outlive a transaction need a direct connection.

/** A client behind a pooler, whose sessions do not have each other's prepared statements. */
class PooledClient extends PatientClient {
  override query = ((first: unknown, ...rest: unknown[]) => {
    const isNamed = typeof first === 'object' && first !== null && 'text' in first && 'name' in first;
    const unnamed = isNamed ? { ...first, name: undefined } : first;
    return Reflect.apply(pg.Client.prototype.query, this, [unnamed, ...rest]);
  }) as pg.Client['query'];
}

/** Options of a pool behind a pooler. A pooler does not support `options` of a connection, but carries its time zone from session to
 *  session. */
export function pooled(connection: pg.ClientConfig): pg.PoolConfig {
  const { options: _, ...known } = connection;
  return { ...known, Client: PooledClient, onConnect: (client) => client.query(`set timezone = 'UTC'`) };
}

/** A pooler that happens to give one connection the same session twice is found by the next attempt. */
const attempts = 3;

const DIRECT = 'set DATABASE_DIRECT_URL to the URL of PostgreSQL itself, which migrations, locks and the queue need';

/** SQLSTATE of PgBouncer for an unknown variable. */
const PROTOCOL_VIOLATION = '08P01';

/** @throws {ConfigError} if the connection goes through a pooler in transaction mode */
export async function refusePooler(connection: pg.ClientConfig, variable: string): Promise<void> {
  const remedy = variable === 'DATABASE_URL' ? DIRECT : 'set it to the URL of PostgreSQL itself';
  // PgBouncer before 1.20 rejects the time zone of a new connection. Other failures are reported by the pool's connections.
  const isPooled = await sharesSessions(connection).catch(
    (error: unknown) => error instanceof Error && 'code' in error && error.code === PROTOCOL_VIOLATION,
  );
  if (isPooled) throw new ConfigError([`${variable}: it points to a connection pooler in transaction mode; ${remedy}`]);
}

/** Returns whether transactions of one connection run in several sessions, or those of several connections in one. */
async function sharesSessions(connection: pg.ClientConfig): Promise<boolean> {
  const [first, second] = [new pg.Client(connection), new pg.Client(connection)];
  for (const client of [first, second]) client.on('error', () => {}); // queries reject
  try {
    await first.connect();
    await second.connect();
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const before = await sessionOf(first);
      await second.query('begin');
      const other = await sessionOf(second);
      const after = await sessionOf(first);
      await second.query('commit');
      if (before === other || before !== after) return true;
    }
    return false;
  } finally {
    await Promise.all([first, second].map((client) => client.end().catch(() => {})));
  }
}

async function sessionOf(client: pg.Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
}

/** Checks that the pooler leads to the same database, and that its sessions run in UTC.
 *  @throws {ConfigError} otherwise */
export async function checkPooler(pool: pg.Pool, direct: pg.ClientConfig): Promise<void> {
  const sql = `select concat(current_database(), ' started ', pg_postmaster_start_time()) as name,
    current_setting('timezone') as timezone`;
  const { rows } = await pool.query<{ name: string; timezone: string }>(sql);
  const client = new pg.Client(direct);
  await client.connect();
  const { rows: directly } = await client.query<{ name: string }>(sql).finally(() => client.end());
  if (rows[0]?.name !== directly[0]?.name)
    throw new ConfigError([
      'DATABASE_DIRECT_URL: it points to a different database than DATABASE_URL; set it to the URL of the one behind the pooler',
    ]);
  if (rows[0]?.timezone !== 'UTC')
    throw new ConfigError([
      `DATABASE_URL: sessions of the pooler run in the time zone ${rows[0]?.timezone}; run: ALTER DATABASE … SET timezone = 'UTC'`,
    ]);
}
