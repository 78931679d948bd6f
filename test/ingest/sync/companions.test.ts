import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { aLine, focusColumns } from '../../support/focus.ts';
import { billsOfFile, type Bills, monthsOf } from '../world.ts';

const connect = billsOfFile();

type Row = Readonly<Record<string, string>>;

function csv(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))]
    .map((row) => row.map(cell).join(','))
    .join('\n');
}

/** A row of FOCUS 1.4 Invoice Detail, with the columns that its specification requires. */
function aDetail(given: Row = {}): Row {
  return {
    BilledCost: '10.5',
    BillingAccountId: 'payer',
    BillingCurrency: 'USD',
    BillingPeriodEnd: '2026-06-01T00:00:00Z',
    BillingPeriodStart: '2026-05-01T00:00:00Z',
    ChargeCategory: 'Usage',
    InvoiceDetailCreated: '2026-06-02T00:00:00Z',
    InvoiceDetailDescription: 'Usage',
    InvoiceDetailGrain: '',
    InvoiceDetailId: 'line-1',
    InvoiceDetailLastUpdated: '2026-06-02T00:00:00Z',
    InvoiceId: 'INV-1',
    InvoiceIssueDate: '2026-06-03T00:00:00Z',
    InvoiceIssueStatus: 'Issued',
    InvoiceIssuerName: 'AWS',
    PaymentDueDate: '',
    PaymentTerms: 'Net 30',
    ReferenceInvoiceId: 'INV-1',
    ...given,
  };
}

/** A row of FOCUS 1.3 Contract Commitment. */
function aCommitment(given: Row = {}): Row {
  return {
    BillingCurrency: 'USD',
    ContractCommitmentCategory: 'Spend',
    ContractCommitmentCost: '1200.00',
    ContractCommitmentDescription: 'Compute plan',
    ContractCommitmentId: 'PLAN-1',
    ContractCommitmentPeriodEnd: '2026-09-01T00:00:00Z',
    ContractCommitmentPeriodStart: '2025-09-01T00:00:00Z',
    ContractCommitmentQuantity: '',
    ContractCommitmentType: 'Savings Plan',
    ContractCommitmentUnit: '',
    ContractId: 'contract-1',
    ContractPeriodEnd: '2026-09-01T00:00:00Z',
    ContractPeriodStart: '2025-09-01T00:00:00Z',
    ...given,
  };
}

function aPeriod(given: Row = {}): Row {
  return {
    BillingPeriodCreated: '2026-05-01T00:00:00Z',
    BillingPeriodEnd: '2026-06-01T00:00:00Z',
    BillingPeriodLastUpdated: '2026-06-02T00:00:00Z',
    BillingPeriodStart: '2026-05-01T00:00:00Z',
    BillingPeriodStatus: 'Closed',
    InvoiceIssuerName: 'AWS',
    ...given,
  };
}

async function invoicesOf({ pool, accountId }: Bills): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `SELECT concat_ws(' ', to_char(billing_period_start, 'YYYY-MM'), issuer, invoice_id, billing_account_id, currency,
       trim_scale(amount), source, file) AS line FROM stated_invoices WHERE account_id = $1 ORDER BY 1`,
    [accountId],
  );
  return rows.map(({ line }) => line);
}

async function commitmentsOf({ pool, accountId }: Bills) {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT provider, native_id, name, resource_type, metadata FROM inventory_listings WHERE account_id = $1 ORDER BY native_id`,
    [accountId],
  );
  return rows;
}

async function completeThrough({ pool, accountId }: Bills): Promise<string | undefined> {
  const { rows } = await pool.query<{ day: string }>(
    `SELECT complete_through::text AS day FROM accounts WHERE id = $1`,
    [accountId],
  );
  return rows[0]?.day;
}

async function writeParquet(bills: Bills, name: string, rows: readonly Row[]): Promise<void> {
  await bills.putRaw('hidden/source.csv', csv(rows));
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const source = `read_csv('${path.join(bills.folder, 'hidden/source.csv')}', nullstr='', types={'BilledCost': 'DECIMAL(20,4)'})`;
  await connection.run(`COPY (SELECT * FROM ${source}) TO '${path.join(bills.folder, name)}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  await bills.remove('hidden');
}

const columns = focusColumns['1.4'];

describe('a delivery of FOCUS 1.3 with Contract Commitment', () => {
  it('loads the bill, and the terms of its commitments into the inventory', async () => {
    const bills = await connect();
    const covered = aLine({ CommitmentDiscountId: 'plan-1', CommitmentDiscountStatus: 'Used', cost: '3' });
    await bills.put('costs.csv', [covered], { columns: focusColumns['1.3'] });
    const others = [
      aCommitment({ ContractCommitmentId: 'minimum', ContractCommitmentType: 'Minimum spend' }),
      aCommitment({ ContractCommitmentId: 'long ago', ContractCommitmentPeriodEnd: '2025-09-01T00:00:00Z' }),
    ];
    await bills.putRaw('contract_commitment.csv', csv([aCommitment(), ...others]));
    const { months, hasStatements } = await bills.sync();
    expect([months.map(({ month }) => month), hasStatements]).toEqual([['2026-05'], true]);
    const [minimum, plan, ...more] = await commitmentsOf(bills);
    expect(more).toEqual([]);
    // The bill spells the id in lower case.
    expect(plan).toEqual({
      provider: 'aws',
      native_id: 'plan-1',
      name: 'Compute plan',
      resource_type: 'Savings Plan',
      metadata: {
        category: 'Spend',
        contractId: 'contract-1',
        cost: '1200.000000000000',
        currency: 'USD',
        startsAt: '2025-09-01T00:00:00Z',
        endsAt: '2026-09-01T00:00:00Z',
      },
    });
    expect(minimum).toMatchObject({ provider: 'aws', native_id: 'minimum', resource_type: 'Minimum spend' });
    expect(await bills.sync()).toEqual({ lineItems: 0, months: [] });
  });

  it('replaces the commitments with those of the next delivery, and keeps what a cloud has listed', async () => {
    const bills = await connect();
    await bills.putRaw('commitments.csv', csv([aCommitment(), aCommitment({ ContractCommitmentId: 'old' })]));
    await bills.sync();
    await bills.pool.query(
      `INSERT INTO inventory_listings (account_id, organization_id, resource_id, provider, native_id, name, resource_type, service,
         region, tags, metadata, listed_at, list)
       SELECT id, organization_id, 1, 'aws', 'vm', '', '', '', '', '{}', '{}', '2026-01-01', 'ec2' FROM accounts WHERE id = $1`,
      [bills.accountId],
    );
    await bills.putRaw('commitments.csv', csv([aCommitment({ ContractCommitmentPeriodEnd: '2027-01-01T00:00:00Z' })]));
    await bills.sync();
    const listed = await commitmentsOf(bills);
    expect(listed.map((row) => row['native_id'])).toEqual(['PLAN-1', 'vm']);
    expect(listed[0]?.['metadata']).toMatchObject({ endsAt: '2027-01-01T00:00:00Z' });
  });
});

describe('a delivery of FOCUS 1.4 with its three other datasets', () => {
  it('loads all four, in any format', async () => {
    const bills = await connect();
    await bills.put('focus/cost_and_usage.csv', [aLine({ InvoiceId: 'INV-1', cost: '10.5' })], { columns });
    const details = [
      aDetail(),
      aDetail({ InvoiceDetailId: 'line-2', ChargeCategory: 'Tax', BilledCost: '0.0001' }),
      aDetail({ InvoiceDetailId: 'line-3', BilledCost: '7', InvoiceIssueStatus: 'Voided' }),
      aDetail({ InvoiceDetailId: 'line-4', InvoiceId: 'INV-2', BillingAccountId: 'a' }),
      aDetail({ InvoiceDetailId: 'line-5', InvoiceId: 'INV-2', BillingAccountId: 'b', BilledCost: '-0.5' }),
    ];
    await writeParquet(bills, 'focus/invoice_detail.parquet', details);
    const plan = { ...aCommitment(), ServiceProviderName: 'Snowflake', ContractCommitmentLifecycleStatus: 'Active' };
    const dropped = { ...plan, ContractCommitmentId: 'gone', ContractCommitmentLifecycleStatus: 'Superseded' };
    await bills.putRaw('focus/contract_commitment.csv.gz', gzipSync(csv([plan, dropped])));
    await bills.putRaw('focus/billing_period.csv', csv([aPeriod()]));
    await bills.sync();
    expect(await monthsOf(bills)).toEqual({ '2026-05': '10.5' });
    expect(await invoicesOf(bills)).toEqual([
      '2026-05 AWS INV-1 payer USD 10.5001 invoice_detail focus/invoice_detail.parquet',
      '2026-05 AWS INV-2  USD 10 invoice_detail focus/invoice_detail.parquet',
    ]);
    expect(await commitmentsOf(bills)).toMatchObject([
      { provider: 'snowflake', native_id: 'PLAN-1', metadata: { state: 'active' } },
    ]);
    expect(await completeThrough(bills)).toBe('2026-05-31');
  });

  it('counts a month as complete only once every issuer has closed it', async () => {
    const bills = await connect();
    await bills.put('costs.csv', [aLine()], { columns });
    await bills.putRaw(
      'periods.csv',
      csv([aPeriod(), aPeriod({ InvoiceIssuerName: 'Datadog', BillingPeriodStatus: 'Open' })]),
    );
    await bills.sync();
    expect(await completeThrough(bills)).toBe('2026-05-01');
    const closed = aPeriod({ InvoiceIssuerName: 'Datadog', BillingPeriodLastUpdated: '2026-06-05T00:00:00Z' });
    await bills.putRaw('later.csv', csv([closed]));
    await bills.sync();
    expect(await completeThrough(bills)).toBe('2026-05-31');
  });

  it('takes a detail that is delivered again from the newer file', async () => {
    const bills = await connect();
    await bills.putRaw('2026-05.csv', csv([aDetail()]));
    await bills.putRaw(
      '2026-06.csv',
      csv([aDetail({ BillingPeriodStart: '2026-06-01T00:00:00Z', InvoiceId: 'INV-3' })]),
    );
    await bills.sync();
    await bills.putRaw(
      '2026-05b.csv',
      csv([aDetail({ BilledCost: '11', InvoiceDetailLastUpdated: '2026-06-09T00:00:00Z' })]),
    );
    await bills.sync();
    expect(await invoicesOf(bills)).toEqual([
      '2026-05 AWS INV-1 payer USD 11 invoice_detail 2026-05b.csv',
      '2026-06 AWS INV-3 payer USD 10.5 invoice_detail 2026-06.csv',
    ]);
  });
});

describe('a companion file that is gone', () => {
  it('removes its statements, whether it is deleted or no longer has them', async () => {
    const bills = await connect();
    await bills.put('costs.csv', [aLine()], { columns });
    const june = aDetail({ InvoiceDetailId: 'line-2', BillingPeriodStart: '2026-06-01T00:00:00Z', InvoiceId: 'INV-3' });
    await bills.putRaw('2026-05.csv', csv([aDetail()]));
    await bills.putRaw('2026-06.csv', csv([june]));
    await bills.putRaw('periods.csv', csv([aPeriod()]));
    await bills.putRaw('commitments.csv', csv([aCommitment()]));
    await bills.sync();
    expect([(await invoicesOf(bills)).length, await completeThrough(bills)]).toEqual([2, '2026-05-31']);
    await bills.remove('2026-06.csv');
    await bills.remove('periods.csv');
    await bills.remove('commitments.csv');
    expect(await bills.sync()).toEqual({ lineItems: 0, months: [], hasStatements: true });
    expect(await invoicesOf(bills)).toEqual(['2026-05 AWS INV-1 payer USD 10.5 invoice_detail 2026-05.csv']);
    expect([await commitmentsOf(bills), await completeThrough(bills)]).toEqual([[], '2026-05-01']);
    await bills.putRaw('2026-05.csv', csv([aDetail()]).split('\n')[0] ?? '');
    await bills.sync();
    expect(await invoicesOf(bills)).toEqual([]);
    expect(await monthsOf(bills)).toEqual({ '2026-05': '1' });
  });

  it('changes nothing where files never stated anything', async () => {
    const bills = await connect();
    await bills.put('costs.csv', [aLine()], { columns });
    await bills.putRaw('owners.csv', 'service,owner\n');
    await bills.sync();
    await bills.remove('owners.csv');
    expect(await bills.sync()).toEqual({ lineItems: 0, months: [] });
  });
});

describe('a companion file of several tools', () => {
  it('may have mixed line endings and a byte order mark', async () => {
    const bills = await connect();
    const [head, first, second] = csv([aDetail(), aDetail({ InvoiceDetailId: 'line-2', BilledCost: '1' })]).split('\n');
    await bills.putRaw('details.csv', `\uFEFF${head}\r\n${first}\n${second}\r`);
    await bills.sync();
    expect(await invoicesOf(bills)).toEqual(['2026-05 AWS INV-1 payer USD 11.5 invoice_detail details.csv']);
  });
});

describe('a companion file that cannot be trusted', () => {
  it.each([
    [{ BilledCost: 'much' }, 'detail.csv, row 3, column BilledCost: "much" is not a decimal number'],
    [{ InvoiceId: '' }, 'detail.csv, row 3, column InvoiceId: no value; expected a value'],
    [
      { InvoiceIssueStatus: 'Lost' },
      'detail.csv, row 3, column InvoiceIssueStatus: "Lost" is not Open, Issued or Voided',
    ],
    [{ BillingPeriodStart: 'May' }, 'detail.csv, row 3, column BillingPeriodStart: "May" is not a date and time'],
  ])('is rejected with row and column, and blocks no bill: %j', async (wrong, message) => {
    const bills = await connect();
    await bills.put('costs.csv', [aLine()], { columns });
    await bills.putRaw('detail.csv', csv([aDetail(), aDetail({ InvoiceDetailId: 'line-2', ...wrong })]));
    expect(await bills.refusal()).toContain(message);
    expect(await monthsOf(bills)).toEqual({ '2026-05': '1' });
    expect(await invoicesOf(bills)).toEqual([]);
  });

  it('is refused if a column is missing', async () => {
    const bills = await connect();
    const { ContractCommitmentPeriodEnd: _, ...row } = aCommitment();
    await bills.putRaw('commitments.csv', csv([row]));
    expect(await bills.refusal()).toBe(
      'commitments.csv: column "ContractCommitmentPeriodEnd" missing, but FOCUS requires it in the dataset Contract Commitment; export with all FOCUS columns',
    );
  });

  it('is refused if two files contradict each other', async () => {
    const bills = await connect();
    await bills.putRaw('a.csv', csv([aDetail()]));
    await bills.putRaw('b.csv', csv([aDetail({ BilledCost: '11' })]));
    expect(await bills.refusal()).toBe(
      '"a.csv" and "b.csv" state different amounts for detail "line-1" of invoice "INV-1", and no InvoiceDetailLastUpdated shows which is newer; remove the older file',
    );
  });
});
