import { expect, it, vi } from 'vitest';
import { evaluateAccount } from '../../src/analysis/evaluation/run.ts';
import { purgeAccount } from '../../src/ingest/accounts/purge.ts';
import type { JobOptions } from '../../src/jobs/queue.ts';
import { specOf } from '../../src/jobs/queue.ts';
import { lockForEvaluation } from '../../src/kit/database/account-lock.ts';
import { databaseCodes } from '../../src/kit/database/away.ts';
import { inTransaction } from '../../src/kit/database/transaction.ts';
import { aLine } from '../support/focus.ts';
import { noQueue } from '../support/jobs.ts';
import { billsOfFile, monthsOf, testNow } from '../ingest/world.ts';

const bills = billsOfFile();

it('lets a sync start while an evaluation of its account runs', () => {
  const ids = { organizationId: 'o', accountId: 'a' };
  expect(specOf('sync', ids).queueName).not.toBe(specOf('evaluate', ids).queueName);
});

/** Starts an evaluation that holds the account's lock.
 *  @returns the codes of the error that ends it */
async function heldEvaluation({ pool, accountId }: Awaited<ReturnType<typeof bills>>) {
  const held = Promise.withResolvers<void>();
  const codes = inTransaction(pool, async (client) => {
    await lockForEvaluation(client, accountId);
    held.resolve();
    await client.query('SELECT pg_sleep(50)');
  }).then(
    () => [],
    (error: object) => databaseCodes(error),
  );
  await held.promise;
  return { codes };
}

it('ends the transaction of an evaluation when a load needs the account', async () => {
  const account = await bills();
  await account.put('a.csv', [aLine({ day: '2026-05-03', cost: '1' })]);
  const evaluation = await heldEvaluation(account);
  await account.sync();
  expect(await monthsOf(account)).toEqual({ '2026-05': '1' });
  expect(await evaluation.codes).toContain('57014');
}, 30_000);

it('ends the transaction of an evaluation when its account is deleted', async () => {
  const account = await bills();
  const evaluation = await heldEvaluation(account);
  await purgeAccount(account.deps, account.scope, account.accountId);
  const { rowCount } = await account.pool.query('SELECT FROM accounts WHERE id = $1', [account.accountId]);
  expect(rowCount).toBe(0);
  expect(await evaluation.codes).toContain('57014');
}, 30_000);

it('leaves the rest of an evaluation to the next one when a load intervenes', async () => {
  const { deps, scope, accountId, pool, ...account } = await bills();
  await account.put('a.csv', [aLine({ day: '2026-05-03', cost: '1' })]);
  await account.sync();
  const queued: [string, JobOptions | undefined][] = [];
  const add = async (name: string, _payload: object, options?: JobOptions) => void queued.push([name, options]);
  const rows = deps.engine.rows.bind(deps.engine);
  let queries = 0;
  const raise = async () => {
    if (queries++ === 0) await pool.query('UPDATE accounts SET version = version + 1 WHERE id = $1', [accountId]);
  };
  const spy = vi.spyOn(deps.engine, 'rows').mockImplementation(async (...args: Parameters<typeof rows>) => {
    await raise();
    return rows(...args);
  });
  await evaluateAccount({ ...deps, queue: { ...noQueue, add } }, scope, accountId);
  spy.mockRestore();
  expect(queries).toBeGreaterThan(0);
  expect(queued).toEqual([['evaluate', { runAt: new Date(testNow.getTime() + 30_000) }]]);
  const { rowCount } = await pool.query('SELECT 1 FROM tag_key_usage WHERE account_id = $1', [accountId]);
  expect(rowCount).toBe(0);

  await evaluateAccount({ ...deps, queue: { ...noQueue, add } }, scope, accountId);
  expect(queued).toHaveLength(1);
});
