import { beforeAll, describe, expect, it } from 'vitest';
import { fillCube, type LineItem } from '../../support/cube.ts';
import { invoiceId } from '../../support/invoices.ts';
import { worldOfFile } from '../../support/world.ts';
import { aCharge, accountId } from '../coverage/world.ts';

// On November 8, October has ended, but lines of October without an invoice number are not final yet.
const at = worldOfFile({ clock: { now: () => new Date('2026-11-08T12:00:00Z') } });
let token = '';
let organizationId = '';

interface Invoice {
  readonly id: string;
  readonly billing_period: string;
  readonly invoice_id: string | null;
  readonly status: string;
  readonly billed_amount: number | null;
  readonly stated_amount: number | null;
  readonly difference: number | null;
}

const charge = (date: Parameters<typeof aCharge>[0], dollars: number, more: Partial<LineItem>) =>
  aCharge(date, dollars, { issuer: 'AWS', ...more });

beforeAll(async () => {
  token = (await at().register()).token;
  const me = await at().rest<{ organization: { id: string } }>('GET', '/auth/me', { token });
  organizationId = me.body.organization.id;
  const lines = [
    charge('2026-11-02', 7, {}),
    charge('2026-10-03', 100.004, { invoice: 'I-1' }),
    charge('2026-09-12', 40, { invoice: 'I-2', billingPeriod: '2026-10' }),
    charge('2026-10-31', 9, {}),
    charge('2026-09-05', 1000.4, { invoice: 'J-1', currency: 'JPY' }),
    charge('2026-09-30', 3, {}),
  ];
  const account = { id: accountId, name: 'One', completeThrough: '2026-11-06' as const };
  await fillCube(at().deps, {
    organizationId,
    currency: 'USD',
    accounts: [account],
    lines,
    rates: [],
    identifiers: [],
  });
  await state('I-1', '100', { issuer: 'Amazon Web Services, Inc.' });
  await state('I-2', '41');
  await state('J-1', '1000', { month: '2026-09-01', currency: 'JPY' });
  await state('I-9', '5');
});

interface Stated {
  readonly issuer?: string;
  readonly month?: string;
  readonly currency?: string;
}

async function state(number: string, amount: string, { issuer = 'AWS', ...more }: Stated = {}): Promise<void> {
  const { month = '2026-10-01', currency = 'USD' } = more;
  await at().deps.db.statedInvoice.create({
    data: {
      organizationId,
      accountId,
      invoiceId: number,
      issuer,
      billingPeriodStart: new Date(month),
      currency,
      amount,
      source: 'invoice_detail',
      updatedAt: new Date('2026-11-07T00:00:00Z'),
    },
  });
}

async function list(query = ''): Promise<Invoice[]> {
  const { body } = await at().rest<{ data: Invoice[] }>('GET', `/invoices${query}`, { token });
  return body.data;
}

const idOf = (number: string, month = '2026-10-01', currency = 'USD') =>
  invoiceId(accountId, month, 'AWS', number, currency);

describe('GET /invoices', () => {
  it('compares each invoice with its lines, newest month and largest amount first', async () => {
    const rows = (await list()).map((row) => [
      row.billing_period,
      row.invoice_id,
      row.billed_amount,
      row.stated_amount,
      row.difference,
      row.status,
    ]);
    expect(rows).toEqual([
      ['2026-11', null, 7, null, null, 'provisional'],
      ['2026-10', 'I-1', 100.004, 100, -0.004, 'matched'],
      ['2026-10', 'I-2', 40, 41, 1, 'different'],
      ['2026-10', null, 9, null, null, 'provisional'],
      ['2026-10', 'I-9', null, 5, null, 'missing'],
      ['2026-09', null, 3, null, null, 'missing'],
      ['2026-09', 'J-1', 1000.4, 1000, -0.4, 'matched'],
    ]);
  });

  it('matches a voided invoice, which has no lines', async () => {
    await state('I-0', '0');
    const row = (await list('?status=matched')).find(({ invoice_id: number }) => number === 'I-0');
    await at().deps.db.statedInvoice.deleteMany({ where: { invoiceId: 'I-0' } });
    expect(row).toMatchObject({ billed_amount: null, stated_amount: 0, status: 'matched' });
  });

  it('returns all fields, with an id that is derived from the invoice', async () => {
    const { body } = await at().rest('GET', `/invoices/${idOf('I-2')}`, { token });
    expect(body).toEqual({
      id: idOf('I-2'),
      account_id: accountId,
      billing_period: '2026-10',
      issuer: 'AWS',
      invoice_id: 'I-2',
      billing_account_id: 'payer at aws',
      currency: 'USD',
      converted: { currency: 'USD', billed_amount: 40, stated_amount: 41, difference: 1 },
      line_items: 1,
      billed_amount: 40,
      stated_amount: 41,
      stated_source: 'delivered',
      typed_amount: null,
      delivered_amount: 41,
      difference: 1,
      status: 'different',
      data_from: '2026-09-12',
      data_to: '2026-10-31',
    });
  });

  it('has the days of all its lines, also of those dated before its month', async () => {
    const { body } = await at().rest<{ data_from: string; data_to: string }>('GET', `/invoices/${idOf('I-2')}`, {
      token,
    });
    const days = `start_date=${body.data_from}&end_date=${body.data_to}`;
    const costs = await at().rest('GET', `/costs?${days}&cost_metric=billed&account=${accountId}&invoice=I-2`, {
      token,
    });
    expect(costs.body).toMatchObject({ total_cost: 40 });
    const ofNone = (await list()).find(({ invoice_id: number }) => number === 'I-9');
    expect(ofNone).toMatchObject({ billed_amount: null, data_from: '2026-09-12' });
  });

  it.each([
    ['status=different,missing', ['I-2', 'I-9', null]],
    ['start_month=2026-10&end_month=2026-10&status=matched', ['I-1']],
    ['issuer=Nobody', []],
    ['account_id=01890000-0000-7000-8000-0000000000ff', []],
    // 1,000 yen without an exchange rate.
    ['sort_by=-stated_amount', ['I-1', 'I-2', 'I-9', null, null, null, 'J-1']],
    ['sort_by=difference&per_page=1', ['I-1']],
    ['per_page=2&page=2', ['I-2', null]],
  ])('answers ?%s', async (query, numbers) => {
    expect((await list(`?${query}`)).map((row) => row.invoice_id)).toEqual(numbers);
  });

  it('sorts by converted amounts, also for a client with a cached response', async () => {
    const kept = await at().rest('GET', '/invoices?start_month=2026-09&end_month=2026-09', { token });
    const etag = kept.headers.get('etag') ?? '';
    const rates = [{ month: '2026-09', from: 'JPY', to: 'USD', rate: 0.001 }];
    expect((await at().rest('PUT', '/org/exchange-rates', { token, body: { rates } })).status).toBe(200);
    const answer = await at().rest<{ data: Invoice[] }>('GET', '/invoices?start_month=2026-09&end_month=2026-09', {
      token,
      headers: { 'if-none-match': etag },
    });
    await at().deps.db.exchangeRate.deleteMany({ where: { organizationId } });
    expect(answer.status).toBe(200);
    // $3, then 1,000.4 yen, which are $1.0004.
    expect(answer.body.data.map((row) => row.invoice_id)).toEqual([null, 'J-1']);
    expect(answer.body.data[1]).toMatchObject({ converted: { billed_amount: 1.0004 } });
  });

  it('counts all invoices on a page after the last one', async () => {
    const { body } = await at().rest<{ data: Invoice[]; pagination: object }>('GET', '/invoices?page=9&per_page=5', {
      token,
    });
    expect(body).toMatchObject({ data: [], pagination: { page: 9, total: 7, total_pages: 2 } });
  });

  it('rejects months in the wrong order', async () => {
    const { status, body } = await at().rest('GET', '/invoices?start_month=2026-10&end_month=2026-09', { token });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: { message: 'end_month "2026-09" is before start_month; use 2026-10 or a later month' },
    });
  });

  it('has a CSV form', async () => {
    const { text } = await at().rest('GET', '/invoices?start_month=2026-10&status=matched', {
      token,
      headers: { accept: 'text/csv' },
    });
    expect(text.split('\r\n').length).toBe(3);
    expect(text).toContain(
      'AWS,I-1,payer at aws,USD,1,100.004,100,delivered,,100,-0.004,matched,2026-09-12,2026-10-31',
    );
  });
});

describe('PUT /invoices/{id}', () => {
  const put = (id: string, body: object) => at().rest<Invoice>('PUT', `/invoices/${id}`, { token, body });

  it('takes precedence over the delivered amount until it is removed, changes the ETag and is audited', async () => {
    const id = idOf('I-2');
    const before = await at().rest('GET', '/invoices', { token });
    const headers = { 'if-none-match': before.headers.get('etag') ?? '' };
    expect((await at().rest('GET', '/invoices', { token, headers })).status).toBe(304);

    const { status, body } = await put(id, { stated_amount: 40, currency: 'USD' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ stated_amount: 40, stated_source: 'typed', delivered_amount: 41, status: 'matched' });
    expect((await at().rest('GET', '/invoices', { token, headers })).status).toBe(200);

    expect((await at().rest('DELETE', `/invoices/${id}/stated-amount`, { token })).status).toBe(204);
    const after = await at().rest('GET', `/invoices/${id}`, { token });
    expect(after.body).toMatchObject({ stated_amount: 41, stated_source: 'delivered', status: 'different' });
    expect((await at().rest('DELETE', `/invoices/${id}/stated-amount`, { token })).status).toBe(404);

    const audit = await at().rest<{ data: { action: string; details: object }[] }>('GET', '/audit-logs?per_page=2', {
      token,
    });
    expect(audit.body.data.map(({ action }) => action)).toEqual(['invoice_amount_removed', 'invoice_amount_set']);
    expect(audit.body.data[1]?.details).toMatchObject({
      invoice_id: 'I-2',
      stated_amount: '40',
      stated_amount_before: null,
    });
  });

  it('keeps one of the amounts of concurrent requests', async () => {
    const amounts = [41, 42, 43, 44, 45, 46, 47, 48];
    const answers = await Promise.all(
      amounts.map((amount) => put(idOf('I-2'), { stated_amount: amount, currency: 'USD' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(amounts.map(() => 200));
    const { body } = await at().rest<Invoice>('GET', `/invoices/${idOf('I-2')}`, { token });
    expect(amounts).toContain(body.stated_amount);
    expect((await at().rest('DELETE', `/invoices/${idOf('I-2')}/stated-amount`, { token })).status).toBe(204);
  });

  it('rejects an amount if another one was entered since the invoice was read', async () => {
    const id = idOf('I-2');
    expect((await put(id, { stated_amount: 40, if_typed_amount: null })).status).toBe(200);
    for (const read of [null, 39]) {
      const answer = await put(id, { stated_amount: 42, if_typed_amount: read });
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', field: 'if_typed_amount' } } });
    }
    expect((await put(id, { stated_amount: 43, if_typed_amount: 40 })).body).toMatchObject({ stated_amount: 43 });
    const removal = `/invoices/${id}/stated-amount?if_typed_amount=`;
    expect(await at().rest('DELETE', `${removal}40`, { token })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', field: 'if_typed_amount' } },
    });
    expect((await at().rest('DELETE', `${removal}43`, { token })).status).toBe(204);
    const firsts = await Promise.all(
      [1, 2, 3].map((amount) => put(id, { stated_amount: amount, if_typed_amount: null })),
    );
    expect(firsts.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    await at().rest('DELETE', `/invoices/${id}/stated-amount`, { token });
  });

  it('sets the amount of lines without an invoice number', async () => {
    const id = idOf('', '2026-09-01');
    expect((await put(id, { stated_amount: 3.004 })).body).toMatchObject({ status: 'matched', difference: 0.004 });
    await at().rest('DELETE', `/invoices/${id}/stated-amount`, { token });
  });

  it('stays with its invoice when the bill spells the issuer in another case or with other spaces', async () => {
    const id = idOf('I-2');
    await put(id, { stated_amount: 40 });
    const spell = (table: string, issuer: string) =>
      at().deps.pool.query(`UPDATE ${table} SET issuer = $1 WHERE issuer ILIKE 'a%ws%' AND invoice_id = 'I-2'`, [
        issuer,
      ]);
    await spell('typed_invoices', ' a  ws');
    await spell('invoice_sums', 'A WS');
    const respelled = invoiceId(accountId, '2026-10-01', 'A WS', 'I-2', 'USD');
    const { body } = await at().rest('GET', `/invoices/${respelled}`, { token });
    expect(body).toMatchObject({ issuer: 'A WS', typed_amount: 40, status: 'matched' });
    expect((await put(respelled, { stated_amount: 39 })).body).toMatchObject({ typed_amount: 39 });
    expect((await list('?start_month=2026-10')).filter(({ invoice_id }) => invoice_id === 'I-2')).toHaveLength(1);
    expect((await at().rest('DELETE', `/invoices/${respelled}/stated-amount`, { token })).status).toBe(204);
    expect((await at().rest('DELETE', `/invoices/${respelled}/stated-amount`, { token })).status).toBe(404);
    await spell('invoice_sums', 'AWS');
  });

  it.each([
    [
      { stated_amount: 40, currency: 'EUR' },
      'currency "EUR" is not the currency of the invoice; give the amount in USD',
    ],
    [{ stated_amount: 0.1234567 }, 'stated_amount must have at most 6 decimals, not 0.1234567; round it'],
    [
      { stated_amount: 1e15 },
      'stated_amount must be at least -999,999,999,999,999 and below 1,000,000,000,000,000, not 1000000000000000',
    ],
    [{ stated_amount: 'forty' }, 'stated_amount must be a finite number, not "forty"'],
    [{}, 'stated_amount is required'],
  ])('refuses %j', async (body, message) => {
    const refused = await at().rest<{ error: { code: string; message: string } }>('PUT', `/invoices/${idOf('I-2')}`, {
      token,
      body,
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.code).toBe('VALIDATION_ERROR');
    expect(refused.body.error.message).toContain(message);
  });

  it.each(['01890000-0000-7000-8000-0000000000ff', 'nonsense'])('returns not found for the invoice %s', async (id) => {
    expect((await put(id, { stated_amount: 40 })).status).toBe(404);
  });
});
