import { request } from 'node:http';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { collectRetired } from '../../../src/engine/stores/collect.ts';
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
  it('loads CSV, gzip and Parquet of several months', async () => {
    const it = await someUploads();
    await writeFocus(path.join(it.root, 'p.parquet'), [aLine({ day: '2026-07-03', cost: '2' })]);
    const parquet = Buffer.from(await readFile(path.join(it.root, 'p.parquet')));
    const first = await it.upload('may.csv', bill('2026-05-03', '7'), 'text/csv');
    expect([first.status, first.body]).toEqual([
      201,
      {
        id: expect.any(String),
        account_id: it.accountId,
        name: 'may.csv',
        size_bytes: bill('2026-05-03', '7').length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        billing_months: null,
        created_by: expect.any(String),
        created_at: expect.any(String),
      },
    ]);
    expect(first.headers.get('location')).toBe(`/api/v1/accounts/${it.accountId}/files/${first.body.id}`);
    expect((await it.upload('june.csv.gz', gzipped(bill('2026-06-03', '5')), 'application/gzip')).status).toBe(201);
    expect((await it.upload('july.parquet', parquet, 'application/vnd.apache.parquet')).status).toBe(201);
    expect(await it.months()).toEqual({ '2026-05': 7, '2026-06': 5, '2026-07': 2 });
    expect((await it.files()).map((file) => [file.name, file.billing_months])).toEqual([
      ['may.csv', ['2026-05']],
      ['june.csv.gz', ['2026-06']],
      ['july.parquet', ['2026-07']],
    ]);
    const one = await it.call<FileBody>('GET', `/accounts/${it.accountId}/files/${first.body.id}`);
    expect(one.body).toEqual({ ...first.body, billing_months: ['2026-05'] });
    expect(it.leftovers()).toEqual([]);
  });

  it('returns the stored file for the same bytes, under any name, and changes nothing', async () => {
    const it = await someUploads();
    const first = await it.upload('may.csv', bill('2026-05-03', '7'));
    expect(await it.months()).toEqual({ '2026-05': 7 });
    const [same, renamed] = [
      await it.upload('may.csv', bill('2026-05-03', '7')),
      await it.upload('copy.csv', bill('2026-05-03', '7')),
    ];
    const known = { ...first.body, billing_months: ['2026-05'] };
    expect([same.status, same.body, renamed.status, renamed.body]).toEqual([200, known, 200, known]);
    expect(await it.files()).toHaveLength(1);
    expect(await keysIn(it)).toHaveLength(1);
    expect(await it.months()).toEqual({ '2026-05': 7 });
  });

  it('stores one file when the same bytes arrive twice at once', async () => {
    const it = await someUploads();
    const answers = await Promise.all(['a.csv', 'b.csv'].map((name) => it.upload(name, bill('2026-05-03', '7'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await keysIn(it)).toHaveLength(1);
  });

  it('replaces the file of the same name, and its month completely', async () => {
    const it = await someUploads();
    const first = await it.upload('may.csv', bill('2026-05-03', '7'));
    await it.upload('more.csv', bill('2026-05-04', '1', { ResourceId: 'vm-2' }));
    expect(await it.months()).toEqual({ '2026-05': 8 });
    const second = await it.upload('may.csv', bill('2026-05-03', '9'));
    expect(second.status).toBe(201);
    expect(await it.months()).toEqual({ '2026-05': 10 });
    expect((await it.files()).map(({ name, id }) => [name, id === first.body.id])).toEqual([
      ['more.csv', false],
      ['may.csv', false],
    ]);
    expect((await it.call('GET', `/accounts/${it.accountId}/files/${first.body.id}`)).status).toBe(404);
    expect(await collect(it)).toBeGreaterThan(0);
    expect(await keysIn(it)).toHaveLength(2);
  });

  it('loads what is uploaded while a sync runs', async () => {
    const it = await someUploads();
    const names = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05'];
    for (const month of names) await it.upload(`${month}.csv`, bill(`${month}-03`, '1'));
    expect(Object.keys(await it.months())).toEqual(names);
  });

  it('keeps the last good month when the new file is faulty, and names file, row and column', async () => {
    const it = await someUploads();
    await it.upload('may.csv', bill('2026-05-03', '7'));
    expect(await it.months()).toEqual({ '2026-05': 7 });
    await it.upload('may.csv', bill('2026-05-03', 'seven'));
    expect(await it.months()).toEqual({ '2026-05': 7 });
    const account = await it.until(it.accountId, 'failed');
    expect(account.last_sync_error).toMatch(/may\.csv.*BilledCost.*seven/s);
  });

  it('refuses the same bill in another format', async () => {
    const it = await someUploads();
    await it.upload('may.csv', bill('2026-05-03', '7'));
    const twin = await it.upload<ErrorBody>('may.csv.gz', gzipped(bill('2026-05-03', '7')));
    expect([twin.status, twin.body.error.message]).toEqual([
      409,
      'name "may.csv.gz" differs from the uploaded file "may.csv" only in its format, so its charges would count twice; delete that one with DELETE /accounts/{id}/files/{file_id}, or use its name',
    ]);
    expect(await keysIn(it)).toHaveLength(1);
  });
});

describe('deleting', () => {
  it('removes what only this file contained', async () => {
    const it = await someUploads();
    const june = await it.upload('june.csv', bill('2026-06-03', '5'));
    const more = await it.upload('more.csv', bill('2026-05-04', '1', { ResourceId: 'vm-2' }));
    await it.upload('may.csv', bill('2026-05-03', '7'));
    expect(await it.months()).toEqual({ '2026-05': 8, '2026-06': 5 });
    const remove = (id: string) => it.call('DELETE', `/accounts/${it.accountId}/files/${id}`);
    expect((await remove(more.body.id)).status).toBe(204);
    expect(await it.months()).toEqual({ '2026-05': 7, '2026-06': 5 });
    expect((await remove(june.body.id)).status).toBe(204);
    expect(await it.months()).toEqual({ '2026-05': 7 });
    expect((await remove(june.body.id)).status).toBe(404);
    expect((await it.files()).map(({ name }) => name)).toEqual(['may.csv']);
    await collect(it);
    expect(await keysIn(it)).toHaveLength(1);
    const costs = await it.call<{ total_cost: number }>(
      'GET',
      '/costs/summary?start_date=2026-05-01&end_date=2026-06-30',
    );
    expect(costs.body.total_cost).toBe(7);
  });

  it('leaves no file behind with the account', async () => {
    const it = await someUploads();
    await it.upload('may.csv', bill('2026-05-03', '7'));
    await it.months();
    expect((await it.call('DELETE', `/accounts/${it.accountId}?purge=true`)).status).toBe(204);
    expect(await it.deps.db.uploadedFile.count()).toBe(0);
    await collect(it);
    expect(await keysIn(it)).toEqual([]);
  });

  it('leaves no file behind with the organization', async () => {
    const it = await someUploads();
    await it.upload('may.csv', bill('2026-05-03', '7'));
    await it.months();
    expect((await it.call('DELETE', '/org', { password: 'plum kite orbit' })).status).toBe(204);
    expect(await it.deps.db.uploadedFile.count()).toBe(0);
    await collect(it);
    expect(await keysIn(it)).toEqual([]);
  });
});

describe('an account', () => {
  it('takes uploads only with that source', async () => {
    const it = await someUploads({ path: 'may' });
    const { status, body } = await it.upload<ErrorBody>('may.csv', bill('2026-05-03', '7'));
    expect([status, body.error.message]).toEqual([
      409,
      `Account "${it.accountId}" does not take uploads; connect an account with provider focus and settings.source uploads`,
    ]);
    expect(it.leftovers()).toEqual([]);
  });

  it('of uploads has no other settings, no credentials and its own address', async () => {
    const it = await someUploads();
    const connect = (more: object) =>
      it.call<ErrorBody>('POST', '/accounts', { name: 'More', provider: 'focus', ...more });
    const messages = [
      await connect({ settings: { source: 'uploads', prefix: 'x' } }),
      await connect({ settings: { source: 'uploads', path: 'may' } }),
      await connect({ settings: { source: 'ftp' } }),
      await connect({ settings: { source: 'uploads' }, credentials: { access_key_id: 'x', secret_access_key: 'y' } }),
    ].map(({ status, body }) => [status, body.error.message]);
    expect(messages).toEqual([
      [400, 'settings.prefix is not valid for uploads; use source'],
      [400, 'settings.source and settings.path name two places; send one of them'],
      [400, 'settings.source must be one of uploads, not "ftp"'],
      [400, 'credentials are not needed for a local folder or uploads; leave the field out'],
    ]);
    const second = await it.call<AccountBody>('POST', '/accounts', {
      name: 'More',
      provider: 'focus',
      settings: { source: 'uploads' },
    });
    expect([second.status, second.body.external_id]).toEqual([201, `uploads://${second.body.id}`]);
  });

  it('can move from a folder to uploads', async () => {
    const it = await someUploads({ path: 'may' });
    expect(await it.months()).toEqual({ '2026-05': 7 });
    const moved = await it.call('PATCH', `/accounts/${it.accountId}`, { settings: { source: 'uploads' } });
    expect([moved.status, moved.body.settings]).toEqual([
      200,
      expect.objectContaining({ source: 'uploads', path: null }),
    ]);
    expect((await it.upload('june.csv', bill('2026-06-03', '5'))).status).toBe(201);
    expect(await it.months()).toMatchObject({ '2026-06': 5 });
  });

  it('of uploads refuses files when it is disconnected', async () => {
    const it = await someUploads();
    await it.call('DELETE', `/accounts/${it.accountId}`);
    expect((await it.upload('may.csv', bill('2026-05-03', '7'))).status).toBe(409);
    expect(await keysIn(it)).toEqual([]);
  });
});

describe('a cut-off connection', () => {
  it('leaves nothing behind', async () => {
    const it = await someUploads();
    const sending = request(`${it.url}/api/v1/accounts/${it.accountId}/files?name=may.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${it.token}`, 'content-length': 1_000_000 },
    });
    sending.on('error', () => {});
    sending.write(bill('2026-05-03', '7'));
    await vi.waitFor(() => expect(it.leftovers()).toHaveLength(1));
    sending.destroy();
    await vi.waitFor(() => expect(it.leftovers()).toEqual([]));
    expect(await it.files()).toEqual([]);
    expect(await keysIn(it)).toEqual([]);
  });
});

describe('the audit log', () => {
  it('records uploads and deletions', async () => {
    const it = await someUploads();
    const { body } = await it.upload('may.csv', bill('2026-05-03', '7'));
    await it.call('DELETE', `/accounts/${it.accountId}/files/${body.id}`);
    const entries = await it.deps.db.auditEntry.findMany({
      where: { action: { in: ['file_uploaded', 'file_deleted'] } },
    });
    const { sha256, size_bytes: bytes } = body;
    expect(entries.map(({ action, accountId, details }) => ({ action, accountId, details }))).toEqual([
      {
        action: 'file_uploaded',
        accountId: it.accountId,
        details: { file: 'may.csv', bytes, sha256, replaced: false },
      },
      { action: 'file_deleted', accountId: it.accountId, details: { file: 'may.csv', bytes, sha256 } },
    ]);
  });
});
