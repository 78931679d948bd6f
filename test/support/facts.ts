import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import type { FactEngine } from '../../src/engine/engine.ts';
import { factColumns, factNames, factVersion } from '../../src/engine/codebook.ts';
import type { FactFile } from '../../src/engine/fact-set.ts';
import type { FactStore } from '../../src/engine/stores/fact-store.ts';
import { engineOver } from '../../src/engine/open.ts';
import { EngineProcess } from '../../src/engine/process.ts';
import { identifier, literal } from '../../src/engine/sql.ts';
import { folderStore } from '../../src/engine/stores/folder.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { openLog, type Log } from '../../src/kit/log.ts';
import { addMonths, firstDay, type Month } from '../../src/kit/time/period.ts';
import { shareCodeCache } from './code-cache.ts';

/** Charges of one day by column: texts, and measures as decimals. A missing column has its default, or null.
 *  `ChargePeriodStart` is a day. */
export type FactRow = Readonly<Record<string, string | number | null>> & { readonly ChargePeriodStart: string };

/** The facts of a billing month. */
export interface FactMonth {
  readonly organizationId: string;
  readonly accountId: string;
  readonly month: Month;
  readonly rows: readonly FactRow[];
  /** Writes files as an older version did: without newer columns, and without recording the version. */
  readonly version?: 1 | 2;
}

/** One engine process for all worlds of a test process; it starts once and ends with the process. */
let shared: { readonly process: EngineProcess; readonly folder: string } | undefined;

/** An engine with its own store. Neither needs closing: the files are in the temporary folder of the run. */
export function factWorld(
  log: Log = openLog('silent'),
  timeoutMs = 30_000,
): { engine: FactEngine; factStore: FactStore; folder: string } {
  shared ??= shareProcess();
  const folder = path.join(shared.folder, randomUUID());
  const factStore = folderStore(folder);
  const engine = engineOver({
    process: shared.process,
    store: factStore,
    log,
    timeoutMs,
    onClose: async () => {},
  });
  return { engine, factStore, folder };
}

function shareProcess() {
  const dataDir = fs.mkdtempSync(path.join(tmpdir(), 'costkeep-engine-'));
  shareCodeCache(dataDir);
  const folder = path.join(dataDir, 'facts');
  const scratch = path.join(dataDir, 'scratch');
  fs.mkdirSync(folder);
  fs.mkdirSync(scratch);
  const options = { folders: [folder], scratch, dataDir, memoryMiB: 512, threads: 2 };
  return { process: new EngineProcess(options, openLog('silent')), folder };
}

const defaults: Readonly<Record<string, string>> = {
  x_Provider: 'aws',
  BillingCurrency: 'USD',
  SubAccountId: 'unassigned',
  ServiceCategory: 'Other',
  ServiceName: 'Unknown',
  RegionId: 'global',
  ChargeCategory: 'Usage',
  x_PricingKind: 'on_demand',
  BilledCost: '0',
  EffectiveCost: '0',
  ListCost: '0',
  ContractedCost: '0',
  x_LineItems: '1',
  x_StartHours: '0',
};

/** Replaces the fact files of a billing month, like a load. The account must exist; its billing period is created if
 *  needed. */
export async function writeFacts(deps: Pick<Deps, 'pool' | 'factStore'>, month: FactMonth): Promise<void> {
  const files = await writeFiles(deps.factStore, month);
  const days = month.rows.map((row) => row.ChargePeriodStart.slice(0, 10)).sort();
  await deps.pool.query(
    `INSERT INTO billing_periods (account_id, organization_id, period, load_id, source_token, line_items, totals, data_from,
       data_to, loaded_at, facts)
     VALUES ($1, $2, $3, $1, 'test', $4, '[]', $5, $6, '2024-01-01T00:00:00Z', $7)
     ON CONFLICT (account_id, period) DO UPDATE
     SET line_items = excluded.line_items, data_from = excluded.data_from, data_to = excluded.data_to, facts = excluded.facts`,
    [
      month.accountId,
      month.organizationId,
      firstDay(month.month),
      month.rows.length,
      days[0],
      days.at(-1),
      JSON.stringify(files),
    ],
  );
}

/** Writes a file of each grain. */
async function writeFiles(
  store: FactStore,
  month: FactMonth,
): Promise<(Omit<FactFile, 'version'> & Partial<FactFile>)[]> {
  const duck = await (writer ??= openWriter());
  // Months are written concurrently.
  const lines = identifier(`lines of ${randomUUID()}`);
  const rows = JSON.stringify(month.rows.map((row) => rowOf(month, row)));
  await duck.run(`CREATE TABLE ${lines} AS ${linesOf(month)}`, { rows });
  const decimals = decimalType(month.rows);
  const version = month.version === 1 ? {} : { version: month.version ?? factVersion };
  const files = [];
  for (const grain of ['day', 'month'] as const) {
    const written = await writeFile(
      store,
      `${month.accountId}/${month.month}`,
      grouped(month, { lines, grain, decimals }),
    );
    files.push({ ...written, grain, decimals, ...version });
  }
  await duck.run(`DROP TABLE ${lines}`);
  return files;
}

/** Writes the rows of a query as one fact file, and puts it into the store. */
async function writeFile(
  store: FactStore,
  folder: string,
  query: string,
): Promise<Pick<FactFile, 'key' | 'rows' | 'bytes'>> {
  const duck = await (writer ??= openWriter());
  const name = randomUUID();
  const local = path.join(tmpdir(), `${name}.parquet`);
  const copied = await duck.run(`COPY (${query}) TO ${literal(local)} (FORMAT parquet, COMPRESSION zstd)`);
  const [[rows] = []] = await copied.getRowsJson();
  const { size: bytes } = fs.statSync(local);
  const key = `${folder}/${name}-0.parquet`;
  await store.put(key, local);
  return { key, rows: Number(rows), bytes };
}

function rowOf({ organizationId, accountId, month }: FactMonth, row: FactRow): Record<string, unknown> {
  const owner = { x_OrganizationId: organizationId, x_AccountId: accountId };
  const period = { BillingPeriodStart: firstDay(month), BillingPeriodEnd: firstDay(addMonths(month, 1)) };
  const unknown = Object.keys(row).filter((name) => !factColumns.some((column) => column.name === name));
  if (unknown.length > 0) throw new Error(`The codebook has no column ${unknown.join(', ')}`);
  return { ...defaults, ...owner, ...period, ...row };
}

/** Narrow decimals where they hold all values, as written by the loader. */
function decimalType(rows: readonly FactRow[]): string {
  const values = rows.flatMap((row) => measures.map((name) => String(row[name] ?? '0')));
  return values.every((value) => /^-?\d{1,9}(\.\d{1,8})?$/.test(value)) ? 'DECIMAL(18,8)' : 'DECIMAL(38,12)';
}

const measures = factNames('measure');

function heldBy(month: FactMonth) {
  const version = month.version ?? factVersion;
  return factColumns.filter(({ since }) => since <= version);
}

/** The rows with the types of their columns. */
function linesOf(month: FactMonth): string {
  const held = heldBy(month);
  const texts = JSON.stringify([Object.fromEntries(held.map(({ name }) => [name, 'VARCHAR']))]);
  const typed = held.map(({ name, type }) => `r.${identifier(name)}::${type} AS ${identifier(name)}`);
  return `SELECT ${typed.join(', ')} FROM (SELECT unnest(from_json($rows, ${literal(texts)})) AS r)`;
}

/** One row per distinct charge and day or month, sorted like the loader does. */
function grouped(
  month: FactMonth,
  { lines, grain, decimals }: { lines: string; grain: FactFile['grain']; decimals: string },
): string {
  const held = heldBy(month);
  const columns = held.map(({ name, type, role }) => {
    const column = identifier(name);
    if (name === 'ChargePeriodStart') return `min(${column}) AS ${column}`;
    if (name === 'ChargePeriodEnd') return `max(ChargePeriodStart) + INTERVAL 1 DAY AS ${column}`;
    if (name === 'x_StartHours') return `bit_or(${column}) AS ${column}`;
    const narrow = type === 'DECIMAL(38,12)' ? decimals : type;
    return role === 'measure' ? `sum(${column})::${narrow} AS ${column}` : column;
  });
  const keys = held.filter(({ role }) => role !== 'measure' && role !== 'time').map(({ name }) => identifier(name));
  return `SELECT ${columns.join(', ')} FROM ${lines} GROUP BY date_trunc('${grain}', ChargePeriodStart), ${keys.join(', ')}
    ORDER BY ServiceName, RegionId, SubAccountId, ResourceId, SkuMeter, ChargePeriodStart`;
}

let writer: Promise<DuckDBConnection> | undefined;

async function openWriter(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`SET timezone = 'UTC'`);
  return connection;
}
