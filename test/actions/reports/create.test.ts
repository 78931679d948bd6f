import { formatMoney } from '../../../src/kit/text/format.ts';
import { describe, expect, it } from 'vitest';
import { accounts, aReportWorld, filtersWith, refusal, type ReportBody } from './world.ts';

const unknown = '01933333-0000-7000-8000-000000000000';

describe('a report', () => {
  it('returns all its fields, before and after its file is created', async () => {
    const world = await aReportWorld();
    const body = { type: 'cost_by_service', format: 'csv', start_date: '2024-04-01', end_date: '2024-04-30' };
    const { userId } = await world.deps.db.membership.findFirstOrThrow({ where: { role: 'member' } });
    const made = await world.as<ReportBody>('cleo', 'POST', '/reports', { ...body, filters: { provider: 'aws' } });
    const id = made.body.id;
    const pending = {
      ...body,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      filters: filtersWith({ provider: ['aws'] }),
      status: 'pending',
      failure_reason: null,
      size_bytes: null,
      sha256: null,
      download_url: `${world.deps.config.publicUrl}/api/v1/reports/${id}/download`,
      created_by: userId,
      created_at: '2024-05-13T10:00:00.000Z',
      expires_at: '2024-06-12T10:00:00.000Z',
    };
    expect(made).toMatchObject({ status: 201, body: pending });
    expect(world.jobs).toEqual([
      { task: 'generate_report', payload: { organizationId: world.organizationId, reportId: id, mailTo: userId } },
    ]);
    await world.settle();
    const { body: list } = await world.as<{ data: ReportBody[] }>('dan', 'GET', '/reports');
    expect(list.data).toEqual([
      {
        ...pending,
        status: 'ready',
        size_bytes: expect.any(Number),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    const audit = await world.deps.db.auditEntry.findMany({ where: { action: 'report_generated' } });
    expect(audit).toMatchObject([
      {
        resourceType: 'report',
        resourceId: id,
        details: { type: 'cost_by_service', format: 'csv', start_date: '2024-04-01', end_date: '2024-04-30' },
      },
    ]);
  });

  it('defaults to the dates of the corresponding query, and to the accounts its creator sees', async () => {
    const world = await aReportWorld();
    const days = async (type: string, filters: object = {}, asked: object = {}, name = 'ana') => {
      const { body } = await world.as<ReportBody>(name, 'POST', '/reports', { type, format: 'csv', filters, ...asked });
      return [body.start_date, body.end_date, body.filters];
    };
    expect(await days('cost_summary')).toEqual(['2023-12-01', '2024-05-09', filtersWith()]);
    expect(await days('cost_summary', { granularity: 'daily' })).toEqual([
      '2024-04-10',
      '2024-05-09',
      filtersWith({ granularity: 'daily' }),
    ]);
    expect(await days('cost_by_account', {}, { start_date: '2024-02-01' })).toEqual([
      '2024-02-01',
      '2024-03-01',
      filtersWith(),
    ]);
    expect(await days('inventory', {}, { end_date: '2024-02-29' })).toEqual([
      '2024-01-31',
      '2024-02-29',
      filtersWith(),
    ]);
    expect(await days('coverage')).toEqual(['2024-04-10', '2024-05-09', filtersWith()]);
    expect(await days('budgets', {}, {}, 'eve')).toEqual([
      '2024-04-14',
      '2024-05-13',
      filtersWith({ account_id: [accounts.one] }),
    ]);
  });

  it('compares complete days with the same days of the previous month', async () => {
    const world = await aReportWorld();
    const figures = async (days: object) => {
      const { id } = await world.make({ type: 'cost_summary', format: 'json', email: false, ...days });
      const { keyFigures } = await world.deps.db.report.findUniqueOrThrow({ where: { id } });
      return (keyFigures as { label: string }[]).map(({ label }) => label);
    };
    expect(await figures({ start_date: '2024-05-01' })).toContain('May 1–9, 2024 vs. Apr 1–9, 2024');
    expect(await figures({ start_date: '2024-04-01', end_date: '2024-04-30' })).toContain('vs. Mar 1–31, 2024');
    const [first] = await figures({ start_date: '2024-05-11', end_date: '2024-05-12' });
    expect(first).toBe('Total cost');
    expect(await figures({ start_date: '2024-05-11', end_date: '2024-05-12' })).not.toContainEqual(
      expect.stringContaining('vs.'),
    );
    // A stopped account does not hold back the others.
    await world.deps.pool.query(
      `UPDATE accounts SET complete_through = '2024-04-20', version = version + 1 WHERE id = $1`,
      [accounts.two],
    );
    expect(await figures({ start_date: '2024-05-01' })).toContain('May 1–10, 2024 vs. Apr 1–10, 2024');
  });

  it('averages complete days since the first bill', async () => {
    const world = await aReportWorld();
    const figures = async (days: object) => {
      const { id } = await world.make({ type: 'cost_summary', format: 'json', email: false, ...days });
      const { keyFigures } = await world.deps.db.report.findUniqueOrThrow({ where: { id } });
      return new Map((keyFigures as { label: string; value: string }[]).map(({ label, value }) => [label, value]));
    };
    const costIn = async (days: Record<string, string>) =>
      (await world.as<{ total_cost: number }>('ana', 'GET', `/costs/summary?${new URLSearchParams(days)}`)).body
        .total_cost;
    const complete = await costIn({ start_date: '2024-05-01', end_date: '2024-05-09' });
    expect((await figures({ start_date: '2024-05-01' })).get('Average per day, May 1–9, 2024')).toBe(
      formatMoney(complete / 9, 'USD'),
    );
    const april = { start_date: '2024-04-01', end_date: '2024-04-30' };
    const ofApril = await costIn(april);
    expect((await figures(april)).get('Average per day')).toBe(formatMoney(ofApril / 30, 'USD'));
    await world.deps.pool.query(`UPDATE accounts SET data_from = '2024-04-21', version = version + 1`);
    expect((await figures(april)).get('Average per day')).toBe(formatMoney(ofApril / 10, 'USD'));
    expect([...(await figures({ start_date: '2024-05-11', end_date: '2024-05-12' })).keys()]).not.toContainEqual(
      expect.stringContaining('Average'),
    );
  });

  it('has typed filters in GraphQL, and reads filters stored by older versions', async () => {
    const world = await aReportWorld();
    const input =
      '{ type: COST_SUMMARY, format: CSV, filters: { provider: "aws", chargeCategory: [TAX], costMetric: LIST } }';
    const fields = 'id filters { provider chargeCategory costMetric granularity tagKey }';
    const { data } = await world.graph<{ createReport: { id: string } }>(
      'ana',
      `mutation { createReport(input: ${input}) { ${fields} } }`,
    );
    expect(data?.createReport).toMatchObject({
      filters: { provider: ['aws'], chargeCategory: ['TAX'], costMetric: 'LIST', granularity: null, tagKey: null },
    });
    const id = data?.createReport.id;
    await world.deps.db.report.updateMany({ data: { filters: { provider: 'aws', granularity: 'daily' } } });
    expect((await world.as<ReportBody>('ana', 'GET', `/reports/${id}`)).body.filters).toEqual(
      filtersWith({ provider: ['aws'], granularity: 'daily' }),
    );
  });

  it('is visible only with access to all its accounts', async () => {
    const world = await aReportWorld();
    const type = { type: 'cost_by_account', format: 'csv' };
    const all = await world.make(type);
    const ofTwo = await world.make({ ...type, filters: { account_id: accounts.two } });
    const ofOne = await world.make({ ...type, filters: { account_id: [accounts.one] } });
    const ofEve = await world.make(type, 'eve');
    const ids = async (name: string) =>
      (await world.as<{ data: ReportBody[] }>(name, 'GET', '/reports')).body.data.map(({ id }) => id);
    expect(await ids('dan')).toEqual([ofEve.id, ofOne.id, ofTwo.id, all.id]);
    expect(await ids('eve')).toEqual([ofEve.id, ofOne.id]);
    for (const { id } of [all, ofTwo]) {
      expect(refusal(await world.as('eve', 'GET', `/reports/${id}`))).toBe(`404 NOT_FOUND: Report "${id}" not found`);
      expect((await world.fetch(id, {}, { name: 'eve' })).status).toBe(404);
    }
    const text = (await world.fetch(ofEve.id)).bytes.toString();
    expect(text).toContain('One');
    expect(text).not.toContain('Two');
    expect(text).toBe((await world.fetch(ofOne.id)).bytes.toString());
  });

  it("uses its owner's access at the time its file is written, if that has been reduced", async () => {
    const world = await aReportWorld();
    const { body } = await world.as<ReportBody>('cleo', 'POST', '/reports', { type: 'cost_by_account', format: 'csv' });
    const { id } = await world.deps.db.membership.findFirstOrThrow({ where: { role: 'member' } });
    await world.deps.db.membership.update({ where: { id }, data: { restricted: true, accountAccess: [accounts.one] } });
    await world.settle();
    const text = (await world.fetch(body.id, {}, { name: 'cleo' })).bytes.toString();
    const [, ...rows] = text.trim().split('\r\n');
    expect(rows.map((row) => row.split(',')[0])).toEqual(['One', 'One', 'One']);
    expect((await world.fetch(body.id, {}, { name: 'eve' })).status).toBe(200);
  });

  it('can be filtered and sorted in its list', async () => {
    const world = await aReportWorld();
    await world.make({ type: 'inventory', format: 'json' });
    await world.make({ type: 'cost_by_service', format: 'csv', start_date: '2024-01-01' });
    await world.as('ana', 'POST', '/reports', { type: 'budgets', format: 'csv' });
    const types = async (query: string) => {
      const answer = await world.as<{ data: ReportBody[]; pagination: object }>('ana', 'GET', `/reports?${query}`);
      return answer.status === 200 ? answer.body.data.map(({ type }) => type) : refusal(answer);
    };
    expect(await types('format=csv')).toEqual(['budgets', 'cost_by_service']);
    expect(await types('status=pending')).toEqual(['budgets']);
    expect(await types('type=inventory,budgets&sort_by=created_at')).toEqual(['inventory', 'budgets']);
    expect(await types('sort_by=start_date')).toEqual(['cost_by_service', 'inventory', 'budgets']);
    expect(await types('type=')).toMatch(/400 VALIDATION_ERROR/);
    expect(await types('sort_by=sha256')).toMatch(/^400 VALIDATION_ERROR: sort_by/);
    expect(await types('page=2')).toEqual([]);
  });
});

it('accepts an empty tag value, like cost queries and the inventory', async () => {
  const world = await aReportWorld();
  for (const [type, given] of [
    ['cost_summary', ''],
    ['inventory', ['', 'blue']],
  ] as const) {
    const filters = { tag_key: 'team', tag_value: given };
    const made = await world.as<ReportBody>('ana', 'POST', '/reports', { type, format: 'csv', filters });
    expect([made.status, made.body.filters]).toEqual([
      201,
      filtersWith({ tag_key: 'team', tag_value: [given].flat() }),
    ]);
  }
});

describe('a report request', () => {
  it('is rejected when invalid, with a message that names the field', async () => {
    const world = await aReportWorld();
    const attempt = async (body: object) =>
      refusal(await world.as('ana', 'POST', '/reports', { format: 'csv', ...body }));
    const filters = (type: string, given: object) => attempt({ type, filters: given });
    expect(await attempt({})).toMatch(/^400 VALIDATION_ERROR: type/);
    expect(await attempt({ type: 'costs' })).toMatch(/type must be one of cost_summary/);
    expect(await attempt({ type: 'inventory', format: 'doc' })).toMatch(/format must be one of csv, xlsx, pdf, json/);
    expect(await attempt({ type: 'inventory', colour: 'red' })).toMatch(/colour/);
    expect(await attempt({ type: 'inventory', start_date: '2024-02-30' })).toMatch(/start_date/);
    expect(await attempt({ type: 'budgets', start_date: '2024-03-02', end_date: '2024-03-01' })).toMatch(
      /end_date "2024-03-01" is before start_date 2024-03-02/,
    );
    expect(await attempt({ type: 'anomalies', start_date: '2020-01-01', end_date: '2024-03-01' })).toMatch(
      /at most 1100/,
    );
    for (const range of [{ start_date: '2124-03-01', end_date: '2124-03-31' }, { start_date: '2124-03-01' }])
      expect(await attempt({ type: 'cost_summary', ...range })).toMatch(/start_date "2124-03-01" is in the future/);
    expect(await attempt({ type: 'inventory', filters: [] })).toMatch(/filters must be a JSON object/);
    expect(await filters('inventory', { colour: 'red' })).toMatch(
      /filters\.colour is not a known field; use account_id, provider, /,
    );
    expect(await filters('inventory', { cost_metric: 'list' })).toMatch(
      /filters\.cost_metric is not a filter of this report; use filters\.account_id, filters\.provider, filters\.resource_type/,
    );
    expect(await filters('inventory', { include_gone: 'yes' })).toMatch(/filters\.include_gone must be true or false/);
    expect(await filters('inventory', { service: [] })).toMatch(/filters\.service must contain at least one value/);
    expect(await filters('inventory', { service: [1] })).toMatch(/filters\.service\[0\] must be a string, not 1/);
    expect(await filters('inventory', { tag_value: 'x' })).toMatch(
      / filters\.tag_value "x" requires filters\.tag_key; give both or neither/,
    );
    expect(await filters('cost_by_tag', {})).toMatch(/ filters\.tag_key is required/);
    expect(await filters('cost_summary', { cost_metric: 'net' })).toMatch(
      / filters\.cost_metric must be one of effective, billed, list, contracted, not "net"$/,
    );
    expect(await filters('recommendations', { status: ['open', 'shut'] })).toMatch(
      /filters\.status\[1\] must be one of/,
    );
    for (const type of ['cost_summary', 'inventory', 'recommendations', 'anomalies', 'budgets', 'coverage'])
      expect(await filters(type, { provider: 'aws,gcp' })).toMatch(
        / filters\.provider "aws,gcp" is not a provider; use one slug such as aws, azure, gcp or oracle$/,
      );
    expect(await filters('recommendations', { min_savings: 1.0000001 })).toMatch(
      /filters\.min_savings must have at most 6 decimals, not 1.0000001/,
    );
    expect(await filters('anomalies', { severity: 'huge' })).toMatch(/filters\.severity must be one of low/);
    expect(await filters('budgets', { account_id: unknown })).toMatch(
      `filters.account_id "${unknown}" is not an account of the organization`,
    );
    expect(await filters('coverage', { account_id: 'x' })).toMatch(/filters\.account_id "x" is not an account/);
    expect(await filters('coverage', { constructor: 'x' })).toMatch(/filters\.constructor is not a known field/);
    expect(world.jobs).toEqual([]);
    expect(await world.deps.db.report.count()).toBe(0);
  });

  it('is rejected for Viewers, and for accounts that the caller does not see', async () => {
    const type = { type: 'cost_by_account', format: 'csv' };
    const world = await aReportWorld();
    expect(refusal(await world.as('dan', 'POST', '/reports', type))).toMatch(/^403 FORBIDDEN: The role viewer/);
    expect(refusal(await world.as('eve', 'POST', '/reports', { ...type, filters: { account_id: accounts.two } }))).toBe(
      `400 VALIDATION_ERROR: filters.account_id "${accounts.two}" is not an account of the organization; use an id from GET /accounts`,
    );
  });
});
