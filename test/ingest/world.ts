import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import { beforeAll, onTestFinished } from 'vitest';
import { runSync } from '../../src/ingest/sync/account-run.ts';
import type { SyncDeps, SyncResult } from '../../src/ingest/sync/job.ts';
import type { SyncProgress } from '../../src/ingest/sync/store.ts';
import { readConfig } from '../../src/kit/config.ts';
import type { Database } from '../../src/kit/database/open.ts';
import { AppError } from '../../src/kit/errors.ts';
import { newId } from '../../src/kit/ids.ts';
import { openLog } from '../../src/kit/log.ts';
import { orgScope, type OrgScope } from '../../src/tenancy/auth/scope.ts';
import { shareCodeCache } from '../support/code-cache.ts';
import { freshDatabase } from '../support/database.ts';
import { writeFocus, type FocusRow, type FocusStyle } from '../support/focus.ts';

/** A connected account whose bills lie in a folder of the test. */
export interface Bills {
  readonly accountId: string;
  readonly scope: OrgScope;
  readonly deps: SyncDeps;
  readonly pool: Pool;
  /** Absolute folder of the bills. */
  readonly folder: string;
  /** Writes a file of line items; its ending says the format. */
  put(name: string, rows: readonly FocusRow[], style?: FocusStyle): Promise<void>;
  /** Writes a file as it is. */
  putRaw(name: string, content: string | Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  sync(watch?: SyncWatching): Promise<SyncResult>;
  /** The message of a sync that is refused. */
  refusal(): Promise<string>;
}

interface SyncWatching {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SyncProgress) => void;
}

/** When every sync of a test runs, by its clock. */
export const testNow = new Date('2026-08-10T12:00:00Z');

/** One database for the accounts of a file. Each call connects a new account with an empty folder, which ends with the
 *  test; `ofFile` one that lasts as long as the file's tests, for `beforeAll`. */
export function billsOfFile(): (() => Promise<Bills>) & { ofFile(): Promise<Bills> } {
  let opened: { database: Database; base: string } | undefined;
  beforeAll(async () => {
    const base = await mkdtemp(path.join(tmpdir(), 'costkeep-bills-'));
    shareCodeCache(path.join(base, 'data'));
    opened = { database: await freshDatabase(), base };
    return () => rm(base, { recursive: true, force: true });
  });
  const connect = async () => {
    if (!opened) throw new Error('The database opens before the first test');
    return connectBills(opened.database, opened.base);
  };
  const ofTest = async () => {
    const bills = await connect();
    onTestFinished(() => rm(bills.folder, { recursive: true, force: true }));
    return bills;
  };
  return Object.assign(ofTest, { ofFile: connect });
}

async function connectBills(database: Database, base: string): Promise<Bills> {
  const accountId = newId(new Date());
  const folder = path.join(base, accountId);
  await mkdir(folder);
  const deps: SyncDeps = {
    db: database.prisma,
    pool: database.pool,
    clock: { now: () => testNow },
    config: { ...readConfig({ DATA_DIR: path.join(base, 'data'), LOG_LEVEL: 'silent' }), focusRoot: base },
    log: openLog('silent'),
  };
  const organization = await deps.db.organization.create({ data: { name: 'Plum', trustExternalId: accountId } });
  const scope = orgScope(organization.id, null);
  await deps.db.account.create({
    data: {
      id: accountId,
      organizationId: organization.id,
      name: 'Bills',
      provider: 'focus',
      externalId: accountId,
      settings: { path: accountId },
    },
  });
  const sync = (watch: SyncWatching = {}) =>
    runSync(deps, scope, accountId, {
      signal: watch.signal ?? new AbortController().signal,
      onProgress: watch.onProgress ?? (() => {}),
    });
  return {
    accountId,
    scope,
    deps,
    pool: database.pool,
    folder,
    put: (name, rows, style) => writeFocus(path.join(folder, name), rows, style),
    async putRaw(name, content) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), content);
    },
    remove: (name) => rm(path.join(folder, name), { recursive: true }),
    sync,
    refusal: () => messageOf(sync()),
  };
}

async function messageOf(sync: Promise<SyncResult>): Promise<string> {
  const error: unknown = await sync.then(
    () => new Error('The sync was not refused'),
    (reason: unknown) => reason,
  );
  if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return error.message;
  throw error;
}

/** A fact with its dictionary entries, every value as text; amounts without trailing zeros. */
export type Fact = Readonly<Record<string, string | null>>;

/** The facts of an account, in an order of their own. */
export async function factsOf({ pool, accountId }: Pick<Bills, 'pool' | 'accountId'>): Promise<Fact[]> {
  const { rows } = await pool.query<Fact>(
    `SELECT to_char(f.billing_period, 'YYYY-MM') AS month, f.charge_date::text AS day, f.provider, f.currency, f.charge_category::text AS category,
       f.charge_class::text AS class, f.pricing_kind::text AS pricing, s.name AS service, s.category AS service_category, r.code AS region,
       r.name AS region_name, a.code AS sub_account, a.name AS sub_account_name, a.billing_account_id AS payer, x.native_id AS resource,
       x.name AS resource_name, x.resource_type, concat_ws('|', k.sku_id, k.sku_price_id, k.meter, k.pricing_unit, k.consumed_unit) AS sku,
       c.code AS commitment, t.tags::text AS tags, f.line_items::text AS lines, trim_scale(f.billed)::text AS billed,
       trim_scale(f.effective)::text AS effective, trim_scale(f.list)::text AS list, trim_scale(f.contracted)::text AS contracted,
       trim_scale(f.pricing_quantity)::text AS pricing_quantity, trim_scale(f.consumed_quantity)::text AS consumed_quantity
     FROM cost_facts f
     JOIN services s ON s.account_id = f.account_id AND s.id = f.service_id
     JOIN regions r ON r.account_id = f.account_id AND r.id = f.region_id
     JOIN sub_accounts a ON a.account_id = f.account_id AND a.id = f.sub_account_id
     JOIN skus k ON k.account_id = f.account_id AND k.id = f.sku_id
     LEFT JOIN resources x ON x.account_id = f.account_id AND x.id = f.resource_id
     LEFT JOIN commitments c ON c.account_id = f.account_id AND c.id = f.commitment_id
     LEFT JOIN tag_sets t ON t.account_id = f.account_id AND t.id = f.tag_set_id
     WHERE f.account_id = $1`,
    [accountId],
  );
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Billed cost of each billing month, without trailing zeros. */
export async function monthsOf({
  pool,
  accountId,
}: Pick<Bills, 'pool' | 'accountId'>): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ month: string; billed: string }>(
    `SELECT to_char(billing_period, 'YYYY-MM') AS month, trim_scale(sum(billed))::text AS billed FROM cost_facts
     WHERE account_id = $1 GROUP BY 1 ORDER BY 1`,
    [accountId],
  );
  return Object.fromEntries(rows.map((row) => [row.month, row.billed]));
}

/** Everything of an account that a sync may change, but for the files it remembers. */
export async function stateOf({ pool, accountId }: Pick<Bills, 'pool' | 'accountId'>): Promise<unknown> {
  const { rows } = await pool.query<{ state: unknown }>(
    `SELECT jsonb_build_object(
       'account', (SELECT to_jsonb(a) FROM accounts a WHERE a.id = $1),
       'periods', (SELECT jsonb_agg(to_jsonb(p) ORDER BY p.period) FROM billing_periods p WHERE p.account_id = $1),
       'facts', (SELECT jsonb_agg(to_jsonb(f) ORDER BY to_jsonb(f)::text) FROM cost_facts f WHERE f.account_id = $1),
       'rollups', (SELECT jsonb_agg(to_jsonb(r) ORDER BY to_jsonb(r)::text) FROM cost_rollups r WHERE r.account_id = $1),
       'services', (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.id) FROM services d WHERE d.account_id = $1),
       'resources', (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.id) FROM resources d WHERE d.account_id = $1),
       'tagSets', (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.id) FROM tag_sets d WHERE d.account_id = $1),
       'tagKeys', (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.period, d.id) FROM tag_keys d WHERE d.account_id = $1)) AS state`,
    [accountId],
  );
  return rows[0]?.state;
}

/** The version of an account, which moves every answer's ETag. */
export async function versionOf({ pool, accountId }: Pick<Bills, 'pool' | 'accountId'>): Promise<number> {
  const { rows } = await pool.query<{ version: number }>('SELECT version FROM accounts WHERE id = $1', [accountId]);
  return rows[0]?.version ?? -1;
}
