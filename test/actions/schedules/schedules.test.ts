import { describe, expect, it } from 'vitest';
import { accounts, aReportWorld, filtersWith, refusal, type ReportWorld } from '../reports/world.ts';

/** A schedule as returned by REST. */
interface ScheduleBody {
  readonly id: string;
  readonly name: string;
  readonly filters: Record<string, unknown>;
  readonly day: number | null;
  readonly next_run_at: string | null;
  readonly created_by: string;
}

const unknown = '01933333-0000-7000-8000-000000000000';
const weekly = { name: 'Weekly costs by service', type: 'cost_by_service', format: 'pdf', frequency: 'weekly' };

/** Creates a schedule. */
async function made(world: ReportWorld, body: object = {}, name = 'ana'): Promise<ScheduleBody> {
  const answer = await world.as<ScheduleBody>(name, 'POST', '/reports/schedules', { ...weekly, ...body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}

async function names(world: ReportWorld, name: string, query = ''): Promise<string[]> {
  const { body } = await world.as<{ data: ScheduleBody[] }>(name, 'GET', `/reports/schedules${query}`);
  return body.data.map((schedule) => schedule.name);
}

describe('a report schedule', () => {
  it('returns all its fields with defaults', async () => {
    const world = await aReportWorld();
    const answer = await world.as<ScheduleBody>('cleo', 'POST', '/reports/schedules', {
      ...weekly,
      filters: { provider: 'aws' },
      time_zone: 'europe/berlin',
      recipients: ['Finance@Example.com', 'finance@example.com'],
    });
    const { userId } = await world.deps.db.membership.findFirstOrThrow({ where: { role: 'member' } });
    const schedule = {
      ...weekly,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      filters: filtersWith({ provider: ['aws'] }),
      day: 1,
      hour: 8,
      time_zone: 'Europe/Berlin',
      recipients: ['finance@example.com'],
      value_recipients: [],
      slack: false,
      channel_ids: [],
      enabled: true,
      // The clock is at Monday, May 13, 2024, 12:00 in Berlin.
      next_run_at: '2024-05-20T06:00:00.000Z',
      last_run_at: null,
      last_status: null,
      created_by: userId,
      created_at: '2024-05-13T10:00:00.000Z',
      updated_at: '2024-05-13T10:00:00.000Z',
    };
    expect(answer).toMatchObject({ status: 201, body: schedule });
    const list = await world.as<{ data: ScheduleBody[] }>('dan', 'GET', '/reports/schedules');
    expect(list.body.data).toEqual([schedule]);
  });

  it('rejects invalid values', async () => {
    const world = await aReportWorld();
    const refusalOf = async (body: object) =>
      refusal(await world.as('ana', 'POST', '/reports/schedules', { ...weekly, ...body }));
    expect(await refusalOf({ day: 8 })).toBe(
      '400 VALIDATION_ERROR: day must be 1 (Monday) to 7 (Sunday) for a weekly schedule, not 8',
    );
    expect(await refusalOf({ frequency: 'monthly', day: 0 })).toBe(
      '400 VALIDATION_ERROR: day must be 1 to 31 for a monthly schedule, not 0',
    );
    expect(await refusalOf({ frequency: 'daily', day: 3 })).toBe(
      '400 VALIDATION_ERROR: day must be omitted for a daily schedule',
    );
    expect(await refusalOf({ hour: 24 })).toBe('400 VALIDATION_ERROR: hour must be 0 to 23, not 24');
    expect(await refusalOf({ time_zone: '+02:00' })).toBe(
      '400 VALIDATION_ERROR: time_zone "+02:00" is not an IANA time zone; use a name such as "Europe/Berlin" or "UTC"',
    );
    expect(await refusalOf({ recipients: ['a@example.com', 'nobody'] })).toBe(
      '400 VALIDATION_ERROR: recipients[1] "nobody" must be an address such as ana@example.com',
    );
    expect(await refusalOf({ filters: { colour: 'red' } })).toMatch(
      /^400 VALIDATION_ERROR: filters\.colour is not a known field/,
    );
    expect(await refusalOf({ filters: { account_id: unknown } })).toMatch(/^400 VALIDATION_ERROR: filters\.account_id/);
    expect(await refusalOf({ type: 'cost_by_tag' })).toMatch(/^400 VALIDATION_ERROR: filters\.tag_key/);
    expect(await refusalOf({ name: '' })).toMatch(/^400 VALIDATION_ERROR: name/);
    expect(await refusalOf({ frequency: 'hourly' })).toMatch(/^400 VALIDATION_ERROR: .*frequency/);
  });

  it('updates the given fields, and reschedules the next run', async () => {
    const world = await aReportWorld();
    const { id } = await made(world, { day: 3, recipients: ['a@example.com'] });
    const patch = async (body: object) => (await world.as('ana', 'PATCH', `/reports/schedules/${id}`, body)).body;
    expect(await patch({ name: 'Figures' })).toMatchObject({
      name: 'Figures',
      next_run_at: '2024-05-15T08:00:00.000Z',
    });
    expect(await patch({ hour: 23 })).toMatchObject({ day: 3, next_run_at: '2024-05-15T23:00:00.000Z' });
    expect(await patch({ frequency: 'monthly' })).toMatchObject({ day: 1, next_run_at: '2024-06-01T23:00:00.000Z' });
    expect(await patch({ day: 31 })).toMatchObject({ day: 31, next_run_at: '2024-05-31T23:00:00.000Z' });
    expect(await patch({ enabled: false })).toMatchObject({ enabled: false, next_run_at: null });
    expect(await patch({ frequency: 'daily' })).toMatchObject({ day: null, next_run_at: null });
    expect(await patch({ enabled: true })).toMatchObject({ next_run_at: '2024-05-13T23:00:00.000Z' });
    expect(await patch({ filters: { service: ['Amazon S3'] } })).toMatchObject({ filters: { service: ['Amazon S3'] } });
    expect(await patch({ filters: null, recipients: null })).toMatchObject({ filters: filtersWith(), recipients: [] });
    const refused = async (body: object) => refusal(await world.as('ana', 'PATCH', `/reports/schedules/${id}`, body));
    expect(await refused({})).toMatch(
      /^400 VALIDATION_ERROR: The body has nothing to change; send at least one of name, type,/,
    );
    expect(await refused({ hour: null })).toBe('400 VALIDATION_ERROR: hour cannot be null; leave it out to keep it');
    // The existing filters must be valid for the new type.
    await patch({ filters: { cost_metric: 'billed' } });
    expect(await refused({ type: 'inventory' })).toMatch(/^400 VALIDATION_ERROR: filters\.cost_metric is not a filter/);
  });

  it('can be deleted', async () => {
    const world = await aReportWorld();
    const { id } = await made(world);
    expect(await world.as('ana', 'DELETE', `/reports/schedules/${id}`)).toMatchObject({ status: 204, text: '' });
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await world.as(
        'ana',
        method,
        `/reports/schedules/${id}`,
        method === 'PATCH' ? { hour: 1 } : undefined,
      );
      expect(refusal(answer)).toBe(`404 NOT_FOUND: Report schedule "${id}" not found`);
    }
    const entries = await world.deps.db.auditEntry.findMany({ where: { resourceType: 'report_schedule' } });
    expect(entries.map(({ action }) => action)).toEqual(['report_schedule_created', 'report_schedule_deleted']);
  });

  it('can be listed, filtered and sorted', async () => {
    const world = await aReportWorld();
    await made(world, { name: 'A', frequency: 'daily' });
    await made(world, { name: 'C', format: 'csv', frequency: 'monthly' });
    const { id } = await made(world, { name: 'b', type: 'inventory', enabled: false });
    expect((await world.as('ana', 'GET', `/reports/schedules/${id}`)).body).toMatchObject({ id, name: 'b' });
    expect(await names(world, 'ana', '?sort_by=name')).toEqual(['A', 'b', 'C']);
    expect(await names(world, 'ana', '?sort_by=next_run_at')).toEqual(['A', 'C', 'b']);
    expect(await names(world, 'ana', '?sort_by=-next_run_at')).toEqual(['C', 'A', 'b']);
    expect(await names(world, 'ana', '?enabled=false')).toEqual(['b']);
    expect(await names(world, 'ana', '?format=csv,json')).toEqual(['C']);
    expect(await names(world, 'ana', '?type=inventory&type=budgets')).toEqual(['b']);
    expect(await names(world, 'ana', '?sort_by=name&per_page=2&page=2')).toEqual(['C']);
    expect(refusal(await world.as('ana', 'GET', '/reports/schedules?sort_by=hour'))).toMatch(/^400 VALIDATION_ERROR/);
  });
});

describe('access to a schedule', () => {
  it('requires access to all its accounts', async () => {
    const world = await aReportWorld();
    const all = await made(world, { name: 'All' });
    const one = await made(world, { name: 'One', filters: { account_id: accounts.one } });
    const both = await made(world, { name: 'Both', filters: { account_id: [accounts.one, accounts.two] } });
    expect(one.filters).toEqual(filtersWith({ account_id: [accounts.one] }));
    expect(await names(world, 'eve')).toEqual(['One']);
    expect(await names(world, 'dan', '?sort_by=name')).toEqual(['All', 'Both', 'One']);
    for (const { id } of [all, both])
      for (const method of ['PATCH', 'DELETE']) {
        const body = method === 'PATCH' ? { name: 'Mine' } : undefined;
        expect((await world.as('eve', method, `/reports/schedules/${id}`, body)).status).toBe(404);
      }
    expect((await world.as('eve', 'PATCH', `/reports/schedules/${one.id}`, { name: 'Uno' })).status).toBe(200);
    const widened = await world.as('eve', 'PATCH', `/reports/schedules/${one.id}`, {
      filters: { account_id: accounts.two },
    });
    expect(refusal(widened)).toMatch(/^400 VALIDATION_ERROR: filters\.account_id/);
    // Without accounts it covers those that she has access to.
    expect(
      (await world.as<ScheduleBody>('eve', 'PATCH', `/reports/schedules/${one.id}`, { filters: {} })).body.filters,
    ).toEqual(filtersWith({ account_id: [accounts.one] }));
  });

  it('is limited to their own schedules for Members', async () => {
    const world = await aReportWorld();
    const [hers, theirs] = [await made(world, {}, 'cleo'), await made(world)];
    expect((await world.as('cleo', 'PATCH', `/reports/schedules/${hers.id}`, { hour: 3 })).status).toBe(200);
    expect(refusal(await world.as('cleo', 'PATCH', `/reports/schedules/${theirs.id}`, { hour: 3 }))).toBe(
      `403 FORBIDDEN: Report schedule "${theirs.id}" belongs to another member; ask them or an Admin`,
    );
    expect((await world.as('cleo', 'DELETE', `/reports/schedules/${theirs.id}`)).status).toBe(403);
    expect((await world.as('ana', 'DELETE', `/reports/schedules/${hers.id}`)).status).toBe(204);
    expect((await world.as('dan', 'POST', '/reports/schedules', weekly)).status).toBe(403);
  });

  it('limits audit entries to accounts in scope', async () => {
    const world = await aReportWorld();
    await made(world, { name: 'Secret', filters: { account_id: accounts.two } });
    await made(world, { name: 'Everything' });
    await made(world, { name: 'Own', filters: { account_id: accounts.one } });
    await made(world, { name: 'Both', filters: { account_id: [accounts.one, accounts.two] } });
    const { text } = await world.as('eve', 'GET', '/audit-logs?action=report_schedule_created');
    expect(text).toContain('Own');
    expect(text).not.toMatch(/Secret|Everything|Both/);
    expect(text).not.toContain(accounts.two);
  });
});

it('drops a purged account from schedules, and deletes schedules for that account only', async () => {
  const world = await aReportWorld();
  await made(world, { name: 'Two', filters: { account_id: accounts.two } });
  await made(world, { name: 'Both', filters: { account_id: [accounts.one, accounts.two] } });
  await made(world, { name: 'All' });
  const answer = await world.as('ana', 'DELETE', `/accounts/${accounts.two}?purge=true`);
  expect(answer.status).toBe(204);
  expect(await names(world, 'ana', '?sort_by=name')).toEqual(['All', 'Both']);
  expect(await names(world, 'eve')).toEqual(['Both']);
});
