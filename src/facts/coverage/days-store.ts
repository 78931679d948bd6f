import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { lockForEvaluation } from '../../kit/database/account-lock.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { Deps } from '../../kit/deps.ts';
import { addDays, type Day, type DayRange } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { readThenWrite } from '../consistent.ts';
import { inSnapshot, type LedgerSlice, type Reader } from '../costs/reading/sql.ts';
import { currentRules, lineColumns, openLineFacts, queryLines, tableOf, type Line } from './lines.ts';

type StoreDeps = Pick<Deps, 'pool' | 'engine'>;

/** A billing month missing from `coverage_days`. */
export interface MissingMonth {
  readonly accountId: string;
  readonly period: Day;
  readonly loadId: string;
  /** First and last charge day. */
  readonly from: Day;
  readonly to: Day;
}

/** Lists the billing months whose current load is missing from `coverage_days`, newest first.
 *  @param range only months with charge days in it; null: all */
export async function listMissing(
  reader: Reader,
  { organizationId, accountIds }: Pick<LedgerSlice, 'organizationId' | 'accountIds'>,
  range: DayRange | null,
): Promise<MissingMonth[]> {
  const { rows } = await reader.query<MissingMonth>(
    `/* listMissing */ SELECT b.account_id AS "accountId", b.period::text, b.load_id AS "loadId", b.data_from::text AS from,
       b.data_to::text AS to FROM billing_periods AS b
     LEFT JOIN coverage_periods AS p ON p.account_id = b.account_id AND p.period = b.period AND p.load_id = b.load_id
       AND p.rules = $3 AND p.organization_id = $1 AND p.account_id = ANY($2)
     WHERE b.organization_id = $1 AND b.account_id = ANY($2) AND p.period IS NULL
       AND ($4::date IS NULL OR b.data_to >= $4) AND ($5::date IS NULL OR b.data_from < $5)
     ORDER BY b.period DESC, b.account_id`,
    [organizationId, accountIds, currentRules, range?.start, range?.end],
  );
  return rows;
}

/** Fills `coverage_days` with an account's missing billing months, each in its own transaction. Until then, a month is read
 *  from the facts.
 *  @returns the number of months filled */
export async function refreshCoverage(deps: StoreDeps, scope: OrgScope, accountId: string): Promise<number> {
  const { organizationId } = scope;
  const missing = await inSnapshot(deps.pool, async (reader) => {
    const months = await listMissing(reader, { organizationId, accountIds: [accountId] }, null);
    const opened = [];
    for (const month of months) {
      const range = { accountIds: [accountId], start: month.from, end: addDays(month.to, 1) };
      opened.push({ month, facts: await openLineFacts(reader, scope, range) });
    }
    return opened;
  });
  const months = missing.values();
  const fill = async () => {
    let filled = 0;
    for (const { month, facts } of months) {
      const query = await queryLines(deps.engine, facts, { lane: 'job', months: [month] });
      const file = await deps.engine.write(facts.days, query, 'csv');
      try {
        if (await saveMonth(deps.pool, scope, month, file)) filled += 1;
      } finally {
        await rm(file, { force: true });
      }
    }
    return filled;
  };
  // Saves one month while the engine reads the next one.
  const [some, others] = await Promise.all([fill(), fill()]);
  return some + others;
}

/** Replaces a month in `coverage_days`.
 *  @returns false if the month was reloaded after its facts were read, or filled by another evaluation */
async function saveMonth(pool: pg.Pool, scope: OrgScope, month: MissingMonth, file: string): Promise<boolean> {
  const owner = [month.accountId, scope.organizationId, month.period];
  return inTransaction(pool, async (client) => {
    await lockForEvaluation(client, month.accountId);
    const { rowCount } = await client.query(
      `/* saveMonth */ INSERT INTO coverage_periods AS p (account_id, organization_id, period, load_id, rules)
       SELECT account_id, organization_id, period, load_id, $5 FROM billing_periods
       WHERE account_id = $1 AND organization_id = $2 AND period = $3 AND load_id = $4
       ON CONFLICT (account_id, period) DO UPDATE SET load_id = excluded.load_id, rules = excluded.rules
       WHERE p.load_id <> excluded.load_id OR p.rules <> excluded.rules`,
      [...owner, month.loadId, currentRules],
    );
    if (rowCount === 0) return false;
    await client.query(
      '/* saveMonth */ DELETE FROM coverage_days WHERE account_id = $1 AND organization_id = $2 AND billing_period = $3',
      owner,
    );
    const copy = client.query(copyFrom(`COPY coverage_days (${lineColumns}) FROM STDIN (FORMAT csv, HEADER true)`));
    await pipeline(createReadStream(file), copy);
    return true;
  });
}

/** Replaces an account's `coverage_flagged_days`: on-demand usage of flagged resources that commitments could cover.
 *  @param days number of days, up to the account's last complete one
 *  @param resourceIds ids of resources (`idOf`), as decimal texts */
export async function replaceFlagged(
  deps: StoreDeps,
  scope: OrgScope,
  accountId: string,
  { days, resourceIds }: { readonly days: number; readonly resourceIds: readonly string[] },
): Promise<void> {
  await readThenWrite(deps, scope, accountId, {
    async read({ completeThrough }): Promise<Line[]> {
      if (resourceIds.length === 0 || completeThrough === null) return [];
      const start = addDays(completeThrough, -days);
      const facts = await openLineFacts(deps.pool, scope, { accountIds: [accountId], start, end: null });
      const query = await queryLines(deps.engine, facts, { lane: 'job', months: null, resourceIds });
      return deps.engine.rows(facts.days, query);
    },
    async write(client, lines) {
      await client.query(
        '/* replaceFlagged */ DELETE FROM coverage_flagged_days WHERE account_id = $1 AND organization_id = $2',
        [accountId, scope.organizationId],
      );
      const { text, values } = tableOf(lines);
      await client.query(
        `/* replaceFlagged */ INSERT INTO coverage_flagged_days (${lineColumns}) SELECT ${lineColumns} FROM ${text}`,
        values,
      );
    },
  });
}
