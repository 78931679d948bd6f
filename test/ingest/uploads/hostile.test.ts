import { expect, it, vi } from 'vitest';
import type { ErrorBody } from '../accounts/world.ts';
import { bill, gzipped, someUploads } from './world.ts';

vi.setConfig({ testTimeout: 60_000 });

const csv = bill('2026-05-03', '7');

it('rejects names that are paths, hidden, too long, invisible or of another format', async () => {
  const site = await someUploads();
  const names = [
    '../a.csv',
    'a\\b.csv',
    '.a.csv',
    ' a.csv',
    'a\u202e.csv',
    'a\n.csv',
    `${'a'.repeat(200)}.csv`,
    'a.xlsx',
    'a',
  ];
  for (const name of names) {
    const { status, body } = await site.upload<ErrorBody>(name, csv);
    expect([name, status, body.error.code, body.error.message]).toEqual([
      name,
      400,
      'VALIDATION_ERROR',
      expect.stringMatching(/^name /),
    ]);
  }
  expect(site.leftovers()).toEqual([]);
  expect(await site.files()).toEqual([]);
});

it('rejects content that does not match the name', async () => {
  const site = await someUploads();
  const cases = [
    ['a.csv', gzipped(csv), 'contains gzip data, but its extension is for text'],
    ['a.csv.gz', Buffer.from(csv), 'has the gzip extension, but contains no gzip data'],
    ['a.parquet', Buffer.from('PAR1 and no more'), 'is truncated: its Parquet data has no end'],
    ['a.parquet', Buffer.from(csv), 'has the Parquet extension, but contains no Parquet data'],
    ['a.csv', Buffer.from('PK\u0003\u0004'), 'contains ZIP data'],
    ['a.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'has a text extension, but is not UTF-8 text'],
    ['a.csv', Buffer.from(csv, 'utf16le'), 'has a text extension, but is not UTF-8 text'],
    ['a.csv', Buffer.alloc(0), 'is empty'],
  ] as const;
  for (const [name, bytes, message] of cases) {
    const { status, body } = await site.upload<ErrorBody>(name, bytes);
    expect([name, status, body.error.message]).toEqual([name, 400, expect.stringContaining(message)]);
  }
  expect(site.leftovers()).toEqual([]);
});

it('rejects forms, encoded bodies and unknown parameters', async () => {
  const site = await someUploads();
  const send = (query: string, headers: Record<string, string>) =>
    site.rest<ErrorBody>('POST', `/accounts/${site.accountId}/files${query}`, { token: site.token, raw: csv, headers });
  const plain = { 'content-type': 'text/csv' };
  const answers = [
    await send('?name=a.csv', { 'content-type': 'multipart/form-data; boundary=x' }),
    await send('?name=a.csv', { 'content-type': 'application/json' }),
    await send('?name=a.csv', { ...plain, 'content-encoding': 'gzip' }),
    await send('?name=a.csv&x=1', plain),
    await send('?name=a.csv&name=b.csv', plain),
    await send('', plain),
    await send('?name=%ff', plain),
    await send('?name=a%00.csv', plain),
  ].map(({ status }) => status);
  expect(answers).toEqual([415, 415, 415, 400, 400, 400, 400, 400]);
});

it('rejects a file above the limit, with or without Content-Length, and keeps nothing', async () => {
  const site = await someUploads();
  Object.assign(site.deps.config, { uploadMaxMiB: 1 });
  const big = Buffer.alloc(2 ** 20 + 1, 'a');
  const announced = await site.upload<ErrorBody>('a.csv', big);
  expect([announced.status, announced.body.error.message]).toEqual([
    413,
    'The file is larger than 1 MiB; compress or split it, or have the operator raise UPLOAD_MAX_MIB',
  ]);
  const chunked = await fetch(`${site.url}/api/v1/accounts/${site.accountId}/files?name=a.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.token}` },
    body: new Blob([big]).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(chunked.status).toBe(413);
  expect(site.leftovers()).toEqual([]);
  expect((await site.upload('a.csv', big.subarray(1))).status).toBe(201);
});

it('reports that the store is full, and keeps nothing', async () => {
  const site = await someUploads();
  vi.spyOn(site.deps.factStore, 'put').mockRejectedValue(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  const { status, body } = await site.upload<ErrorBody>('a.csv', csv);
  vi.restoreAllMocks();
  expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(site.leftovers()).toEqual([]);
  expect(await site.files()).toEqual([]);
});
