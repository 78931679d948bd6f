import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { syncAccount } from '../../../src/ingest/sync/account.ts';
import { newId } from '../../../src/kit/ids.ts';
import { readMigrations } from '../../../src/kit/database/migrate.ts';
import type { Database } from '../../../src/kit/database/open.ts';
import type { Deps } from '../../../src/kit/deps.ts';
import { backUp, type BackupResult } from '../../../src/operation/backup/back-up.ts';
import { placeOf } from '../../../src/operation/backup/places/place.ts';
import { checkBackup, restore, type RestoreResult } from '../../../src/operation/backup/restore/restore.ts';
import type { Manifest } from '../../../src/operation/backup/archive/format.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { writeFocus, aLine, type FocusRow } from '../../support/focus.ts';
import { aWorld, type World } from '../../support/world.ts';

export const migrations = readMigrations(path.resolve(import.meta.dirname, '../../../prisma/migrations'));

export const passphrase = 'correct horse battery';

/** A folder that is deleted after the test. */
export function aFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'costkeep-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A world with bills that its own sync has loaded. */
export interface Loaded {
  readonly world: World;
  readonly token: string;
  readonly organizationId: string;
  /** Writes a month's bill and syncs it. */
  load(month: string, rows: readonly FocusRow[]): Promise<void>;
}

/** Opens a world with two months of bills. */
export async function aLoadedWorld(): Promise<Loaded> {
  const bills = aFolder();
  const accountId = newId(new Date());
  await mkdir(path.join(bills, accountId));
  const opened = await aWorld({ hasQueue: true });
  const world = { ...opened, deps: { ...opened.deps, config: { ...opened.deps.config, focusRoot: bills } } };
  const { token } = await world.register();
  const { id: organizationId } = await world.deps.db.organization.findFirstOrThrow();
  const settings = { path: accountId };
  const account = { id: accountId, organizationId, name: 'Bills', provider: 'focus', externalId: accountId } as const;
  await world.deps.db.account.create({ data: { ...account, settings } });
  const load: Loaded['load'] = async (month, rows) => {
    await writeFocus(path.join(bills, accountId, `${month}.csv`), rows);
    await syncAccount(world.deps, orgScope(organizationId, null), accountId, {
      signal: new AbortController().signal,
      onProgress: () => {},
    });
  };
  await load('2026-05', monthOf('2026-05', ['0.000000000001', '12.5', '-3.25']));
  await load('2026-06', monthOf('2026-06', ['100', '0.1', '0.2']));
  return { world, token, organizationId, load };
}

/** Charges on consecutive days of a month. */
export function monthOf(month: string, costs: readonly string[]): FocusRow[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  return costs.map((cost, index) => {
    const day = (offset: number) => `${month}-${String(index + 1 + offset).padStart(2, '0')}T00:00:00Z`;
    return aLine({
      BillingPeriodStart: `${month}-01T00:00:00Z`,
      BillingPeriodEnd: `${next}T00:00:00Z`,
      ChargePeriodStart: day(0),
      ChargePeriodEnd: day(1),
      BilledCost: cost,
      EffectiveCost: cost,
      ListCost: cost,
      ContractedCost: cost,
      ServiceName: `Service "${index}"\t\\`,
      Tags: JSON.stringify({ team: `naïve ${index}\n` }),
    });
  });
}

type BackupDeps = Pick<Deps, 'connection' | 'factStore' | 'config' | 'clock'>;

/** Backs up into a location. */
export async function backUpTo(
  deps: BackupDeps,
  location: string,
  options: { passphrase?: string | null; signal?: AbortSignal; onProgress?: () => void } = {},
): Promise<BackupResult> {
  const signal = options.signal ?? new AbortController().signal;
  const place = await placeOf(location, deps.config);
  return backUp(deps, place, { passphrase: null, ...options, signal });
}

/** Checks a backup and restores it. */
export async function restoreFrom(
  location: string,
  into: { deps: Pick<Deps, 'factStore' | 'config' | 'clock' | 'log'>; database: Pick<Database, 'pool' | 'connection'> },
  options: { replace?: boolean; known?: typeof migrations; signal?: AbortSignal } = {},
): Promise<RestoreResult> {
  const { folder, name } = await placeOf(location, into.deps.config);
  const checked = await checkBackup(folder, name ?? '');
  const { factStore, config, clock, log } = into.deps;
  const deps = { factStore, config, clock, log, database: into.database, migrations: options.known ?? migrations };
  const signal = options.signal ?? new AbortController().signal;
  return restore(deps, checked, { replace: options.replace ?? false, signal });
}

/** The manifest of a backup. */
export async function manifestOf(location: string, deps: Pick<Deps, 'config'>): Promise<Manifest> {
  const { folder, name } = await placeOf(location, deps.config);
  return (await checkBackup(folder, name ?? '')).manifest;
}
