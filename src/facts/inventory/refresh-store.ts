import type pg from 'pg';
import { lockAccount } from '../../kit/database/account-lock.ts';
import { addDays, dayOf, type Day } from '../../kit/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { billedMonthly, goneDays, mergeStatement } from './merge.ts';

/** Which account's inventory is made anew, and when that is. */
export interface RefreshTarget {
  readonly accountId: string;
  readonly now: Date;
}

/** What PostgreSQL may use for each sort and hash of a large account; by default they would go through files. */
const workMemory = `SET LOCAL work_mem = '64MB'; SET LOCAL enable_nestloop = off`;
/** From here on the planner is told at once. */
const notableChange = 10_000;

const raiseVersion =
  '/* raiseVersion */ UPDATE accounts SET inventory_version = inventory_version + 1 WHERE id = $1 AND organization_id = $2';

/** Puts an account's inventory in place of the one before, with the counts that lists are answered with.
 *  @param client a connection with an open transaction
 *  @returns how many resources there are, gone ones included */
export async function refreshResources(
  client: pg.ClientBase,
  scope: OrgScope,
  { accountId, now }: RefreshTarget,
): Promise<number> {
  const owner = [accountId, scope.organizationId];
  await lockAccount(client, accountId);
  const account = await readAccount(client, scope, accountId);
  if (!account) return 0;
  const last = account.completeThrough ?? dayOf(now);
  await client.query(workMemory);
  const { rowCount } = await client.query(mergeStatement, [
    ...owner,
    addDays(last, -29),
    last,
    now,
    await latestListing(client, owner),
    account.currency,
  ]);
  const { rowCount: forgotten } = await client.query(forgetStatement, [...owner, now, last]);
  const changed = (rowCount ?? 0) + (forgotten ?? 0);
  if (changed > notableChange) await client.query('ANALYZE inventory_resources');
  if (changed > 0) await client.query(raiseVersion, owner);
  return countResources(client, owner);
}

/** What is gone leaves, unless it is billed still though no listing has it any more: forgotten, it would be taken for something
 *  new. Daily charges that ended when it went ended 28 days before the last complete day, which is two days behind. A charge or
 *  two in 34 days are monthly ones, and are waited for as the merge does. */
const forgetStatement = `/* forgetGone */ WITH due AS MATERIALIZED (
    SELECT resource_id, listed_at FROM inventory_resources WHERE account_id = $1 AND organization_id = $2
    AND gone_at <= $3::timestamptz - interval '${goneDays} days'
  ), billed AS (
    SELECT resource_id FROM cost_facts WHERE account_id = $1 AND organization_id = $2
    AND charge_date >= $4::date - ${billedMonthly} AND charge_category IN (1, 2) AND charge_class = 0
    AND resource_id IN (SELECT resource_id FROM due WHERE listed_at IS NOT NULL) GROUP BY resource_id
    HAVING max(charge_date) > $4::date - 28 OR count(DISTINCT charge_date) <= 2
  )
  DELETE FROM inventory_resources WHERE account_id = $1 AND organization_id = $2
  AND resource_id IN (SELECT resource_id FROM due EXCEPT SELECT resource_id FROM billed)`;

interface Account {
  completeThrough: Day | null;
  currency: string;
}

async function readAccount(client: pg.ClientBase, scope: OrgScope, accountId: string): Promise<Account | null> {
  const { rows } = await client.query<Account>(
    `/* readAccount */ SELECT to_char(a.complete_through, 'YYYY-MM-DD') AS "completeThrough", coalesce(a.currency, o.currency) AS currency
     FROM accounts a JOIN organizations o ON o.id = a.organization_id WHERE a.id = $1 AND a.organization_id = $2`,
    [accountId, scope.organizationId],
  );
  return rows[0] ?? null;
}

async function latestListing(client: pg.ClientBase, owner: readonly string[]): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>(
    '/* latestListing */ SELECT max(listed_at) AS at FROM inventory_listings WHERE account_id = $1 AND organization_id = $2',
    [...owner],
  );
  return rows[0]?.at ?? null;
}

async function countResources(client: pg.ClientBase, owner: readonly string[]): Promise<number> {
  await client.query(
    '/* countResources */ DELETE FROM inventory_counts WHERE account_id = $1 AND organization_id = $2',
    [...owner],
  );
  const { rows } = await client.query<{ resources: number }>(
    `/* countResources */ INSERT INTO inventory_counts
       (account_id, organization_id, provider, resource_type, service, region, currency, is_gone, resources)
     SELECT account_id, organization_id, provider, resource_type, service, region, currency, gone_at IS NOT NULL, count(*)
     FROM inventory_resources WHERE account_id = $1 AND organization_id = $2 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
     RETURNING resources`,
    [...owner],
  );
  return rows.reduce((sum, { resources }) => sum + resources, 0);
}
