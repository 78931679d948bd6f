import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/kit/config/config.ts';
import { openDatabase } from '../../src/kit/database/open.ts';
import { openLog } from '../../src/kit/log.ts';
import { addMonths, lastDay } from '../../src/kit/time/period.ts';
import { measureAnalysis } from './analysis.ts';
import { measureBackups } from './backup.ts';
import { firstMonth, monthFiles, writeFocusFiles } from './focus-files.ts';
import { measureConsole } from './console.ts';
import { measureHttp } from './http.ts';
import { measureIngest } from './ingest.ts';
import { memoryMiB, printTable } from './measure.ts';
import { measureQueries, queryRow } from './queries.ts';
import { measureReports, type Wanted } from './reports.ts';
import { reportAnomalies } from './series/anomaly-report.ts';
import { reportForecasts } from './series/forecast-report.ts';
import { register, rest, start, type Running } from './server.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureSparse } from './sparse.ts';
import { measureStorage } from './storage.ts';
import { measureTwoServers } from './two-servers.ts';

const allParts = [
  'anomalies',
  'forecast',
  'start',
  'console',
  'requests',
  'costs',
  'sparse',
  'analysis',
  's3',
  'deliveries',
  'backup',
  'servers',
] as const;

const { values } = parseArgs({
  options: {
    /** Line items in millions, comma-separated. */
    millions: { type: 'string', default: '1,10' },
    /** The folder that keeps the FOCUS files between runs. */
    files: { type: 'string', default: join(tmpdir(), 'costkeep-bench') },
    /** Number of accounts in the measured list. */
    accounts: { type: 'string', default: '100' },
    /** Number of resources of the evaluated account. */
    resources: { type: 'string', default: '200000' },
    /** The parts to run, comma-separated. */
    parts: { type: 'string', default: allParts.join(',') },
    /** Seeds of generated costs, comma-separated; by default, seeds that were never used for tuning. */
    seeds: { type: 'string', default: '' },
  },
});

/** The options of `npm start`; the reference uses the same. */
const flags = ['--max-semi-space-size=16'];
const serve = [...flags, join(import.meta.dirname, '../../src/main.ts'), 'serve'];

/** The whole period of the bill. */
const allDays = [`${firstMonth}-01`, lastDay(addMonths(firstMonth, monthFiles - 1))] as const;

const costReports: readonly Wanted[] = [
  ...['cost_summary', 'cost_by_service', 'cost_by_account', 'inventory', 'coverage'].map((type) => ({
    type,
    days: allDays,
  })),
  { type: 'cost_by_tag', filters: { tag_key: 'application' }, days: allDays },
];

/** Results are ratios within this run, because machines are noisy and not comparable. */
async function main(): Promise<void> {
  const root = values.files;
  const dataDir = await mkdtemp(join(tmpdir(), 'costkeep-bench-data-'));
  // If root runs the benchmark, the database runs as another user, and would store data elsewhere permanently if it
  // could not enter this folder.
  await chmod(dataDir, 0o711);
  const env = { DATA_DIR: dataDir, FOCUS_ROOT: root };
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, Node ${process.version}`);
  try {
    const parts = new Set(values.parts.split(','));
    const unknown = [...parts].filter((part) => !allParts.some((known) => known === part));
    if (unknown.length > 0) throw new Error(`--parts "${unknown.join(',')}" is unknown: use ${allParts.join(', ')}`);
    const seeds = values.seeds === '' ? undefined : values.seeds.split(',').map(Number);
    if (parts.has('anomalies')) reportAnomalies(seeds);
    if (parts.has('forecast')) reportForecasts({ seeds });
    if (parts.has('start')) await measureStart(env);
    if (parts.has('console')) await measureConsole(serve, env);
    const millions = values.millions.split(',').map(Number);
    if (parts.has('deliveries')) for (const size of millions) await measureDeliveries(size);
    if (parts.has('s3')) await measureStorage(serve, { env, root, millions });
    if (parts.has('backup')) await measureBackups(serve, { root, millions });
    if (parts.has('servers')) await measureTwoServers(serve, root);
    if (!['requests', 'costs', 'sparse', 'analysis'].some((part) => parts.has(part))) return;
    const server = await start(serve, env, '/ready');
    try {
      if (parts.has('requests')) await measureHttp(server, env, { flags, root, accounts: Number(values.accounts) });
      if (parts.has('costs')) await measureSizes(server, env);
      if (parts.has('sparse')) await measureSparseBills(server, env, millions);
      if (parts.has('analysis')) await measureAnalysis(server, env, { root, resources: Number(values.resources) });
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureStart(env: Record<string, string>): Promise<void> {
  const first = await start(serve, env, '/ready');
  await first.stop();
  const second = await start(serve, env, '/ready');
  await sleep(2000);
  printTable('Start', [
    {
      what: 'seconds and MiB',
      'first start s': first.startMs / 1000,
      'next start s': second.startMs / 1000,
      'idle server MiB': memoryMiB(second.pid).now,
    },
  ]);
  await second.stop();
}

async function measureSizes(server: Running, env: Record<string, string>): Promise<void> {
  const database = await openDatabase(readConfig(env), openLog('error'));
  const medians = new Map<string, number>();
  try {
    for (const millions of values.millions.split(',').map(Number)) {
      const rows = millions * 1_000_000;
      const folder = `focus-${rows}`;
      await writeFocusFiles(join(values.files, folder), rows);
      const token = await register(server);
      printTable(`Ingest of ${millions} million line items`, [
        await measureIngest(server, token, { root: values.files, folder, rows }),
      ]);
      const { data } = await rest<{ data: { id: string }[] }>(server, 'GET /accounts', token);
      const answers = await measureQueries(server, token, database.connection, {
        accountId: data[0]?.id ?? '',
        folder: join(values.files, folder),
        kind: 'views',
      });
      printTable(`Queries over 12 months of ${millions} million line items`, answers.map(queryRow));
      for (const row of answers.map(queryRow)) printGrowth(medians, row.question, row['cold p50 ms']);
      printTable(
        `Reports over ${monthFiles} months of ${millions} million line items`,
        await measureReports(server, token, costReports),
      );
    }
  } finally {
    await database.stop();
  }
}

async function measureSparseBills(server: Running, env: Record<string, string>, millions: readonly number[]) {
  const database = await openDatabase(readConfig(env), openLog('error'));
  try {
    for (const each of millions)
      await measureSparse(server, database.connection, {
        root: values.files,
        dataDir: env['DATA_DIR'] ?? '',
        millions: each,
      });
  } finally {
    await database.stop();
  }
}

function printGrowth(medians: Map<string, number>, question: string, ms: number): void {
  const before = medians.get(question);
  medians.set(question, ms);
  if (before !== undefined) console.log(`${question}: ${(ms / before).toFixed(2)} times the median of the size before`);
}

await main();
