import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Pool } from 'pg';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { syncAccount } from '../../src/ingest/sync/account.ts';
import type { SyncDeps, SyncResult } from '../../src/ingest/sync/bills/run.ts';
import type { SyncProgress } from '../../src/ingest/sync/store.ts';
import { readConfig } from '../../src/kit/config/config.ts';
import type { Database } from '../../src/kit/database/open.ts';
import { AppError } from '../../src/kit/errors/errors.ts';
import { newId } from '../../src/kit/ids.ts';
import { openLog } from '../../src/kit/log.ts';
import { orgScope, type OrgScope } from '../../src/tenancy/auth/scope.ts';
import { factWorld } from '../support/facts.ts';
import { shareCodeCache } from '../support/code-cache.ts';
import { freshDatabase } from '../support/database.ts';
import { plain, readFacts } from '../support/read-facts.ts';
import { writeFocus, type FocusRow, type FocusStyle } from '../support/focus.ts';

/** A connected account with its bills in a folder of the test. */
export interface Bills {
  readonly accountId: string;
  readonly scope: OrgScope;
  readonly deps: SyncDeps;
  readonly pool: Pool;
  /** Absolute folder of the bills. */
  readonly folder: string;
  /** Writes a file of line items, in the format of its extension. */
  put(name: string, rows: readonly FocusRow[], style?: FocusStyle): Promise<void>;
  /** Writes a file with the given content. */
  putRaw(name: string, content: string | Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  sync(watch?: SyncWatching): Promise<SyncResult>;
  /** The message of a rejected sync. */
  refusal(): Promise<string>;
}

interface SyncWatching {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SyncProgress) => void;
  readonly onReplaced?: () => void;
}

/** The time of every sync, by the test clock. */
export const testNow = new Date('2026-08-10T12:00:00Z');

/** One database for the accounts of a test file. Each call connects a new account with an empty folder, deleted after
 *  the test; `ofFile` connects one that lasts for all tests of the file, for `beforeAll`. */
export function billsOfFile(): (() => Promise<Bills>) & { ofFile(): Promise<Bills> } {
  let opened: { database: Database; base: string } | undefined;
  beforeAll(async () => {
    const base = await mkdtemp(path.join(tmpdir(), 'costkeep-bills-'));
    shareCodeCache(path.join(base, 'data'));
    opened = { database: await freshDatabase(), base };
    return () => rm(base, { recursive: true, force: true });
  });
  const connect = async () => {
    if (!opened) throw new Error('The database is not open yet; use it in a test');
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
    ...factWorld(),
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
    syncAccount(deps, scope, accountId, {
      signal: watch.signal ?? new AbortController().signal,
      onProgress: watch.onProgress ?? (() => {}),
      ...(watch.onReplaced && { onReplaced: watch.onReplaced }),
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

/** A fact with every value as text; amounts without trailing zeros. */
export type Fact = Readonly<Record<string, string | null>>;

type Read = Pick<Bills, 'accountId'> & { readonly deps: Pick<Bills['deps'], 'pool' | 'engine'> };

/** The facts of an account, in a stable order. */
export async function factsOf({ deps, accountId }: Read): Promise<Fact[]> {
  const rows = await readFacts<Fact>(
    deps,
    accountId,
    `SELECT strftime(BillingPeriodStart, '%Y-%m') AS "month", ChargePeriodStart::DATE::VARCHAR AS "day", x_Provider AS provider,
       BillingCurrency AS currency, lower(ChargeCategory) AS category, ChargeClass AS class, x_PricingKind AS pricing,
       ServiceName AS service, ServiceCategory AS service_category, RegionId AS region, RegionName AS region_name,
       SubAccountId AS sub_account, SubAccountName AS sub_account_name, BillingAccountId AS payer, ResourceId AS resource,
       ResourceName AS resource_name, ResourceType AS resource_type,
       concat_ws('|', coalesce(SkuId, ''), coalesce(SkuPriceId, ''), coalesce(SkuMeter, ''), coalesce(PricingUnit, ''),
         coalesce(ConsumedUnit, '')) AS sku,
       CommitmentDiscountId AS commitment, Tags AS tags, x_LineItems::VARCHAR AS lines, ${plain('BilledCost')} AS billed,
       ${plain('EffectiveCost')} AS effective, ${plain('ListCost')} AS list, ${plain('ContractedCost')} AS contracted,
       ${plain('PricingQuantity')} AS pricing_quantity, ${plain('ConsumedQuantity')} AS consumed_quantity FROM facts`,
  );
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Billed cost of each billing month, without trailing zeros; checks that day and month files agree. */
export async function monthsOf({ deps, accountId }: Read): Promise<Record<string, string>> {
  const sql = `SELECT strftime(BillingPeriodStart, '%Y-%m') AS "month", ${plain('sum(BilledCost)')} AS billed FROM facts
    GROUP BY 1 ORDER BY 1`;
  const days = await readFacts<{ month: string; billed: string }>(deps, accountId, sql);
  expect(await readFacts(deps, accountId, sql, 'month')).toEqual(days);
  return Object.fromEntries(days.map((row) => [row.month, row.billed]));
}

/** All data of an account that a sync may change, except its list of files. */
export async function stateOf(bills: Read & Pick<Bills, 'pool'>): Promise<unknown> {
  const { rows } = await bills.pool.query<{ state: unknown }>(
    `SELECT jsonb_build_object(
       'account', (SELECT to_jsonb(a) FROM accounts a WHERE a.id = $1),
       'periods', (SELECT jsonb_agg(to_jsonb(p) ORDER BY p.period) FROM billing_periods p WHERE p.account_id = $1),
       'rollups', (SELECT jsonb_agg(to_jsonb(r) ORDER BY to_jsonb(r)::text) FROM cost_rollups r WHERE r.account_id = $1),
       'services', (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.id) FROM services d WHERE d.account_id = $1),
       'tagPairs', (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.tag_set_id, d.key_id) FROM tag_pairs d WHERE d.account_id = $1),
       'invoices', (SELECT jsonb_agg(to_jsonb(i) ORDER BY to_jsonb(i)::text) FROM invoice_sums i WHERE i.account_id = $1),
       'tagKeys', (SELECT jsonb_agg(to_jsonb(d) ORDER BY d.period, d.id) FROM tag_keys d WHERE d.account_id = $1)) AS state`,
    [bills.accountId],
  );
  return [rows[0]?.state, await factsOf(bills)];
}

/** The version of an account, which is part of every ETag. */
export async function versionOf({ pool, accountId }: Pick<Bills, 'pool' | 'accountId'>): Promise<number> {
  const { rows } = await pool.query<{ version: number }>('SELECT version FROM accounts WHERE id = $1', [accountId]);
  return rows[0]?.version ?? -1;
}
