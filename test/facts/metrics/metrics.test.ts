import { beforeAll, describe, expect, it } from 'vitest';
import { worldOfFile } from '../../support/world.ts';
import { metricsOf, type Failure, type Metric } from './world.ts';

const at = worldOfFile();
let token = '';
const { rest, create, put, putCsv, values } = metricsOf(at, () => token);

beforeAll(async () => {
  token = (await at().register()).token;
});

const getCsv = (id: string, query: string) =>
  at().rest('GET', `/metrics/${id}/values${query}`, { token, headers: { accept: 'text/csv' } });

async function actions(): Promise<string[]> {
  const entries = await at().deps.db.auditEntry.findMany({ orderBy: { timestamp: 'asc' }, select: { action: true } });
  return entries.map(({ action }) => action).filter((action) => action.startsWith('unit_metric'));
}

describe('unit metrics', () => {
  it('are created, changed, listed and deleted, with an audit entry each', async () => {
    const body = { key: 'Orders', name: 'Orders', unit: 'order' };
    const made = await rest<Metric>('POST', '/metrics', body);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      key: 'orders',
      name: 'Orders',
      unit: 'order',
      direction: 'lower_is_better',
      value_count: 0,
      first_date: null,
      last_date: null,
    });
    const path = `/metrics/${made.body.id}`;
    const changed = await rest('PATCH', path, { name: 'All orders', direction: 'higher_is_better' });
    expect(changed.body).toMatchObject({ key: 'orders', name: 'All orders', direction: 'higher_is_better' });
    expect((await rest<{ data: Metric[] }>('GET', '/metrics')).body.data.map(({ key }) => key)).toEqual(['orders']);
    expect((await rest('DELETE', path)).status).toBe(204);
    expect((await rest('GET', path)).status).toBe(404);
    expect(await actions()).toEqual(['unit_metric_created', 'unit_metric_updated', 'unit_metric_deleted']);
  });

  it('reject a key that differs from another one in case only', async () => {
    const id = await create('visits');
    const other = await create('calls');
    const second = await rest<Failure>('POST', '/metrics', { key: 'VISITS', name: 'Visits', unit: 'visit' });
    expect(second.status).toBe(409);
    expect(second.body.error).toMatchObject({
      message:
        'key "visits" is the key of the metric "All visits"; keys are case-insensitive; choose another key, or change that metric',
      resource_id: id,
    });
    expect((await rest('PATCH', `/metrics/${other}`, { key: 'Visits' })).status).toBe(409);
    expect((await rest('PATCH', `/metrics/${id}`, { key: 'Visits' })).status).toBe(200);
  });

  it.each([
    [{ key: '9lives' }, /^key "9lives" is not a key; use a letter/],
    [{ key: 'a b' }, /^key "a b" is not a key/],
    [{ key: 'a'.repeat(65) }, /^key .* is not a key/],
    [{ key: 'x1', name: ' ' }, /^name must have 1 to 100 characters/],
    [{ key: 'x2', unit: 'u'.repeat(51) }, /^unit must have at most 50 characters, not 51/],
    [{ key: 'x3', direction: 'sideways' }, /^direction must be one of/],
  ])('reject %j', async (bad, message) => {
    const answer = await rest<Failure>('POST', '/metrics', { name: 'X', unit: 'x', ...bad });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(message);
  });
});

describe('values of a metric', () => {
  it('replace those of the same day and labels, and change nothing when sent again', async () => {
    const id = await create('sales');
    const sent = [
      { date: '2026-01-02', value: 10.5 },
      { date: '2026-01-02', value: 4, labels: { shop: 'eu', team: 'web' } },
      { date: '2026-01-03', value: 0, labels: { team: 'web', shop: 'eu' } },
    ];
    const first = await put(id, sent);
    expect(first.body).toEqual({ received: 3, changed: 3 });
    const before = await actions();
    expect((await put(id, sent)).body).toEqual({ received: 3, changed: 0 });
    expect(await actions()).toEqual(before);
    const again = [{ date: '2026-01-02', value: 5, labels: { team: 'web', shop: 'eu' } }];
    expect((await put(id, again)).body).toMatchObject({ received: 1, changed: 1 });
    expect(await values(id, '?sort_by=-value')).toEqual([
      { date: '2026-01-02', value: 10.5, labels: {} },
      { date: '2026-01-02', value: 5, labels: { shop: 'eu', team: 'web' } },
      { date: '2026-01-03', value: 0, labels: { shop: 'eu', team: 'web' } },
    ]);
    expect((await rest('GET', `/metrics/${id}`)).body).toMatchObject({
      value_count: 3,
      first_date: '2026-01-02',
      last_date: '2026-01-03',
    });
  });

  it('are the same from JSON, CSV and GraphQL', async () => {
    const [json, csv, gql] = [await create('json'), await create('csv'), await create('gql')];
    const sent = [
      { date: '2026-02-01', value: 1234567.891, labels: { shop: 'a,"b"', team: 'x:y' } },
      { date: '2026-02-01', value: 0.000001 },
      { date: '2026-02-02', value: 999999999999999, labels: { team: 'x' } },
    ];
    await put(json, sent);
    const text =
      '\uFEFFdate,value,label:team,label:shop\r\n' +
      '2026-02-01,1234567.891,x:y,"a,""b"""\r\n\r\n' +
      '2026-02-01,0.000001,,\r\n2026-02-02,999999999999999,x,';
    expect((await putCsv(csv, text)).body).toMatchObject({ received: 3, changed: 3 });
    const mutation = `mutation ($id: ID!, $values: [UnitMetricValueInput!]!) {
      setUnitMetricValues(id: $id, values: $values) { received changed } }`;
    const answer = await at().gql(mutation, { id: gql, values: sent }, token);
    expect(answer.body.data).toEqual({ setUnitMetricValues: { received: 3, changed: 3 } });
    const known = await values(json, '?sort_by=value');
    expect(known.map(({ value }) => value)).toEqual([0.000001, 1234567.891, 999999999999999]);
    expect(await values(csv, '?sort_by=value')).toEqual(known);
    expect(await values(gql, '?sort_by=value')).toEqual(known);
  });

  it('can be imported from the CSV that was exported', async () => {
    const [from, to] = [await create('exported'), await create('imported')];
    await put(from, [
      { date: '2026-02-01', value: 12.5, labels: { shop: '=1+1', team: 'a;-b,"c"' } },
      { date: '2026-02-01', value: 0.000001 },
      { date: '2026-02-02', value: 3, labels: { region: '@eu' } },
    ]);
    const { text } = await getCsv(from, '?sort_by=value');
    expect(text.split('\r\n')).toEqual([
      'date,value,label:region,label:shop,label:team',
      '2026-02-01,0.000001,,,',
      "2026-02-02,3,'@eu,,",
      `2026-02-01,12.5,,'=1+1,"a;'-b,""c"""`,
      '',
    ]);
    expect((await putCsv(to, text)).body).toMatchObject({ received: 3, changed: 3 });
    expect(await values(to, '?sort_by=value')).toEqual(await values(from, '?sort_by=value'));
  });

  it('link to the next page of the CSV', async () => {
    const id = await create('pages');
    await put(id, [
      { date: '2026-02-01', value: 1 },
      { date: '2026-02-02', value: 2 },
    ]);
    const { text, headers } = await getCsv(id, '?per_page=1');
    expect(text).toBe('date,value\r\n2026-02-02,2\r\n');
    expect(headers.get('link')).toBe(`</api/v1/metrics/${id}/values?per_page=1&page=2>; rel="next"`);
  });

  it('are listed by day, and deleted by day', async () => {
    const id = await create('days');
    await put(
      id,
      ['01', '02', '03', '04'].map((day) => ({ date: `2026-03-${day}`, value: Number(day) })),
    );
    const days = async (query = '') => (await values(id, query)).map(({ date }) => date.slice(-2));
    expect(await days()).toEqual(['04', '03', '02', '01']);
    expect(await days('?start_date=2026-03-02&end_date=2026-03-03')).toEqual(['03', '02']);
    const range = 'start_date=2026-03-02&end_date=2026-03-03';
    expect((await rest('DELETE', `/metrics/${id}/values?${range}`)).status).toBe(204);
    expect(await days()).toEqual(['04', '01']);
    const entries = await actions();
    expect((await rest('DELETE', `/metrics/${id}/values?${range}`)).status).toBe(204);
    expect(await actions()).toEqual(entries);
    const backwards = await rest<Failure>('DELETE', `/metrics/${id}/values?start_date=2026-03-02&end_date=2026-03-01`);
    expect(backwards.status).toBe(400);
    expect((await rest('GET', `/metrics/${id}/values?start_date=2026-03-02&end_date=2026-03-01`)).status).toBe(400);
  });

  it('queue an evaluation of alert rules when they change, and only then', async () => {
    const id = await create('queue');
    const jobs = () => at().jobs.filter(({ task }) => task === 'check_alert_rules').length;
    const before = jobs();
    await put(id, [{ date: '2026-03-01', value: 1 }]);
    expect(jobs()).toBe(before + 1);
    await put(id, [{ date: '2026-03-01', value: 1 }]);
    expect(jobs()).toBe(before + 1);
  });

  const some = { date: '2026-01-01', value: 1 };
  const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`l${index}`, 'x']));
  it.each([
    ['a value that is not a number', [{ ...some, value: 'ten' }], /^values\[0\]\.value must be a finite number/],
    ['a negative value', [some, { ...some, value: -1 }], /^values\[1\]\.value must be 0 or more, not -1/],
    [
      'too many decimals',
      [{ ...some, value: 0.1234567 }],
      /^values\[0\]\.value must have at most 15 significant digits/,
    ],
    [
      'too many digits',
      [{ ...some, value: 12345678901.123457 }],
      /must have at most 15 significant digits and 6 decimals/,
    ],
    ['a day that does not exist', [{ ...some, date: '2026-02-30' }], /^values\[0\]\.date .*2026-02-30/],
    [
      'a day and labels given twice',
      [{ ...some, labels: { a: '1' } }, some, { ...some, labels: { a: '1' } }],
      /^values\[2\] repeats 2026-01-01 with the same labels; send/,
    ],
    ['too many labels', [{ ...some, labels: eleven }], /^values\[0\]\.labels/],
    [
      'a long label name',
      [{ ...some, labels: { ['n'.repeat(65)]: 'x' } }],
      /^values\[0\]\.labels "n+" is not a label name; use 1 to 64/,
    ],
    ['a label name with a colon', [{ ...some, labels: { 'a:b': 'x' } }], /is not a label name/],
    [
      'a long label value',
      [{ ...some, labels: { a: 'x'.repeat(257) } }],
      /^values\[0\]\.labels\.a "x+" is not a label value/,
    ],
    ['an empty label value', [{ ...some, labels: { a: '' } }], /is not a label value/],
    ['a label that is not text', [{ ...some, labels: { a: 1 } }], /^values\[0\]\.labels\.a must be a string/],
    ['labels that are not an object', [{ ...some, labels: ['a'] }], /^values\[0\]\.labels/],
    ['an unknown field', [{ ...some, amount: 1 }], /^values\[0\]\.amount/],
    ['a missing value', [{ date: '2026-01-01' }], /^values\[0\]\.value is required/],
    ['an object instead of a list', { values: [some] }, /^The body must be a JSON array of values, not an object/],
    ['too many values', Array.from({ length: 10_001 }, () => some), /^values (takes|must have) at most 10,?000/],
  ])('reject %s in JSON, without changing anything', async (_name, body, message) => {
    const id = await create(`bad${Math.random().toString(36).slice(2)}`);
    const answer = await put(id, body);
    expect(answer.body.error.message).toMatch(message);
    expect(answer.status).toBe(400);
    expect(await values(id)).toEqual([]);
    await rest('DELETE', `/metrics/${id}`);
  });

  it.each([
    [
      'a wrong header',
      'day,value\n2026-01-01,1',
      /^header "day" is not a column of values; send the columns date, value/,
    ],
    ['semicolons', 'date;value\n2026-01-01;1', /^header "date;value" is not a column/],
    ['a missing column', 'date,label:a\n2026-01-01,x', /^header lacks the column value/],
    ['a column twice', 'date,value,value\n', /^header "value" appears twice/],
    [
      'too many columns',
      `date,value${Array.from({ length: 999 }, (_, nth) => `,label:${nth}`).join('')}\n`,
      /^header has 1001 columns; at most 1000 are allowed/,
    ],
    ['a missing header', '\n', /^The CSV is empty/],
    ['an open quote', 'date,value\n"2026-01-01,1', /^The CSV has an unclosed quote, or text after a closing quote/],
    ['too few cells', 'date,value\n\n2026-01-01', /^line 3 must have 2 cells, like the header, not 1/],
    ['a value that is not a decimal', 'date,value\n2026-01-01,1e5', /^value in line 2 "1e5" is not a decimal number/],
    ['a thousands separator', 'date,value\n2026-01-01,"1,000"', /^value in line 2 "1,000" is not a decimal number/],
    [
      'too many digits',
      'date,value\n2026-01-01,1234567890123456',
      /^value in line 2 "1234567890123456" must have at most 15/,
    ],
    ['a negative value', 'date,value\n2026-01-01,-2', /^value in line 2 must be 0 or more, not -2/],
    ['a day that does not exist', 'date,value\n2026-02-29,1', /^date in line 2 "2026-02-29" is not a calendar day/],
    ['a day given twice', 'date,value\n2026-01-01,1\n2026-01-01,2', /^line 3 repeats 2026-01-01 with the same labels/],
    [
      'a long label',
      `date,value,label:a\n2026-01-01,1,${'x'.repeat(257)}`,
      /^labels in line 2\.a "x+" is not a label value/,
    ],
  ])('reject %s in CSV, naming the line', async (_name, text, message) => {
    const id = await create(`csv${Math.random().toString(36).slice(2)}`);
    const answer = await putCsv(id, text);
    expect(answer.body.error.message).toMatch(message);
    expect(answer.status).toBe(400);
    expect(await values(id)).toEqual([]);
    await rest('DELETE', `/metrics/${id}`);
  });

  it('reject an oversized upload and other types of content', async () => {
    const id = await create('size');
    const large = `date,value\n${'2026-01-01,1\n'.repeat(90_000)}`;
    expect((await putCsv(id, large)).status).toBe(413);
    expect((await putCsv(id, large, { 'content-type': 'application/json' })).status).toBe(413);
    expect((await putCsv(id, 'date,value', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await putCsv('01890000-0000-7000-8000-0000000000ff', 'date,value')).status).toBe(404);
  });

  it('are deleted with the metric, and with the organization', async () => {
    const other = await at().register();
    const own = metricsOf(at, () => other.token);
    const id = await own.create('mine');
    await own.put(id, [some]);
    expect((await rest('GET', `/metrics/${id}`)).status).toBe(404);
    expect((await put(id, [some])).status).toBe(404);
    expect((await rest('GET', `/metrics/${id}/values`)).status).toBe(404);
    const kept = await create('kept');
    await put(kept, [some]);
    await own.rest('DELETE', '/org', { password: other.password });
    const count = (metricId: string) => at().deps.db.unitMetricValue.count({ where: { metricId } });
    expect([await count(id), await count(kept)]).toEqual([0, 1]);
    await rest('DELETE', `/metrics/${kept}`);
    expect(await count(kept)).toBe(0);
  });
});
