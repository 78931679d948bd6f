import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/mcp/api/client.ts';
import { listAccounts } from '../../src/mcp/tools/accounts.ts';
import { mcpWorld, now } from './world.ts';

const world = mcpWorld();

interface Listed {
  readonly data: readonly Record<string, unknown>[];
  readonly pagination: object;
  readonly truncated?: boolean;
  readonly hint?: string;
}

const listed = (args: object = {}) => world().callTool<Listed>('list_accounts', args);

const account = {
  id: 'a1',
  name: 'prod',
  provider: 'aws',
  external_id: '111',
  status: 'connected',
  sync_status: 'succeeded',
  sync_progress: null,
  last_synced_at: '2026-11-21T04:00:00Z',
  last_sync_error: null,
  sync_warnings: [],
  data_from: '2026-08-01',
  data_to: '2026-11-19',
  complete_through: '2026-11-19',
  currency: 'USD',
  sample: false,
};

/** The tool's output for the given accounts. */
function read(accounts: readonly object[]): Promise<Listed> {
  const total = accounts.length;
  const page = { data: accounts, pagination: { page: 1, per_page: 20, total, total_pages: 1 } };
  const api: Api = {
    get: (_, __, shape) => Promise.resolve(shape.parse(page)),
    send: () => Promise.reject(new Error('Nothing is written')),
  };
  return listAccounts.run({ api, now }, {}) as Promise<Listed>;
}

describe('list_accounts', () => {
  it('shows which days of each account have data', async () => {
    const { prod, lab } = world().accounts;
    const answer = await listed();
    expect(answer).toMatchObject({ pagination: { page: 1, per_page: 20, total: 2, total_pages: 1 } });
    const byName = Object.fromEntries(answer.data.map((one) => [one['name'], one]));
    expect(byName).toMatchObject({
      prod: { id: prod, data_from: '2026-08-01', data_to: '2026-11-19', complete_through: '2026-11-19' },
      lab: { id: lab },
    });
  });

  it('pages, and gives hints when there is nothing', async () => {
    expect((await listed({ per_page: 1, page: 2 })).pagination).toMatchObject({ total: 2, total_pages: 2 });
    expect((await listed({ page: 9 })).hint).toContain('after the last one');
    expect((await listed({ provider: ['gcp'] })).hint).toContain('disconnected');
    expect((await listed({ provider: ['gcp'] })).hint).toContain('get_cost_breakdown by provider');
    const answer = await world().tryTool('list_accounts', { sync_status: ['broken'] });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('succeeded') });
  });

  it.each([
    [{ sync_status: 'failed', last_sync_error: 'Bucket "bills" is not there' }, 'can fix last_sync_error'],
    [{ sync_status: 'running' }, 'is syncing'],
    [{ sync_status: 'queued' }, 'is syncing'],
    [{ sync_status: 'never' }, 'sync the account'],
    [{ sync_status: 'cancelled' }, 'sync the account'],
    [{ status: 'disconnected' }, 'reconnect'],
    [{ complete_through: '2026-11-15' }, 'check that the export still runs'],
  ])('states the remedy for %j', async (state, toDo) => {
    const { data } = await read([{ ...account, ...state }]);
    expect(data[0]).toMatchObject({ ...state, what_to_do: expect.stringContaining(toDo) });
  });

  it('omits empty fields and the remedy when there is no problem', async () => {
    const { data } = await read([{ ...account, complete_through: '2026-11-17' }]);
    for (const name of ['what_to_do', 'last_sync_error', 'sync_warnings', 'sync_percent'])
      expect(data[0]).not.toHaveProperty(name);
  });

  it('shows the progress of a sync, and its first warnings', async () => {
    const progress = { phase: 'reading', percent: 40, rows: 12 };
    const { data } = await read([{ ...account, sync_progress: progress, sync_warnings: ['a', 'b', 'c', 'd'] }]);
    expect(data[0]).toMatchObject({ sync_percent: 40, sync_warnings: ['a', 'b', 'c'] });
  });

  it('truncates long texts until the answer fits, and reports it', async () => {
    const long = '"'.repeat(100_000);
    const many = Array.from({ length: 50 }, () => ({
      ...account,
      name: long,
      external_id: long,
      sync_status: 'failed',
      last_sync_error: long,
      sync_warnings: [long, long, long, long],
    }));
    const answer = await read(many);
    expect(answer.truncated).toBe(true);
    expect(answer.data).toHaveLength(50);
    expect(JSON.stringify(answer).length).toBeLessThan(60_000);
    expect((await read([account])).truncated).toBeUndefined();
  });
});
