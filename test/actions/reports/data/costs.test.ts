import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { largestOf, readCostByService, readCostByTag } from '../../../../src/actions/reports/data/costs.ts';
import { inWords, type ReportDocument } from '../../../../src/actions/reports/document.ts';
import { orgScope } from '../../../../src/tenancy/auth/scope.ts';
import { bill } from '../../../support/bills.ts';
import { readCsv } from '../../../support/rfc4180.ts';
import { aTeam } from '../../../tenancy/team.ts';
import { aReportWorld } from '../world.ts';

describe('the largest group of a cost report', () => {
  it.each([
    ['costs', [300, 200, -250], 300],
    ['credits, whose largest is the lowest amount', [-350, -900, -1200], -1200],
    ['an empty list, which has none', [], undefined],
  ])('has the largest amount of %s', (_, costs, largest) => {
    expect(largestOf(costs.map((cost) => ({ cost })))?.cost).toBe(largest);
  });
});

describe('shares in the key figures of cost reports', () => {
  it('are rounded once', async () => {
    const { deps, organizationId, accounts } = await aTeam();
    const [account, date] = [accounts.one, '2026-11-02'] as const;
    const others = Array.from({ length: 8 }, (_, index) => ({ service: `Service ${index}`, cost: '1110.6425' }));
    await bill(deps, organizationId, {
      completeThrough: { [account]: date },
      // 11.1486%, which is 11.15% with two decimals.
      charges: [
        { account, date, service: 'EC2', cost: '1114.86' },
        ...others.map((other) => ({ account, date, tags: { team: 'web' }, ...other })),
      ],
    });
    const days = { startDate: date, endDate: '2026-11-03' } as const;
    const world = { deps, scope: orgScope(organizationId, null), currency: 'USD', accountNames: new Map() };
    const byService = { ...world, report: { type: 'cost_by_service', ...days, filters: {} } } as const;
    const byTag = { ...world, report: { type: 'cost_by_tag', ...days, filters: { tag_key: 'team' } } } as const;
    const summary = [...(await readCostByService(byService)).summary, ...(await readCostByTag(byTag)).summary];
    expect(summary).toContainEqual({ label: 'Largest service', value: 'EC2 (11.1%)' });
    expect(summary).toContainEqual({ label: 'Untagged', value: '11.1%' });
  });
});

describe('the CSV of a cost report', () => {
  it('names the costs without an exchange rate in each row', async () => {
    const world = await aReportWorld();
    await world.deps.pool.query('DELETE FROM exchange_rates');
    const range = { start_date: '2024-04-01', end_date: '2024-04-30' };
    for (const type of ['cost_summary', 'cost_by_account', 'cost_by_service', 'cost_by_tag', 'coverage']) {
      const filters = type === 'cost_by_tag' ? { tag_key: 'team' } : {};
      const made = await world.make({ type, format: 'csv', ...range, filters });
      const rows = readCsv((await world.fetch(made.id)).bytes.toString());
      expect(rows.length, type).toBeGreaterThan(0);
      for (const { excluded } of rows) expect(excluded, type).toMatch(/^-?€[\d.,]+/);
    }
  });
});

describe('an XLSX report', () => {
  it('has the names of providers, as PDF and console do', async () => {
    const world = await aReportWorld();
    const range = { start_date: '2024-04-01', end_date: '2024-04-30' };
    const made = await world.make({ type: 'cost_by_service', format: 'xlsx', ...range });
    const { sheets } = await readXlsx(new Uint8Array((await world.fetch(made.id)).bytes));
    const [header = [], ...rows] = sheets[0]?.rows ?? [];
    const providers = new Set(rows.map((row) => row[header.indexOf('Provider')]));
    expect(providers).toContain('AWS');
    expect(providers).not.toContain('aws');
  });

  it('names virtual tags in words', async () => {
    const column = { key: 'tag_key', label: 'Tag key', type: 'text', isTagKey: true } as const;
    const fields = { key: 'a', title: 'A', columns: [column], rowCount: 2, totals: null };
    const rows = async function* () {
      yield ['virtual:team'];
      yield ['team'];
    };
    const { sections } = inWords({ sections: [{ ...fields, rows: rows() }] } as unknown as ReportDocument);
    expect(await Array.fromAsync(sections[0]?.rows ?? [])).toEqual([['team (virtual tag)'], ['team']]);
  });
});
