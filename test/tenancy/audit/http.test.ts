import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../../src/tenancy/audit/store.ts';
import { writeAudit } from '../../../src/tenancy/audit/store.ts';
import { restApiOf } from '../../../src/surfaces/rest/api.ts';
import { exportedType } from '../../../src/surfaces/rest/csv.ts';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import { essentials } from '../../support/essentials.ts';
import { aWorld, type Answered } from '../../support/world.ts';

interface Entry {
  id: string;
  timestamp: string;
  actor: { id: string | null; email: string | null };
  action: string;
  resource_type: string;
  resource_id: string | null;
  ip_address: string;
  user_agent: string;
  details: Record<string, unknown>;
}
interface List {
  data: Entry[];
  pagination: { total: number };
  error?: { code: string; message: string };
}

const start = new Date('2026-11-21T10:00:00.000Z');
const [mine, theirs] = ['01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b'];

/** An organization with a settable clock, and functions to read and write its audit log as its Super Admin. */
async function anAudit(options: Parameters<typeof aWorld>[0] = {}) {
  let now = start;
  const clock = { now: () => now };
  const world = await aWorld({ ...options, clock });
  const { token } = await world.register();
  const { organizationId, userId } = await world.deps.db.membership.findFirstOrThrow();
  const actor = { organizationId, userId, email: 'a@example.com', ipAddress: '203.0.113.7', userAgent: 'test', clock };
  return {
    world,
    token,
    userId,
    at: (text: string) => void (now = new Date(text)),
    write: (entry: AuditRecord) => writeAudit(world.deps.db, actor, entry),
    list: (query = '', headers = {}) => world.rest<List>('GET', `/audit-logs${query}`, { token, headers }),
    become: (changes: { role?: 'admin' | 'member' | 'viewer'; restricted?: boolean; accountAccess?: string[] }) =>
      world.deps.db.membership.updateMany({ where: { userId }, data: changes }),
  };
}

const actions = (answer: Answered<List>) => answer.body.data.map((entry) => entry.action);

describe('the audit log', () => {
  it('shows who did what to which resource, when and from where, newest first', async () => {
    const { world, token, at, list, userId } = await anAudit();
    at('2026-11-21T10:01:00.000Z');
    const headers = { 'user-agent': 'curl/8' };
    await world.rest('PATCH', '/org', { token, body: { name: 'Kite' }, headers });
    const { body } = await list();
    expect(body.data.map((entry) => entry.action)).toEqual(['settings_changed', 'user_registered']);
    expect(body.data[0]).toEqual({
      id: expect.any(String),
      timestamp: '2026-11-21T10:01:00.000Z',
      actor: { id: userId, email: 'person1@example.com' },
      action: 'settings_changed',
      resource_type: 'organization',
      resource_id: expect.any(String),
      ip_address: '127.0.0.1',
      user_agent: 'curl/8',
      details: { name: { from: 'Plum', to: 'Kite' } },
    });
    const query = '{ auditLogs(action: [SETTINGS_CHANGED]) { data { action actor { email } ipAddress } } }';
    expect((await world.gql(query, {}, token)).body.data).toEqual({
      auditLogs: {
        data: [{ action: 'SETTINGS_CHANGED', actor: { email: 'person1@example.com' }, ipAddress: '127.0.0.1' }],
      },
    });
  });

  it('uses a forwarded client address only from trusted proxies', async () => {
    const forwarded = { 'x-forwarded-for': '198.51.100.9, 203.0.113.50' };
    const addressSeen = async (config: object) => {
      const { world, token, list } = await anAudit({ config });
      await world.rest('PATCH', '/org', { token, body: { name: 'Kite' }, headers: forwarded });
      return (await list('?action=settings_changed')).body.data[0]?.ip_address;
    };
    expect(await addressSeen({})).toBe('127.0.0.1');
    expect(await addressSeen({ trustProxy: 1 })).toBe('203.0.113.50');
    expect(await addressSeen({ trustProxy: 'loopback, 203.0.113.0/24' })).toBe('198.51.100.9');
  });

  it('is restricted to Admins of the organization', async () => {
    const { world, list, become } = await anAudit();
    const other = await world.register({ organization_name: 'Other' });
    const foreign = await world.rest<List>('GET', '/audit-logs', { token: other.token });
    expect(actions(foreign)).toEqual(['user_registered']);
    for (const [role, status] of [
      ['admin', 200],
      ['member', 403],
      ['viewer', 403],
    ] as const) {
      await become({ role });
      expect([role, (await list()).status]).toEqual([role, status]);
    }
  });

  it('can be filtered and sorted', async () => {
    const { at, write, list, userId } = await anAudit();
    for (const [time, action] of [
      ['2026-11-20T23:59:59.999Z', 'login'],
      ['2026-11-22T00:00:00.000Z', 'logout'],
    ] as const) {
      at(time);
      await write({ action, resourceType: 'session' });
    }
    at('2026-11-21T10:00:00.000Z');
    expect(actions(await list())).toEqual(['logout', 'user_registered', 'login']);
    expect(actions(await list('?sort_by=timestamp'))).toEqual(['login', 'user_registered', 'logout']);
    expect(actions(await list('?sort_by=-action'))).toEqual(['user_registered', 'logout', 'login']);
    expect(actions(await list('?start_date=2026-11-21&end_date=2026-11-21'))).toEqual(['user_registered']);
    expect(actions(await list('?end_date=2026-11-20'))).toEqual(['login']);
    expect(actions(await list('?action=login,logout'))).toEqual(['logout', 'login']);
    expect((await list(`?actor_id=${userId}`)).body.pagination.total).toBe(3);
    for (const id of [mine, 'nobody', '%00']) expect(actions(await list(`?actor_id=${id}`))).toEqual([]);
    expect(actions(await list('?per_page=1&page=2'))).toEqual(['user_registered']);
  });

  it('reads and filters entries of other versions as unknown', async () => {
    const { world, list, become } = await anAudit();
    const { organizationId } = await world.deps.db.membership.findFirstOrThrow();
    const entry = { organizationId, ipAddress: '', userAgent: '', details: { amount: 7 } };
    const timestamp = (hour: number) => new Date(Date.UTC(2026, 10, 22, hour));
    await world.deps.db.auditEntry.createMany({
      data: [
        { ...entry, action: 'data_exported', resourceType: 'alert-rules', timestamp: timestamp(1) },
        { ...entry, action: 'planet_moved', resourceType: 'planet', timestamp: timestamp(2) },
      ],
    });
    const [moved, exported] = (await list()).body.data;
    expect(moved).toMatchObject({ action: 'unknown', resource_type: 'unknown', details: { amount: 7 } });
    expect(exported).toMatchObject({ action: 'data_exported', resource_type: 'alert_rules' });
    expect(actions(await list('?action=unknown'))).toEqual(['unknown']);
    expect(actions(await list('?action=unknown,data_exported'))).toEqual(['unknown', 'data_exported']);
    expect(actions(await list('?action=login'))).toEqual([]);
    // Details of unknown actions could name accounts outside a restricted caller's scope.
    await become({ role: 'admin', restricted: true, accountAccess: [mine] });
    expect((await list('?action=unknown')).body.data).toMatchObject([{ action: 'unknown', details: {} }]);
  });

  it('has a resource type for each CSV export', () => {
    const exports = restApiOf(buildSchema()).operations.filter(({ route }) => route.csv !== undefined);
    expect(exports.length).toBeGreaterThan(20);
    expect(exports.filter(({ route }) => exportedType(route) === 'unknown')).toEqual([]);
  });

  it.each([
    ['?action=loggin', 'action must be one of'],
    ['?sort_by=ip', 'sort_by'],
    ['?start_date=2026-02-30', 'start_date'],
    ['?start_date=2026-11-22&end_date=2026-11-21', 'end_date "2026-11-21" is before start_date 2026-11-22'],
    ['?user=x', 'user'],
  ])('rejects %s, naming the field', async (query, named) => {
    const { list } = await anAudit();
    const { status, body } = await list(query);
    expect([status, essentials(body.error)]).toEqual([
      400,
      {
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining(named),
        status: 400,
        field: named.split(' ', 1)[0],
      },
    ]);
  });

  it('can be exported as CSV, and audits that export', async () => {
    const { list } = await anAudit();
    const csv = await list('', { accept: 'text/csv' });
    expect(csv.text.split('\r\n')[0]).toBe(
      'id,timestamp,actor_id,actor_email,action,resource_type,resource_id,ip_address,user_agent,details',
    );
    expect(actions(await list())).toEqual(['data_exported', 'user_registered']);
  });
});

describe('a restricted Admin', () => {
  it('sees entries about their own accounts or no account, without details that name other accounts', async () => {
    const { write, list, become } = await anAudit();
    await write({ action: 'account_connected', resourceType: 'account', resourceId: theirs, accountId: theirs });
    await write({ action: 'account_connected', resourceType: 'account', resourceId: mine, accountId: mine });
    await write({
      action: 'data_exported',
      resourceType: 'costs',
      details: { operation: 'costsByAccount', format: 'csv', rows: 2, parameters: { account_id: [theirs] } },
    });
    const changes = {
      account_access: { from: null, to: [theirs, mine] },
      name: { from: theirs, to: 'b' },
      default_account: theirs,
    };
    await write({ action: 'settings_changed', resourceType: 'member', details: changes });
    const rate = { month: '2026-06', from: 'JPY', to: 'USD', rate: '0.0066' };
    const rates = { set_count: 1, removed_count: 0, set: [rate], removed: [] };
    await write({ action: 'exchange_rates_changed', resourceType: 'organization', details: rates });
    const tag = { key: 'team', name: 'Team', enabled: true, rules: 3, splits: ['Platform'] };
    await write({ action: 'virtual_tag_created', resourceType: 'virtual_tag', details: tag });
    const schedule = { action: 'report_schedule_created', resourceType: 'report_schedule', accountId: mine } as const;
    await write({ ...schedule, details: { name: 'Both', account_ids: [mine, theirs] } });
    await write({ ...schedule, details: { name: 'Mine', account_ids: [mine] } });
    // Of an earlier version, which did not record the other accounts.
    await write({ ...schedule, details: { name: 'Unknown', account_id: mine } });
    await become({ role: 'admin', restricted: true, accountAccess: [mine] });
    const { body } = await list();
    expect(body.pagination.total).toBe(9);
    expect(body.data.map(({ action, resource_id, details }) => ({ action, resource_id, details }))).toEqual([
      { action: 'report_schedule_created', resource_id: null, details: {} },
      {
        action: 'report_schedule_created',
        resource_id: null,
        details: { name: 'Mine', account_ids: [mine] },
      },
      { action: 'report_schedule_created', resource_id: null, details: {} },
      {
        action: 'virtual_tag_created',
        resource_id: null,
        details: { key: 'team', name: 'Team', enabled: true },
      },
      { action: 'exchange_rates_changed', resource_id: null, details: {} },
      {
        action: 'settings_changed',
        resource_id: null,
        details: {
          account_access: { from: null, to: [mine] },
          name: { from: theirs, to: 'b' },
          default_account: null,
        },
      },
      { action: 'data_exported', resource_id: null, details: { operation: 'costsByAccount', format: 'csv' } },
      { action: 'account_connected', resource_id: mine, details: {} },
      { action: 'user_registered', resource_id: expect.any(String), details: expect.anything() },
    ]);
    await become({ accountAccess: [] });
    expect((await list()).body.pagination.total).toBe(5);
  });
});
