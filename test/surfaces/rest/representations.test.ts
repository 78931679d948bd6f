import { describe, expect, it } from 'vitest';
import { worldOfFile } from '../../support/world.ts';
import '../things.ts';

const at = worldOfFile();

describe('an ETag', () => {
  it('results in 304 for weak comparison, lists and *', async () => {
    const { token } = await at().register();
    const first = await at().rest('GET', '/things/t1', { token });
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.get('vary')).toBe('Origin, Authorization, Accept');
    for (const match of [tag, tag.slice(2), `"x", ${tag}`, '*']) {
      const again = await at().rest('GET', '/things/t1', { token, headers: { 'if-none-match': match } });
      expect([match, again.status, again.text, again.headers.get('etag')]).toEqual([match, 304, '', tag]);
    }
  });

  it('differs between resources', async () => {
    const { token } = await at().register();
    const one = await at().rest('GET', '/things/t1', { token });
    const two = await at().rest('GET', '/things/t2', {
      token,
      headers: { 'if-none-match': one.headers.get('etag') ?? '' },
    });
    expect(two.status).toBe(200);
  });

  it('does not result in 304 without authentication', async () => {
    const answer = await at().rest('GET', '/things/t1', { headers: { 'if-none-match': '*' } });
    expect([answer.status, answer.headers.get('etag')]).toEqual([401, null]);
  });

  it('is absent on errors', async () => {
    const { token } = await at().register();
    const answer = await at().rest('GET', '/things/nope', { token });
    expect([answer.status, answer.headers.get('etag'), answer.headers.get('cache-control')]).toEqual([
      404,
      null,
      'no-store',
    ]);
  });
});

describe('CSV', () => {
  it('has the rows of the page, with formulas neutralized and numbers unchanged', async () => {
    const { token } = await at().register();
    const { text, headers } = await at().rest('GET', '/things', { token, headers: { accept: 'text/csv' } });
    expect(text).toBe(
      [
        'id,display_name,kind,amount,origin_made_at,labels,seen_by',
        `t0,'=2+3,done,0,2026-11-21T10:00:00.000Z,"{""CamelKey"":0,""some_key"":[""a;'=1""]}",`,
        `t1,'+4,in_progress,-1.5,2026-11-21T10:00:00.000Z,"{""CamelKey"":1,""some_key"":[""a;'=1""]}",`,
        `t2,'-5,done,-3,2026-11-21T10:00:00.000Z,"{""CamelKey"":2,""some_key"":[""a;'=1""]}",`,
        `t3,'@x,in_progress,-4.5,2026-11-21T10:00:00.000Z,"{""CamelKey"":3,""some_key"":[""a;'=1""]}",`,
        `t4,"plain, ""quoted""",done,-6,2026-11-21T10:00:00.000Z,"{""CamelKey"":4,""some_key"":[""a;'=1""]}",`,
        '',
      ].join('\r\n'),
    );
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="things.csv"');
  });

  it('has a Link header to the next page, until the last', async () => {
    const { token } = await at().register();
    const link = async (query: string) =>
      (await at().rest('GET', `/things?${query}`, { token, headers: { accept: 'text/csv' } })).headers.get('link');
    expect(await link('per_page=2&kind=done')).toBe('</api/v1/things?per_page=2&kind=done&page=2>; rel="next"');
    expect(await link('per_page=2&page=3')).toBeNull();
  });

  it('is supported for lists without pages, too', async () => {
    const { token } = await at().register();
    const rates = [{ month: '2026-10', from: 'EUR', to: 'USD', rate: 1.1 }];
    expect((await at().rest('PUT', '/org/exchange-rates', { token, body: { rates } })).status).toBe(200);
    const csv = await at().rest('GET', '/org/exchange-rates', { token, headers: { accept: 'text/csv' } });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.text).toBe('month,from,to,rate,source,provisional\r\n2026-10,EUR,USD,1.1,typed,false\r\n');
  });

  it('has a header without rows', async () => {
    const { token } = await at().register();
    const { text } = await at().rest('GET', '/things?page=9', { token, headers: { accept: 'text/csv' } });
    expect(text).toBe('id,display_name,kind,amount,origin_made_at,labels,seen_by\r\n');
  });

  it('is audited as data_exported', async () => {
    const { token, email } = await at().register();
    await at().rest('GET', '/things?per_page=2', { token, headers: { accept: 'text/csv' } });
    const entries = await at().deps.db.auditEntry.findMany({ where: { action: 'data_exported', actorEmail: email } });
    expect(entries.map(({ resourceType, details }) => ({ resourceType, details }))).toEqual([
      {
        // Not a route of the real API.
        resourceType: 'unknown',
        details: { operation: 'things', format: 'csv', rows: 2, parameters: { per_page: 2 } },
      },
    ]);
  });

  it('is sent when the client prefers it, and JSON where there is no CSV', async () => {
    const { token } = await at().register();
    const types = async (path: string, accept: string) =>
      (await at().rest('GET', path, { token, headers: { accept } })).headers.get('content-type');
    expect(await types('/things', 'application/json, text/csv')).toContain('json');
    expect(await types('/things', 'text/csv, application/json;q=0.5')).toContain('csv');
    expect(await types('/things/t1', 'text/csv')).toContain('json');
  });

  it('has a currency column for amounts', async () => {
    const { token } = await at().register();
    const { text } = await at().rest('GET', '/costs/trend?start_date=2026-03-05&end_date=2026-03-06', {
      token,
      headers: { accept: 'text/csv' },
    });
    expect(text).toBe(
      'month,cost,previous_cost,change,change_percent,partial,unconverted,previous_unconverted,missing_bills,currency\r\n2026-03,0,0,0,,false,,,,USD\r\n',
    );
  });
});
