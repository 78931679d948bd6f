import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { measureAllocation } from './allocation.ts';
import { writeFocusFiles } from './focus-files.ts';
import { measureIngest } from './ingest.ts';
import { folderBytes, percentile, printTable, timed } from './measure.ts';
import { measureQueries, queryRow } from './queries.ts';
import { register, rest, type Running } from './server.ts';

/** Measures a bill whose line items hardly aggregate: load, disk, evaluation, queries on its facts, and other requests
 *  while the engine is busy. `root` is the folder that the server reads. */
export async function measureSparse(
  server: Running,
  database: pg.ClientConfig,
  { root, dataDir, millions }: { root: string; dataDir: string; millions: number },
): Promise<void> {
  const rows = millions * 1_000_000;
  const folder = `sparse-${rows}`;
  await writeFocusFiles(join(root, folder), rows, 'sparse');
  const token = await register(server);
  const before = await diskBytes(database, dataDir);
  let after = before;
  let evaluationMs = NaN;
  // Before the reference runs again, because the evaluation begins immediately.
  const onLoaded = async () => {
    after = await diskBytes(database, dataDir);
    evaluationMs = (await timed(() => evaluated(database))).ms;
  };
  const ingest = await measureIngest(server, token, { root, folder, rows, onLoaded });
  const { data } = await rest<{ data: { id: string }[] }>(server, 'GET /accounts', token);
  const accountId = data[0]?.id ?? '';
  const facts = await factCount(database, accountId);
  printTable(`Ingest of ${millions} million line items that hardly aggregate`, [
    {
      ...ingest,
      facts: String(facts),
      'fact files, bytes per fact': (after.files - before.files) / facts,
      'rollups, bytes per fact': (after.database - before.database) / facts,
      'all, bytes per fact': (after.files + after.database - before.files - before.database) / facts,
      'evaluation s': evaluationMs / 1000,
    },
  ]);
  await measureAllocation(server, token, millions);
  const place = { accountId, folder: join(root, folder) };
  const answers = await measureQueries(server, token, database, { ...place, kind: 'facts' });
  printTable(`Queries on facts over 12 of 13 months`, answers.map(queryRow));
  const views = await measureQueries(server, token, database, { ...place, kind: 'views' });
  printTable(`Views over the same`, views.map(queryRow));
  printTable('Requests that need no engine', await measureBeside(server, token, database, accountId));
}

async function diskBytes(database: pg.ClientConfig, dataDir: string): Promise<{ database: number; files: number }> {
  const [row] = await query<{ bytes: string }>(database, 'SELECT pg_database_size(current_database()) AS bytes', []);
  return { database: Number(row?.bytes), files: await folderBytes(join(dataDir, 'facts')) };
}

async function factCount(database: pg.ClientConfig, accountId: string): Promise<number> {
  const [row] = await query<{ facts: string }>(
    database,
    `SELECT sum((file->>'rows')::bigint) AS facts FROM billing_periods, jsonb_array_elements(facts) AS file
     WHERE account_id = $1 AND file->>'grain' = 'day'`,
    [accountId],
  );
  return Number(row?.facts);
}

/** Waits until no evaluation is queued or running. */
async function evaluated(database: pg.ClientConfig): Promise<void> {
  for (;;) {
    const rows = await query(database, `SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'evaluate'`, []);
    if (rows.length === 0) return;
    await sleep(100);
  }
}

async function query<Row extends pg.QueryResultRow>(database: pg.ClientConfig, text: string, values: unknown[]) {
  const client = new pg.Client(database);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

const requests = 400;

/** Percentiles of a view's cold results, alone and while queries by resource and day keep the engine busy. */
async function measureBeside(server: Running, token: string, database: pg.ClientConfig, accountId: string) {
  const alone = await askViews(server, token);
  const idle = new AbortController();
  const busy = Promise.all(
    [0, 1].map(async (lane) => {
      for (let round = 0; !idle.signal.aborted; round++) {
        const start = `2025-${11 + lane}-${String(1 + (round % 28)).padStart(2, '0')}`;
        await rest(server, `GET /costs?group_by=resource,meter&granularity=daily&start_date=${start}`, token);
        await query(database, 'UPDATE accounts SET version = version + 1 WHERE id = $1', [accountId]);
      }
    }),
  );
  const beside = await askViews(server, token).finally(() => idle.abort());
  await busy;
  return [
    { '/budgets': 'engine idle', ...alone, 'p99 / idle': 1 },
    { '/budgets': 'engine busy', ...beside, 'p99 / idle': beside['p99 ms'] / alone['p99 ms'] },
  ];
}

async function askViews(server: Running, token: string) {
  const times: number[] = [];
  for (let index = 0; index < requests; index++) {
    times.push((await timed(() => rest(server, `GET /budgets?per_page=${1 + (index % 100)}`, token))).ms);
    await sleep(5);
  }
  return { 'p50 ms': percentile(times, 0.5), 'p99 ms': percentile(times, 0.99) };
}
