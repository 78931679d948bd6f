import pg from 'pg';
import type { Log } from '../log.ts';

// A connection can stop responding without being closed: after a failover, on a frozen machine, or behind a firewall that dropped its
// state. A query on it would wait forever. `pg_stat_activity` shows whether the database still runs the query.

/** Maximum time until a connection is established, in milliseconds. */
const CONNECT_MS = 10_000;

/** Fails if a connection is not established in time; waiting for a free one of a pool is not limited. */
export class PatientClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(typeof config === 'object' ? { ...config, connectionTimeoutMillis: CONNECT_MS } : config);
  }
}

/** Times in milliseconds. */
const limits = {
  /** Between two checks. */
  tick: 5_000,
  /** Minimum age of the last change of a session that is idle for the database but not for us: more than two checks. */
  idle: 12_000,
  /** Until a check fails. */
  check: 10_000,
  /** Until waiting sessions are closed if all checks fail; with the other times, requests wait for at most 40 seconds. */
  unreachable: 20_000,
};

interface Watched {
  /** The open sessions of a pool. */
  readonly sessions: ReadonlySet<pg.PoolClient>;
  readonly connection: pg.ClientConfig;
  /** A pooler is in between, so that the process ids are not those of the database. */
  readonly isPooled: boolean;
  readonly log: Log;
}

/** Closes sessions that wait for a response that does not come: their queries fail, and the pool opens new sessions.
 *  @returns a function that ends the watch */
export function closeSilent(watched: Watched, times = limits): () => void {
  const { sessions, log } = watched;
  let before: ReadonlySet<pg.PoolClient> = new Set();
  let failingSince: number | null = null;
  let isChecking = false;
  const check = async () => {
    const waiting = new Set([...sessions].filter(isWaiting));
    const suspects = [...waiting].filter((session) => before.has(session));
    before = waiting;
    if (suspects.length === 0) return void (failingSince = null);
    const begun = performance.now();
    const lost = await findLost(watched, suspects, times);
    failingSince = lost === null ? (failingSince ?? begun) : null;
    const isUnreachable = failingSince !== null && performance.now() - failingSince > times.unreachable;
    const closed = (isUnreachable ? suspects : (lost ?? [])).filter(isWaiting);
    closed.forEach(closeNow);
    if (closed.length > 0) log.warn({ sessions: closed.length }, 'Database connections without a response were closed');
  };
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void check().finally(() => (isChecking = false));
  }, times.tick);
  timer.unref();
  return () => clearInterval(timer);
}

/** Closes a session without a Terminate message; its query fails. */
export function closeNow(session: pg.PoolClient): void {
  const line: unknown = Reflect.get(session, 'connection');
  if (line instanceof pg.Connection) line.stream.destroy();
}

/** Returns the process id of a session in the database; behind a pooler, that of the pooler. */
export function processOf(session: pg.PoolClient): number {
  return Number(Reflect.get(session, 'processID'));
}

/** Whether a session has sent a query and has not received the end of its response. */
function isWaiting(session: pg.PoolClient): boolean {
  return Reflect.get(session, 'readyForQuery') === false;
}

/** Returns the sessions that the database does not have, or that have been idle there; none if it refuses the check; null if it
 *  cannot be reached. */
async function findLost(
  { connection, isPooled }: Watched,
  sessions: readonly pg.PoolClient[],
  times: typeof limits,
): Promise<pg.PoolClient[] | null> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: times.check, query_timeout: times.check });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `/* findLost */ SELECT pid FROM pg_stat_activity
       WHERE coalesce(state, '') NOT LIKE 'idle%' OR state_change > now() - $1::int * interval '1 millisecond'`,
      [times.idle],
    );
    const busy = new Set(rows.map(({ pid }) => pid));
    return isPooled ? [] : sessions.filter((session) => !busy.has(processOf(session)));
  } catch (error) {
    // 08P01: a connection pooler without its database.
    return error instanceof pg.DatabaseError && error.code !== '08P01' ? [] : null;
  } finally {
    void client.end().catch(() => {});
  }
}
