import { expect, it } from 'vitest';
import { evaluateAccount, queueEvaluations } from '../../src/analysis/evaluation/run.ts';
import { performSync } from '../../src/ingest/sync/perform.ts';
import { disconnectAccount } from '../../src/ingest/accounts/run.ts';
import { recordListing } from '../../src/facts/inventory/listing.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { specOf } from '../../src/jobs/queue.ts';
import { newId } from '../../src/kit/ids.ts';
import type { Viewer } from '../../src/tenancy/auth/scope.ts';
import { noQueue } from '../support/jobs.ts';
import { billsOfFile, type Bills } from '../ingest/world.ts';
import { background, listed } from '../facts/inventory/world.ts';

const aBill = billsOfFile();

/** A queue that records its calls. */
function recording() {
  const said: unknown[] = [];
  const queue: Deps['queue'] = {
    add: async (task, payload, options) => void said.push({ task, payload, ...specOf(task, payload), ...options }),
    remove: async (task, payload) => void said.push({ removed: specOf(task, payload).jobKey }),
    pending: async () => [],
  };
  return { queue, said };
}

const jobOf = ({ accountId, scope }: Bills) => ({
  task: 'evaluate',
  payload: { organizationId: scope.organizationId, accountId },
  jobKey: `evaluate:${accountId}`,
  queueName: `evaluate:${scope.organizationId}`,
  maxAttempts: 5,
});

async function sync({ deps, scope, accountId }: Bills, queue: Deps['queue']): Promise<void> {
  const { organizationId } = scope;
  const data = { accountId, organizationId, status: 'queued' } as const;
  await deps.db.accountSync.createMany({ data, skipDuplicates: true });
  await performSync({ ...deps, queue }, scope, accountId, new AbortController().signal);
}

/** The tables with rows of an account, except the audit log. */
async function tablesOf({ pool, accountId }: Bills): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'account_id'
     AND table_name <> 'audit_entries' ORDER BY 1`,
  );
  const held: string[] = [];
  for (const { name } of rows)
    if ((await pool.query(`SELECT 1 FROM ${name} WHERE account_id = $1 LIMIT 1`, [accountId])).rows[0]) held.push(name);
  return held;
}

it('follows a sync that loaded data or may have, but not one without new data', async () => {
  const bills = await aBill();
  await bills.put('a.csv', background());
  const { queue, said } = recording();
  // Budgets and alert rules do not wait for an evaluation.
  const checks = ['check_budgets', 'check_alert_rules'].map((task) => expect.objectContaining({ task }));
  await sync(bills, queue);
  expect(said).toEqual([...checks, jobOf(bills)]);
  await sync(bills, queue);
  expect(said).toHaveLength(3);
  await bills.putRaw('b.csv', 'BilledCost,ChargePeriodStart\n1,2026-06-01\n');
  await sync(bills, queue);
  expect(said).toEqual([...checks, jobOf(bills), ...checks, jobOf(bills)]);
});

it('is queued for every account once per day, whatever its state', async () => {
  const bills = await aBill();
  await bills.deps.db.account.updateMany({ where: { id: bills.accountId }, data: { status: 'disconnected' } });
  const { queue, said } = recording();
  await queueEvaluations({ ...bills.deps, queue });
  expect(said).toContainEqual(jobOf(bills));
});

it('builds the inventory also when run concurrently, and leaves nothing of a purged account', async () => {
  const bills = await aBill();
  await bills.put('a.csv', background());
  await bills.sync();
  await recordListing(bills.deps, bills.scope, bills.accountId, { items: [listed()], listedAt: new Date() });
  await Promise.all([1, 2].map(() => evaluateAccount({ ...bills.deps, queue: noQueue }, bills.scope, bills.accountId)));
  expect(await tablesOf(bills)).toEqual(expect.arrayContaining(['inventory_counts', 'inventory_resources']));
  const { queue, said } = recording();
  const user = { userId: newId(new Date()), scope: bills.scope } as Viewer;
  const actor = { organizationId: bills.scope.organizationId, userId: null, email: null, ipAddress: '', userAgent: '' };
  await disconnectAccount({ ...bills.deps, queue }, user, actor, { id: bills.accountId, purge: true });
  const purgeKey = `purge_account:${bills.accountId}`;
  expect(said).toEqual([
    expect.objectContaining({ task: 'purge_account', jobKey: purgeKey }),
    { removed: `sync:${bills.accountId}` },
    { removed: `evaluate:${bills.accountId}` },
    { removed: purgeKey },
  ]);
  await evaluateAccount({ ...bills.deps, queue: noQueue }, bills.scope, bills.accountId);
  expect(await tablesOf(bills)).toEqual([]);
});
