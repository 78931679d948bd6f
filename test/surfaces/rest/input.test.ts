import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { worldOfFile } from '../../support/world.ts';
import { essentials } from '../../support/essentials.ts';
import '../things.ts';

const at = worldOfFile();

const good = { display_name: 'x' };
const long = 'x'.repeat(1_100_000);

/** Invalid bodies for `POST /things`, with the expected error message. */
const badBodies: [unknown, string][] = [
  [{}, 'display_name is required'],
  [{ display_name: null }, 'display_name must be a string, not null'],
  [{ display_name: 5 }, 'display_name must be a string, not 5'],
  [{ display_name: ['x'] }, 'display_name must be a string, not a list'],
  [{ display_name: 'a\u0000b' }, 'display_name must not contain the character U+0000'],
  [{ ...good, displayName: 'x' }, 'displayName is not a known field of the body'],
  [{ ...good, __proto: 1 }, '__proto is not a known field'],
  [{ ...good, amount: '10' }, 'amount must be a finite number, not "10"'],
  [{ ...good, amount: true }, 'amount must be a finite number, not true'],
  [{ ...good, is_big: 'true' }, 'is_big must be true or false, not "true"'],
  [{ ...good, is_big: 1 }, 'is_big must be true or false, not 1'],
  [{ ...good, count: 1.5 }, 'count must be a whole number, not 1.5'],
  [{ ...good, count: 2 ** 31 }, 'count must be a whole number below 2147483648, not 2147483648'],
  [{ ...good, count: '1' }, 'count must be a whole number, not "1"'],
  [{ ...good, kind: 'DONE' }, 'kind must be one of in_progress, done, not "DONE"'],
  [{ ...good, kind: 7 }, 'kind must be one of in_progress, done, not 7'],
  [{ ...good, since: '2026-02-30' }, 'since must be a day such as "2026-01-31", not "2026-02-30"'],
  [{ ...good, since: '2026-1-1' }, 'since must be a day'],
  [{ ...good, since: 20260101 }, 'since must be a day such as "2026-01-31", not 20260101'],
  [{ ...good, month: '2026-13' }, 'month must be a month such as "2026-01", not "2026-13"'],
  [{ ...good, at: 'yesterday' }, 'at must be a timestamp such as "2026-01-31T12:00:00Z", not "yesterday"'],
  [{ ...good, at: '2026-02-30T00:00:00Z' }, 'at must be a timestamp such as "2026-01-31T12:00:00Z"'],
  [{ ...good, at: '2016-12-31T23:59:60Z' }, 'at must be a timestamp such as "2026-01-31T12:00:00Z"'],
  [{ ...good, at: 5 }, 'at must be a timestamp such as "2026-01-31T12:00:00Z", not 5'],
  [{ ...good, at: 'x'.repeat(300) }, `not "${'x'.repeat(76)}…`],
  [{ ...good, tags: 'a' }, 'tags must be a list, not "a"'],
  [{ ...good, tags: ['a', 5] }, 'tags[1] must be a string, not 5'],
  [{ ...good, tags: ['a', null] }, 'tags[1] must be a string, not null'],
  [{ ...good, settings: 'x' }, 'settings must be a JSON object, not a string'],
  [{ ...good, settings: [] }, 'settings must be a JSON object, not a list'],
  [{ ...good, settings: { path: 'a\u0000' } }, 'settings must not contain the character U+0000'],
  [{ ...good, parts: [{}] }, 'parts[0].part_name is required'],
  [{ ...good, parts: [{ part_name: 'a', partName: 'a' }] }, 'parts[0].partName is not a known field; use part_name, '],
  [{ ...good, parts: [{ part_name: 'a', weight: '1' }] }, 'parts[0].weight must be a finite number, not "1"'],
  [{ ...good, parts: [[]] }, 'parts[0] must be a JSON object, not a list'],
  [[], 'The body must be a JSON object, not a list'],
  ['x', 'The body must be a JSON object, not "x"'],
  [null, 'The body must be a JSON object, not null'],
];

describe('a request body', () => {
  it('reaches the resolver with names converted, nulls kept, and free-form keys unchanged', async () => {
    const { token } = await at().register();
    const settings = { CamelKey: 1, some_key: { n_x: [] } };
    const body = {
      display_name: 'x',
      amount: 1e21,
      kind: 'done',
      since: '2024-02-29',
      at: '2026-01-01T00:00:00Z',
      tags: ['a,b'],
      settings,
      count: null,
      parts: [{ part_name: 'p', kind: 'in_progress' }],
    };
    const answer = await at().rest('POST', '/things', { token, body });
    expect(answer.status).toBe(201);
    const parts = [{ partName: 'p', kind: 7 }];
    expect(answer.body).toEqual({
      displayName: 'x',
      amount: 1e21,
      kind: 'finished',
      since: '2024-02-29',
      at: '2026-01-01T00:00:00.000Z',
      tags: ['a,b'],
      settings,
      count: null,
      parts,
    });
  });

  it('reaches the resolver with false, zero and empty values', async () => {
    const { token } = await at().register();
    const body = { display_name: '', amount: 0, is_big: false, count: 0, tags: [], settings: {}, parts: [] };
    const answer = await at().rest('POST', '/things', { token, body });
    const { display_name: displayName, is_big: isBig, ...same } = body;
    expect([answer.status, answer.body]).toEqual([201, { displayName, isBig, ...same }]);
  });

  it('is rejected with 400 and a message that names the field', async () => {
    const { token } = await at().register();
    for (const [body, message] of badBodies) {
      const { status, text } = await at().rest('POST', '/things', { token, body });
      expect({ body, status, text }).toEqual({
        body,
        status: 400,
        text: expect.stringContaining(JSON.stringify(message).slice(1, -1)),
      });
    }
  });

  it.each([
    ['text/plain', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/x-www-form-urlencoded', 'a=1', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/json; charset=latin1', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/json', '{"display_name":', 400, 'VALIDATION_ERROR'],
    ['application/json', '{"display_name":NaN}', 400, 'VALIDATION_ERROR'],
    ['application/json', `"${long}"`, 413, 'PAYLOAD_TOO_LARGE'],
  ])('of %s results in an error envelope', async (type, raw, status, code) => {
    const { token } = await at().register();
    const answer = await at().rest('POST', '/things', { token, raw, headers: { 'content-type': type } });
    expect(essentials(answer.body)).toEqual({ error: { code, message: expect.any(String), status } });
    expect(answer.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
  });

  it('is rejected when it is not valid UTF-8, never decoded with replacement characters', async () => {
    const { token } = await at().register();
    const headers = { 'content-type': 'application/json' };
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      const raw = Buffer.concat([Buffer.from('{"display_name":"a'), Buffer.from(bytes), Buffer.from('"}')]);
      const answer = await at().rest('POST', '/things', { token, raw, headers });
      const message = 'The body cannot be read: it is not valid UTF-8; encode it as UTF-8';
      expect([answer.status, essentials(answer.body)]).toEqual([
        400,
        { error: { code: 'VALIDATION_ERROR', message, status: 400 } },
      ]);
    }
    const text = await at().rest('POST', '/things', {
      token,
      raw: Buffer.from('{"display_name":"é😀\ufffd"}'),
      headers,
    });
    expect(text.body).toMatchObject({ displayName: 'é😀\ufffd' });
  });

  it('is treated as missing when empty', async () => {
    const { token } = await at().register();
    const post = await at().rest('POST', '/things', { token });
    expect([post.status, post.text]).toEqual([400, expect.stringContaining('display_name is required')]);
    for (const options of [{ token }, { token, body: {} }]) {
      const patch = await at().rest('PATCH', '/things/t1', options);
      expect([patch.status, patch.text]).toEqual([
        400,
        expect.stringContaining('The body has nothing to change; send at least one of display_name, seen_by'),
      ]);
    }
  });

  it('of a PATCH changes the given fields, including to null', async () => {
    const { token } = await at().register();
    const answer = await at().rest('PATCH', '/things/t1', { token, body: { seen_by: null } });
    expect(answer.body).toEqual({ id: 't1', seenBy: null });
  });

  it('cannot set path or query parameters', async () => {
    const { token } = await at().register();
    const inBody = await at().rest('PATCH', '/things/t1', { token, body: { id: 't2', seen_by: 'a' } });
    expect([inBody.status, inBody.text]).toEqual([400, expect.stringContaining('id is not a known field of the body')]);
    const inQuery = await at().rest('PATCH', '/things/t1?seen_by=b', { token, body: { seen_by: 'a' } });
    expect([inQuery.status, inQuery.text]).toEqual([
      400,
      expect.stringContaining('seen_by is not a known parameter; leave it out: this request takes none'),
    ]);
  });
});

describe('a DELETE with a body', () => {
  it('reads arguments from the body only, because queries are logged', async () => {
    const { token } = await at().register();
    const answer = await at().rest('DELETE', '/all-things', { token, body: { password: 'x', names: ['a', 'b'] } });
    expect([answer.status, answer.body]).toEqual([200, { password: 'x', names: ['a', 'b'] }]);
    const without = await at().rest('DELETE', '/all-things', { token });
    expect([without.status, without.text]).toEqual([400, expect.stringContaining('password is required')]);
    const inQuery = await at().rest('DELETE', '/all-things?password=x', { token, body: { password: 'x' } });
    expect([inQuery.status, inQuery.text]).toEqual([400, expect.stringContaining('password is not a known parameter')]);
  });

  it('accepts a single string for a list where documented', async () => {
    const { token } = await at().register();
    const send = (names: unknown) => at().rest('DELETE', '/all-things', { token, body: { password: 'x', names } });
    expect((await send('a')).body).toEqual({ password: 'x', names: ['a'] });
    expect((await send(7)).text).toContain('names must be a list, not 7');
    expect((await send([7])).text).toContain('names[0] must be a string, not 7');
    const { body } = await at().rest<{ components: unknown; paths: Record<string, unknown> }>('GET', '/docs');
    const schema = { $ref: '#/components/schemas/DeleteThingsRequest' };
    expect(body.paths['/all-things']).toMatchObject({
      delete: { requestBody: { content: { 'application/json': { schema } } } },
    });
    expect(body.components).toMatchObject({
      schemas: { DeleteThingsRequest: { properties: { names: { anyOf: [{}, {}] } } } },
    });
  });
});

describe('a body where none is expected', () => {
  const refused = {
    code: 'VALIDATION_ERROR',
    message: 'This request takes no body; give its arguments in the path and the query, and leave the body out',
    status: 400,
  };

  it.each([
    ['DELETE', '/things/t1', 'application/json', '{"purge":true}'],
    ['DELETE', '/things/t1', 'application/json', '[]'],
    ['DELETE', '/things/t1', 'application/json', '{"purge":'],
    ['DELETE', '/things/t1', 'text/plain', 'purge'],
    ['DELETE', '/things/t1', 'application/json', `"${long}"`],
    ['POST', '/things/t1/poke', 'application/json', '{"purge":true}'],
    ['POST', '/things/t1/poke', 'application/x-www-form-urlencoded', 'purge=true'],
  ])('is rejected: %s %s with %s', async (method, path, type, raw) => {
    const { token } = await at().register();
    const answer = await at().rest(method, path, { token, raw, headers: { 'content-type': type } });
    expect([answer.status, essentials(answer.body)]).toEqual([400, { error: refused }]);
  });

  it.each(['/things', '/docs', '/costs/export?format=focus_csv', '/reports/x/download'])(
    'is rejected on GET %s',
    async (path) => {
      const { token } = await at().register();
      const { status, body } = await getWithBody(path, token, '{"page":2}');
      expect([status, essentials(JSON.parse(body))]).toEqual([400, { error: refused }]);
    },
  );

  it('is accepted when empty, as documented', async () => {
    const { token } = await at().register();
    const { body: document } = await at().rest<{ info: object }>('GET', '/docs');
    expect(document.info).toMatchObject({
      description: expect.stringContaining('with a body other than `{}` where none is documented'),
    });
    expect((await at().rest('DELETE', '/things/t1', { token, body: {} })).status).toBe(204);
    expect((await at().rest('DELETE', '/things/t1', { token, raw: '' })).status).toBe(204);
    expect((await at().rest('POST', '/things/t1/poke', { token, body: {} })).status).toBe(200);
    expect((await getWithBody('/things', token, '{}')).status).toBe(200);
  });

  it('is rejected only after authentication', async () => {
    expect((await at().rest('DELETE', '/things/t1', { body: { purge: true } })).status).toBe(401);
  });

  /** Sends GET with a body, which `fetch` does not support. */
  async function getWithBody(path: string, token: string, body: string): Promise<{ status: number; body: string }> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const asked = request(`${at().url}/api/v1${path}`, { method: 'GET', headers }).end(body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, body: await textOf(answer) };
  }
});

const badQueries: [string, string][] = [
  ['pge=1', 'pge is not a known parameter; use page, per_page, kind, since, min_amount, is_big'],
  ['perPage=1', 'perPage is not a known parameter'],
  ['page=0', 'page must be 1 or more, not 0'],
  ['page=-1', 'page must be 1 or more, not -1'],
  ['page=', 'page must be a whole number, not ""'],
  ['page=1.5', 'page must be a whole number, not "1.5"'],
  ['page=1e3', 'page must be a whole number, not "1e3"'],
  ['page=0x10', 'page must be a whole number, not "0x10"'],
  ['page=%2B1', 'page must be a whole number, not "+1"'],
  ['page=+1', 'page must be a whole number, not " 1"'],
  ['page=9999999999', 'page must be a whole number below 2147483648, not 9999999999'],
  ['page=1&page=2', 'page was given 2 times; send it once'],
  ['page=99999999999999999999', 'page must be a whole number below 2147483648, not "99999999999999999999"'],
  ['per_page=101', 'per_page must be 1 to 100, not 101'],
  ['per_page=0', 'per_page must be 1 to 100, not 0'],
  ['kind=don', 'kind must be one of in_progress, done, not "don"'],
  ['kind=done&kind=don', 'kind[1] must be one of in_progress, done, not "don"'],
  ['kind=done,DONE', 'kind[1] must be one of in_progress, done, not "DONE"'],
  ['kind=', 'kind "" is blank; give a value, or leave it out'],
  ['kind=done,%20', 'kind[1] " " is blank'],
  ['since=2026-02-30', 'since must be a day'],
  ['min_amount=ten', 'min_amount must be a finite number, not "ten"'],
  ['min_amount=NaN', 'min_amount must be a finite number, not "NaN"'],
  ['is_big=yes', 'is_big must be true or false, not "yes"'],
  ['is_big=1', 'is_big must be true or false'],
  ['since=%zz', 'The query string is not valid percent-encoding near "%zz"; encode text as UTF-8, each byte as %XX'],
  ['kind[]=done', 'kind[] is not a known parameter'],
];

describe('a query string', () => {
  it('accepts only the token for a report download', async () => {
    const { token } = await at().register();
    const { status, body } = await at().rest('GET', '/reports/x/download?tokn=1', { token });
    const message = 'tokn is not a known parameter; use token';
    expect([status, essentials(body)]).toEqual([
      400,
      { error: { code: 'VALIDATION_ERROR', message, status: 400, field: 'tokn' } },
    ]);
  });

  it('is rejected with 400 and a message that names the parameter', async () => {
    const { token } = await at().register();
    for (const [query, message] of badQueries) {
      const { status, text } = await at().rest('GET', `/things?${query}`, { token });
      expect({ query, status, text }).toEqual({
        query,
        status: 400,
        text: expect.stringContaining(JSON.stringify(message).slice(1, -1)),
      });
    }
  });

  it('selects a page of a list, which is empty past the end', async () => {
    const { token } = await at().register();
    const page = await at().rest<{ data: { id: string }[]; pagination: object }>(
      'GET',
      '/things?page=2&per_page=2&kind=done,in_progress',
      { token },
    );
    expect(page.body.data.map((thing) => thing.id)).toEqual(['t2', 't3']);
    expect(page.body.pagination).toEqual({ page: 2, per_page: 2, total: 5, total_pages: 3 });
    const past = await at().rest('GET', '/things?page=2147483647', { token });
    expect(past.body).toEqual({
      data: [],
      pagination: { page: 2_147_483_647, per_page: 20, total: 5, total_pages: 1 },
    });
  });
});
