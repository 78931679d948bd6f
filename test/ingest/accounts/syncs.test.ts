import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aLine } from '../../support/focus.ts';
import { anAccounting } from './world.ts';

interface Runs {
  readonly data: readonly Record<string, unknown>[];
  readonly pagination: { readonly total: number };
}

const error = 'a.csv, row 2, column BilledCost: "x" is not a decimal number';

describe('the list of syncs', () => {
  it('has each ended sync with its times, line items and error, newest first', async () => {
    const { connect, work, until, call, put } = await anAccounting();
    const { id } = await connect('may');
    await work();
    await until(id, 'succeeded');
    await put('may/a.csv', [aLine({ day: '2026-05-03', BilledCost: 'x' })]);
    await call('POST', `/accounts/${id}/sync`);
    await until(id, 'failed');
    const { body } = await call<Runs>('GET', `/accounts/${id}/syncs`);
    expect(body.data).toMatchObject([
      { account_id: id, status: 'failed', error },
      { account_id: id, status: 'succeeded', rows: 1, error: null },
    ]);
    for (const { started_at: from, finished_at: to } of body.data)
      expect(Date.parse(String(to))).toBeGreaterThanOrEqual(Date.parse(String(from)));
    const oldest = await call<Runs>('GET', `/accounts/${id}/syncs?per_page=1&sort_by=started_at`);
    expect(oldest.body).toMatchObject({ data: [body.data[1]], pagination: { total: 2 } });
  });

  it('has no line items of a failed sync that loaded nothing', async () => {
    const { connect, work, until, call, put } = await anAccounting();
    await put('june/a.csv', [aLine({ day: '2026-06-03', BilledCost: 'x' })]);
    await put('june/b.csv', [aLine({ day: '2026-06-03' })]);
    const { id } = await connect('june');
    await work();
    await until(id, 'failed');
    const { body } = await call<Runs>('GET', `/accounts/${id}/syncs`);
    expect(body.data).toMatchObject([{ status: 'failed', rows: 0 }]);
  });

  it('has a sync that was cancelled before it started', async () => {
    const { connect, call } = await anAccounting();
    const { id } = await connect('may');
    expect((await call('DELETE', `/accounts/${id}/sync`)).status).toBe(204);
    const { body } = await call<Runs>('GET', `/accounts/${id}/syncs`);
    expect(body.data).toMatchObject([{ account_id: id, status: 'cancelled', rows: 0, error: null }]);
  });

  it('has a cancelled sync, and the one that was requested while that was still ending', async () => {
    const { connect, work, until, call, put } = await anAccounting();
    const lines = Array.from({ length: 60_000 }, (_, index) => aLine({ day: '2026-05-03', ResourceId: `vm-${index}` }));
    await put('large/a.csv', lines);
    const { id } = await connect('large');
    await work();
    await until(id, 'running');
    await call('DELETE', `/accounts/${id}/sync`);
    await put('large/a.csv', lines.slice(0, 7));
    expect((await call('POST', `/accounts/${id}/sync`)).status).toBe(202);
    await until(id, 'succeeded');
    const { body } = await call<Runs>('GET', `/accounts/${id}/syncs`);
    expect(body.data).toMatchObject([{ status: 'succeeded', rows: 7 }, { status: 'cancelled' }]);
  });

  it('keeps them for 90 days', async () => {
    const { connect, work, until, call, deps } = await anAccounting();
    const { id } = await connect('may');
    await work();
    await until(id, 'succeeded');
    await deps.pool.query(`UPDATE sync_runs SET started_at = started_at - interval '91 days'`);
    expect((await call('POST', `/accounts/${id}/sync`)).status).toBe(202);
    await until(id, 'succeeded', 'failed');
    expect((await call<Runs>('GET', `/accounts/${id}/syncs`)).body.data).toMatchObject([{ status: 'succeeded' }]);
  });
});

describe('a file whose name is not UTF-8', () => {
  it('is listed as unreadable, and the others are loaded', async () => {
    const site = await anAccounting();
    await site.work();
    writeFileSync(Buffer.concat([Buffer.from(`${site.root}/may/`), Buffer.from('gr\u00f6sse.csv', 'latin1')]), 'x');
    const { id } = await site.connect('may');
    const account = await site.until(id, 'succeeded', 'failed');
    expect(account).toMatchObject({
      sync_status: 'succeeded',
      unreadable_files: ['gr\u{fffd}sse.csv'],
      complete_through: '2026-05-03',
    });
  });
});
