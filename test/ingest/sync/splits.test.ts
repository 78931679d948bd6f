import { describe, expect, it } from 'vitest';
import { readBreakdown } from '../../../src/facts/costs/breakdown/run.ts';
import { refreshCoverage } from '../../../src/facts/coverage/run.ts';
import type { FocusRow } from '../../support/focus.ts';
import { billsOfFile, type Bills } from '../world.ts';
import { instance, pod, splitColumns } from './loader/split-report.ts';

const connect = billsOfFile();

/** An account with a report in two files, synced; its warnings are kept. */
async function synced(...files: readonly (readonly FocusRow[])[]): Promise<Bills> {
  const bills = await connect();
  const { accountId, scope, deps } = bills;
  await deps.db.accountSync.create({ data: { accountId, organizationId: scope.organizationId } });
  for (const [index, rows] of files.entries()) await bills.put(`${index}.csv`, rows, { columns: splitColumns });
  await bills.sync();
  return bills;
}

/** 24 hours of a node for a dollar each, of which a pod used half. */
const hours = Array.from({ length: 24 }, (_, hour): FocusRow => ({
  line_item_usage_start_date: `2026-05-03T${String(hour).padStart(2, '0')}:00:00Z`,
  line_item_usage_end_date: `2026-05-03T${String(hour).padStart(2, '0')}:59:59Z`,
}));
const nodes = hours.map((hour) => instance(hour));
const parts = hours.map((hour) => pod(['web', 'shop'], ['0.5', '0.25'], hour));

describe('a synced report with split cost allocation', () => {
  it('has its containers in the cost query, and the same total', async () => {
    const { deps, scope } = await synced(nodes, parts);
    const args = { startDate: '2026-05-01', endDate: '2026-05-31', groupBy: [{ dimension: 'namespace' as const }] };
    const { rows, totalCost } = await readBreakdown(deps, scope, args);
    expect(rows.map(({ keys, cost }) => [keys[0]?.value, cost])).toEqual([
      ['web', 12],
      ['(unused)', 6],
      [null, 6],
    ]);
    expect(totalCost).toBe(24);
    const exclude = [{ dimension: 'namespace' as const, values: ['(*'] }];
    const used = await readBreakdown(deps, scope, { ...args, filters: { exclude } });
    expect(used.totalCost).toBe(18);
  });

  it('warns of parts that do not count, until a delivery has their instance', async () => {
    const lost = pod(['web', 'shop'], ['2', '1'], { split_line_item_parent_resource_id: 'i-7' });
    const bills = await synced([...nodes, lost]);
    const warnings = () =>
      bills.pool
        .query<{ warnings: string[] }>('SELECT warnings FROM account_syncs WHERE account_id = $1', [bills.accountId])
        .then(({ rows }) => rows[0]?.warnings);
    expect(await warnings()).toEqual([
      '2026-05: 1 instance has split cost allocation data, but no charge on the same day; it is not counted ($3.00; i-7)',
    ]);
    await bills.sync();
    expect(await warnings()).toHaveLength(1);
    await bills.put('0.csv', nodes, { columns: splitColumns });
    await bills.sync();
    expect(await warnings()).toEqual([]);
  });

  it('keeps the coverage of whole instances', async () => {
    const [whole, divided] = await Promise.all([synced(nodes), synced([...nodes, ...parts])]);
    const coverage = async ({ deps, scope, pool, accountId }: Bills) => {
      await refreshCoverage(deps, scope, accountId);
      const { rows } = await pool.query(
        'SELECT date, pricing_kind, program, pool, effective, equivalent, steady, hourly, uneven FROM coverage_days WHERE account_id = $1',
        [accountId],
      );
      return rows;
    };
    const expected = await coverage(whole);
    expect(expected).toHaveLength(1);
    expect(await coverage(divided)).toEqual(expected);
  });
});
