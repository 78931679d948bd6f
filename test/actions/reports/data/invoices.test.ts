import { beforeAll, describe, expect, it } from 'vitest';
import { readInvoices } from '../../../../src/actions/reports/data/invoices.ts';
import { orgScope, type OrgScope } from '../../../../src/tenancy/auth/scope.ts';
import { worldOfFile } from '../../../support/world.ts';

const at = worldOfFile({ clock: { now: () => new Date('2026-11-20T12:00:00Z') } });
const one = '01890000-0000-7000-8000-00000000000a';
const two = '01890000-0000-7000-8000-00000000000b';
let scope: OrgScope | null = null;

beforeAll(async () => {
  const { db } = at().deps;
  const { id: organizationId } = await db.organization.create({ data: { name: 'Plum', trustExternalId: 'plum' } });
  scope = orgScope(organizationId, null);
  for (const [id, name] of [
    [one, 'One'],
    [two, 'Two'],
  ] as const)
    await db.account.create({
      data: { id, organizationId, name, provider: 'focus', externalId: id, settings: {} },
    });
  const line = (accountId: string, month: string, [issuer, invoiceId]: readonly string[], billed: number) =>
    at().deps.pool.query(
      `INSERT INTO invoice_sums (account_id, organization_id, billing_period, issuer, invoice_id, billing_account_id, currency,
         line_items, billed) VALUES ($1, $2, $3, $4, $5, 'payer', 'USD', 1, $6)`,
      [accountId, organizationId, `${month}-01`, issuer, invoiceId, billed],
    );
  await line(one, '2026-10', ['AWS', 'A-1'], 100.25);
  await line(one, '2026-10', ['Datadog', 'D-1'], 40);
  await line(two, '2026-09', ['AWS', 'A-2'], 7);
  await line(two, '2026-08', ['AWS', 'A-3'], 9);
  const stated = { organizationId, currency: 'USD', source: 'invoice_detail', updatedAt: new Date() };
  const october = { accountId: one, billingPeriodStart: new Date('2026-10-01') };
  await db.statedInvoice.create({ data: { ...stated, ...october, invoiceId: 'A-1', issuer: 'AWS', amount: 100.25 } });
  await db.statedInvoice.create({ data: { ...stated, ...october, invoiceId: 'D-1', issuer: 'Datadog', amount: 42.5 } });
});

async function report(filters: Readonly<Record<string, unknown>> = {}) {
  if (!scope) throw new Error('The organization does not exist yet; use it in a test');
  const { deps } = at();
  const asked = { type: 'invoices', startDate: '2026-09-15', endDate: '2026-10-31', filters } as const;
  const accountNames = new Map([[one, 'One']]);
  return readInvoices({ deps, scope, report: asked, currency: 'USD', accountNames });
}

async function rowsOf(filters: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const [section] = (await report(filters)).sections;
  const rows = await Array.fromAsync(section?.rows ?? []);
  return rows.map((row) => Object.values(row)[3]);
}

describe('the invoice report', () => {
  it('lists the invoices of every billing month in the period, with their difference and status', async () => {
    const { sections, summary, charts, notes } = await report();
    expect(sections.map(({ title }) => title)).toEqual(['Invoices']);
    const rows = await Array.fromAsync(sections[0]?.rows ?? []);
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['2026-10', 'One', 'AWS', 'A-1', 'USD', 100.25, 100.25, 0, 'matched'],
      ['2026-10', 'One', 'Datadog', 'D-1', 'USD', 40, 42.5, 2.5, 'different'],
      ['2026-09', two, 'AWS', 'A-2', 'USD', 7, null, null, 'missing'],
    ]);
    expect(summary.map(({ label, value }) => `${label} ${value}`)).toEqual([
      'Invoices 3',
      'Matched 1',
      'Different 1',
      'Provisional 0',
      'Missing 1',
    ]);
    expect([charts.map(({ title }) => title), notes]).toEqual([
      ['Invoices by status'],
      ['Difference: invoice total minus bill lines.'],
    ]);
  });

  it.each([
    [{ issuer: ['Datadog'] }, ['D-1']],
    [{ issuer: ['AWS'], status: ['missing'] }, ['A-2']],
    [{ account_id: [one] }, ['A-1', 'D-1']],
  ])('filters by %j', async (filters, numbers) => {
    expect(await rowsOf(filters)).toEqual(numbers);
  });

  it('rejects filters of other reports', async () => {
    await expect(report({ provider: ['aws'] })).rejects.toThrow('filters.provider is not a filter of this report');
  });
});
