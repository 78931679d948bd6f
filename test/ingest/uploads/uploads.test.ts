import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { collectRetired } from '../../../src/engine/stores/collect.ts';
import { beginSync, endSync, markChanged } from '../../../src/ingest/sync/store.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { aLine, writeFocus } from '../../support/focus.ts';
import type { AccountBody, ErrorBody } from '../accounts/world.ts';
import { bill, type FileBody, gzipped, someUploads, type Uploads } from './world.ts';

const signal = new AbortController().signal;

async function keysIn({ deps, accountId }: Uploads): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of deps.factStore.list()) if (key.startsWith(`${accountId}/uploads/`)) keys.push(key);
  return keys;
}

/** Deletes retired files as the job does, an hour later. */
function collect({ deps }: Uploads): Promise<number> {
  return collectRetired(deps, new Date(Date.now() + 3_600_000), signal);
}

describe('uploading', () => {
  it('leaves the account queued after a sync that ran during the upload, until another one has loaded the file', async () => {
    const site = await someUploads();
    await site.months();
    const scope = orgScope((await site.deps.db.account.findFirstOrThrow()).organizationId, null);
    const statusOf = async () => {
      const { body } = await site.call<AccountBody>('GET', `/accounts/${site.accountId}`);
      return body.sync_status;
    };
    const end = () => endSync(site.deps, scope, site.accountId, { status: 'succeeded' });
    const begin = (at = new Date()) => beginSync(site.deps.db, scope, site.accountId, at);
    await site.deps.db.accountSync.updateMany({ data: { status: 'queued' } });
    await begin();
    const changed = new Date(Date.now() + 1);
    await markChanged(site.deps.db, scope, site.accountId, changed);
    expect(await statusOf()).toBe('running');
    await end();
    expect(await statusOf()).toBe('queued');
    await begin(new Date(changed.getTime() + 1));
    await end();
    expect(await statusOf()).toBe('succeeded');
  });

  it('leaves the account queued when a sync begins or ends during the upload', async () => {
    const site = await someUploads();
    await site.months();
    const { db, pool } = site.deps;
    const scope = orgScope((await db.account.findFirstOrThrow()).organizationId, null);
    const statusOf = async () => (await db.accountSync.findFirstOrThrow()).status;
    const isWaiting = async () => {
      const find = () =>
        pool.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'
          AND datname = current_database() AND query LIKE '%account_syncs%'`);
      await expect.poll(async () => (await find()).rows.length).toBe(1);
    };
    await db.accountSync.updateMany({ data: { status: 'queued' } });
    const begun = await db.$transaction(async (upload) => {
      await markChanged(upload, scope, site.accountId, new Date());
      const beginning = beginSync(db, scope, site.accountId, new Date());
      await isWaiting();
      return { beginning };
    });
    expect([await begun.beginning, await statusOf()]).toEqual([
      expect.objectContaining({ accountId: site.accountId }),
      'running',
    ]);
    const marked = await db.$transaction(async (sync) => {
      await sync.accountSync.updateMany({ data: { status: 'succeeded' } });
      const marking = markChanged(db, scope, site.accountId, new Date());
      await isWaiting();
      return { marking };
    });
    await marked.marking;
    expect(await statusOf()).toBe('queued');
  });

  it('warns of nothing before the first file', async () => {
    const site = await someUploads();
    expect(await site.months()).toEqual({});
    const { body } = await site.call<AccountBody>('GET', `/accounts/${site.accountId}`);
    expect(body).toMatchObject({ sync_status: 'succeeded', sync_warnings: [] });
  });

  it('loads CSV, gzip and Parquet of several months', async () => {
    const site = await someUploads();
    await writeFocus(path.join(site.root, 'p.parquet'), [aLine({ day: '2026-07-03', cost: '2' })]);
    const parquet = Buffer.from(await readFile(path.join(site.root, 'p.parquet')));
    const first = await site.upload('may.csv', bill('2026-05-03', '7'), 'text/csv');
    expect([first.status, first.body]).toEqual([
      201,
      {
        id: expect.any(String),
        account_id: site.accountId,
        name: 'may.csv',
        size_bytes: bill('2026-05-03', '7').length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        billing_months: null,
        created_by: expect.any(String),
        created_at: expect.any(String),
      },
    ]);
    expect(first.headers.get('location')).toBe(`/api/v1/accounts/${site.accountId}/files/${first.body.id}`);
    expect((await site.upload('june.csv.gz', gzipped(bill('2026-06-03', '5')), 'application/gzip')).status).toBe(201);
    expect((await site.upload('july.parquet', parquet, 'application/vnd.apache.parquet')).status).toBe(201);
    expect(await site.months()).toEqual({ '2026-05': 7, '2026-06': 5, '2026-07': 2 });
    expect((await site.files()).map((file) => [file.name, file.billing_months])).toEqual([
      ['may.csv', ['2026-05']],
      ['june.csv.gz', ['2026-06']],
      ['july.parquet', ['2026-07']],
    ]);
    const one = await site.call<FileBody>('GET', `/accounts/${site.accountId}/files/${first.body.id}`);
    expect(one.body).toEqual({ ...first.body, billing_months: ['2026-05'] });
    expect(site.leftovers()).toEqual([]);
  });

  it('returns the stored file for the same bytes, under any name, and changes nothing', async () => {
    const site = await someUploads();
    const first = await site.upload('may.csv', bill('2026-05-03', '7'));
    expect(await site.months()).toEqual({ '2026-05': 7 });
    const [same, renamed] = [
      await site.upload('may.csv', bill('2026-05-03', '7')),
      await site.upload('copy.csv', bill('2026-05-03', '7')),
    ];
    const known = { ...first.body, billing_months: ['2026-05'] };
    expect([same.status, same.body, renamed.status, renamed.body]).toEqual([200, known, 200, known]);
    expect(await site.files()).toHaveLength(1);
    expect(await keysIn(site)).toHaveLength(1);
    expect(await site.months()).toEqual({ '2026-05': 7 });
  });

  it('stores one file when the same bytes arrive twice at once', async () => {
    const site = await someUploads();
    const answers = await Promise.all(['a.csv', 'b.csv'].map((name) => site.upload(name, bill('2026-05-03', '7'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await keysIn(site)).toHaveLength(1);
  });

  it('replaces the file of the same name, and its month completely', async () => {
    const site = await someUploads();
    const first = await site.upload('may.csv', bill('2026-05-03', '7'));
    await site.upload('more.csv', bill('2026-05-04', '1', { ResourceId: 'vm-2' }));
    expect(await site.months()).toEqual({ '2026-05': 8 });
    const second = await site.upload('may.csv', bill('2026-05-03', '9'));
    expect(second.status).toBe(201);
    expect(await site.months()).toEqual({ '2026-05': 10 });
    expect((await site.files()).map(({ name, id }) => [name, id === first.body.id])).toEqual([
      ['more.csv', false],
      ['may.csv', false],
    ]);
    expect((await site.call('GET', `/accounts/${site.accountId}/files/${first.body.id}`)).status).toBe(404);
    expect(await collect(site)).toBeGreaterThan(0);
    expect(await keysIn(site)).toHaveLength(2);
  });

  it('loads files uploaded while a sync runs', async () => {
    const site = await someUploads();
    const names = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05'];
    for (const month of names) await site.upload(`${month}.csv`, bill(`${month}-03`, '1'));
    expect(Object.keys(await site.months())).toEqual(names);
  });

  it('keeps the last good month when the new file is faulty, and names file, row and column', async () => {
    const site = await someUploads();
    await site.upload('may.csv', bill('2026-05-03', '7'));
    expect(await site.months()).toEqual({ '2026-05': 7 });
    await site.upload('may.csv', bill('2026-05-03', 'seven'));
    expect(await site.months()).toEqual({ '2026-05': 7 });
    const account = await site.until(site.accountId, 'failed');
    expect(account.last_sync_error).toMatch(/may\.csv.*BilledCost.*seven/s);
    expect(account.unreadable_files).toEqual(['may.csv']);
    await site.upload('may.csv', bill('2026-05-04', '8'));
    expect(await site.months()).toEqual({ '2026-05': 8 });
    expect((await site.until(site.accountId, 'succeeded')).unreadable_files).toEqual([]);
  });

  it('rejects the same bill in another format', async () => {
    const site = await someUploads();
    await site.upload('may.csv', bill('2026-05-03', '7'));
    const twin = await site.upload<ErrorBody>('may.csv.gz', gzipped(bill('2026-05-03', '7')));
    expect([twin.status, twin.body.error.message]).toEqual([
      409,
      'name "may.csv.gz" differs from the uploaded file "may.csv" only in its format, so its charges would count twice; delete that one with DELETE /accounts/{id}/files/{file_id}, or use its name',
    ]);
    expect(await keysIn(site)).toHaveLength(1);
  });
});

describe('a deletion', () => {
  it('of a file removes the costs that only this file contained', async () => {
    const site = await someUploads();
    const june = await site.upload('june.csv', bill('2026-06-03', '5'));
    const more = await site.upload('more.csv', bill('2026-05-04', '1', { ResourceId: 'vm-2' }));
    await site.upload('may.csv', bill('2026-05-03', '7'));
    expect(await site.months()).toEqual({ '2026-05': 8, '2026-06': 5 });
    const remove = (id: string) => site.call('DELETE', `/accounts/${site.accountId}/files/${id}`);
    expect((await remove(more.body.id)).status).toBe(204);
    expect(await site.months()).toEqual({ '2026-05': 7, '2026-06': 5 });
    expect((await remove(june.body.id)).status).toBe(204);
    expect(await site.months()).toEqual({ '2026-05': 7 });
    expect((await remove(june.body.id)).status).toBe(404);
    expect((await site.files()).map(({ name }) => name)).toEqual(['may.csv']);
    await collect(site);
    expect(await keysIn(site)).toHaveLength(1);
    const costs = await site.call<{ total_cost: number }>(
      'GET',
      '/costs/summary?start_date=2026-05-01&end_date=2026-06-30',
    );
    expect(costs.body.total_cost).toBe(7);
  });

  it('of the account leaves no file behind', async () => {
    const site = await someUploads();
    await site.upload('may.csv', bill('2026-05-03', '7'));
    await site.months();
    expect((await site.call('DELETE', `/accounts/${site.accountId}?purge=true`)).status).toBe(204);
    expect(await site.deps.db.uploadedFile.count()).toBe(0);
    await collect(site);
    expect(await keysIn(site)).toEqual([]);
  });

  it('of the organization leaves no file behind', async () => {
    const site = await someUploads();
    await site.upload('may.csv', bill('2026-05-03', '7'));
    await site.months();
    expect((await site.call('DELETE', '/org', { password: 'plum kite orbit' })).status).toBe(204);
    expect(await site.deps.db.uploadedFile.count()).toBe(0);
    await collect(site);
    expect(await keysIn(site)).toEqual([]);
  });
});

describe('an account', () => {
  it('takes uploads only if they are its source', async () => {
    const site = await someUploads({ path: 'may' });
    const { status, body } = await site.upload<ErrorBody>('may.csv', bill('2026-05-03', '7'));
    expect([status, body.error.message]).toEqual([
      409,
      `Account "${site.accountId}" does not accept uploads; connect an account with provider focus and settings.source uploads`,
    ]);
    expect(site.leftovers()).toEqual([]);
  });

  it('of uploads has no other settings, no credentials and its own external id', async () => {
    const site = await someUploads();
    const connect = (more: object) =>
      site.call<ErrorBody>('POST', '/accounts', { name: 'More', provider: 'focus', ...more });
    const messages = [
      await connect({ settings: { source: 'uploads', prefix: 'x' } }),
      await connect({ settings: { source: 'uploads', path: 'may' } }),
      await connect({ settings: { source: 'ftp' } }),
      await connect({ settings: { source: 'uploads' }, credentials: { access_key_id: 'x', secret_access_key: 'y' } }),
    ].map(({ status, body }) => [status, body.error.message]);
    expect(messages).toEqual([
      [400, 'settings.prefix is not valid for uploads; use source'],
      [400, 'settings.source and settings.path are two different sources; send only one'],
      [400, 'settings.source must be one of uploads, not "ftp"'],
      [400, 'credentials are not needed for a local folder or uploads; leave the field out'],
    ]);
    const second = await site.call<AccountBody>('POST', '/accounts', {
      name: 'More',
      provider: 'focus',
      settings: { source: 'uploads' },
    });
    expect([second.status, second.body.external_id]).toEqual([201, `uploads://${second.body.id}`]);
  });

  it('can move from a folder to uploads', async () => {
    const site = await someUploads({ path: 'may' });
    expect(await site.months()).toEqual({ '2026-05': 7 });
    const moved = await site.call('PATCH', `/accounts/${site.accountId}`, { settings: { source: 'uploads' } });
    expect([moved.status, moved.body.settings]).toEqual([
      200,
      expect.objectContaining({ source: 'uploads', path: null }),
    ]);
    expect((await site.upload('june.csv', bill('2026-06-03', '5'))).status).toBe(201);
    expect(await site.months()).toMatchObject({ '2026-06': 5 });
  });

  it('of uploads rejects files when it is disconnected', async () => {
    const site = await someUploads();
    await site.call('DELETE', `/accounts/${site.accountId}`);
    expect((await site.upload('may.csv', bill('2026-05-03', '7'))).status).toBe(409);
    expect(await keysIn(site)).toEqual([]);
  });
});

describe('an account that changes during an upload', () => {
  it.each([
    ['disconnected', '', 409, /is disconnected; reconnect it with PATCH/],
    ['purged', '?purge=true', 404, /not found/],
  ])('rejects the file because it is %s', async (_change, query, status, message) => {
    const site = await someUploads();
    const text = bill('2026-05-03', '7');
    const sending = request(`${site.url}/api/v1/accounts/${site.accountId}/files?name=may.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.token}`, 'content-length': Buffer.byteLength(text) },
    });
    sending.write(text.slice(0, 10));
    await vi.waitFor(() => expect(site.leftovers()).toHaveLength(1));
    expect((await site.call('DELETE', `/accounts/${site.accountId}${query}`)).status).toBe(204);
    const [response] = (await once(sending.end(text.slice(10)), 'response')) as [IncomingMessage];
    const { error } = (await json(response)) as ErrorBody;
    expect([response.statusCode, error.message]).toEqual([status, expect.stringMatching(message)]);
    expect(await keysIn(site)).toEqual([]);
  });
});

describe('an interrupted connection', () => {
  it('leaves nothing behind', async () => {
    const site = await someUploads();
    const sending = request(`${site.url}/api/v1/accounts/${site.accountId}/files?name=may.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.token}`, 'content-length': 1_000_000 },
    });
    sending.on('error', () => {});
    sending.write(bill('2026-05-03', '7'));
    await vi.waitFor(() => expect(site.leftovers()).toHaveLength(1));
    sending.destroy();
    await vi.waitFor(() => expect(site.leftovers()).toEqual([]));
    expect(await site.files()).toEqual([]);
    expect(await keysIn(site)).toEqual([]);
  });
});

describe('the audit log', () => {
  it('records uploads and deletions', async () => {
    const site = await someUploads();
    const { body } = await site.upload('may.csv', bill('2026-05-03', '7'));
    await site.call('DELETE', `/accounts/${site.accountId}/files/${body.id}`);
    const entries = await site.deps.db.auditEntry.findMany({
      where: { action: { in: ['file_uploaded', 'file_deleted'] } },
    });
    const { sha256, size_bytes: bytes } = body;
    expect(entries.map(({ action, accountId, details }) => ({ action, accountId, details }))).toEqual([
      {
        action: 'file_uploaded',
        accountId: site.accountId,
        details: { file: 'may.csv', bytes, sha256, replaced: false },
      },
      { action: 'file_deleted', accountId: site.accountId, details: { file: 'may.csv', bytes, sha256 } },
    ]);
  });
});
