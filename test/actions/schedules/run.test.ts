import { describe, expect, it } from 'vitest';
import { runDueSchedules } from '../../../src/actions/schedules/run.ts';
import { accounts, aReportWorld, type ReportBody, type ReportWorld } from '../reports/world.ts';

const daily = { name: 'Daily figures', type: 'cost_by_service', format: 'json', frequency: 'daily', hour: 6 };

interface ScheduleBody {
  readonly id: string;
  readonly next_run_at: string | null;
  readonly last_run_at: string | null;
  readonly last_status: string | null;
}

async function made(world: ReportWorld, body: object = {}, name = 'ana'): Promise<string> {
  const answer = await world.as<ScheduleBody>(name, 'POST', '/reports/schedules', { ...daily, ...body });
  if (answer.status !== 201) throw new Error(answer.text);
  world.jobs.splice(0);
  return answer.body.id;
}

async function reports(world: ReportWorld): Promise<ReportBody[]> {
  return (await world.as<{ data: ReportBody[] }>('ana', 'GET', '/reports?sort_by=created_at')).body.data;
}

async function shown(world: ReportWorld): Promise<ScheduleBody | undefined> {
  return (await world.as<{ data: ScheduleBody[] }>('ana', 'GET', '/reports/schedules')).body.data[0];
}

const run = (world: ReportWorld, now: string) => runDueSchedules(world.deps, new Date(now));
const told = (world: ReportWorld) => world.mails.map(({ to }) => to).toSorted();

describe('a due schedule', () => {
  it('creates a report of the previous period and mails its key figures, once', async () => {
    const world = await aReportWorld();
    await made(world, { time_zone: 'America/New_York' });
    // 06:00 in New York is 10:00 UTC.
    await run(world, '2024-05-14T09:59:59Z');
    expect(await reports(world)).toEqual([]);
    await run(world, '2024-05-14T10:00:00Z');
    expect(await shown(world)).toMatchObject({
      next_run_at: '2024-05-15T10:00:00.000Z',
      last_run_at: '2024-05-14T10:00:00.000Z',
      last_status: 'pending',
    });
    await run(world, '2024-05-14T10:01:00Z');
    await world.settle();
    expect(await reports(world)).toMatchObject([
      { type: 'cost_by_service', start_date: '2024-05-13', end_date: '2024-05-13', status: 'ready' },
    ]);
    expect(await shown(world)).toMatchObject({ last_status: 'ready' });
    expect(told(world)).toEqual(['ana@example.com']);
    expect(world.mails[0]?.subject).toBe('Daily figures: Cost by service, May 13, 2024');
    expect(world.mails[0]?.text).toContain('Total cost');
    expect(world.mails[0]?.text).toContain('Providers still add charges to the last days');
    const [report] = await reports(world);
    expect(world.mails[0]?.text).toContain(`/reports/${report?.id}`);
    expect(world.mails[0]?.text).toContain(`Attached: cost-by-service-2024-05-13-2024-05-13.json (`);
    const { bytes } = await world.fetch(report?.id ?? '');
    expect(world.mails[0]?.attachments).toEqual([
      { name: 'cost-by-service-2024-05-13-2024-05-13.json', mediaType: 'application/json; charset=utf-8', bytes },
    ]);
  });

  it('runs once under concurrent workers', async () => {
    const world = await aReportWorld();
    for (let count = 0; count < 12; count += 1) await made(world, { name: `S${count}` });
    const looks = Array.from({ length: 6 }, () => run(world, '2024-05-14T06:00:00Z'));
    await Promise.all(looks);
    expect(world.jobs.map(({ task }) => task)).toEqual(Array.from({ length: 12 }, () => 'generate_report'));
    const { total } = (await world.as<{ pagination: { total: number } }>('ana', 'GET', '/reports')).body.pagination;
    expect(total).toBe(12);
  });

  it('replaces missed runs by one run for the latest period', async () => {
    const world = await aReportWorld();
    await made(world);
    await run(world, '2024-06-30T05:00:00Z');
    await run(world, '2024-06-30T05:01:00Z');
    expect(await reports(world)).toMatchObject([{ start_date: '2024-06-28', end_date: '2024-06-28' }]);
    expect(await shown(world)).toMatchObject({ next_run_at: '2024-06-30T06:00:00.000Z' });
    await run(world, '2024-06-30T06:00:00Z');
    expect(await reports(world)).toMatchObject([{ start_date: '2024-06-28' }, { start_date: '2024-06-29' }]);
  });

  it('does not run while disabled, nor catch up afterwards', async () => {
    const world = await aReportWorld();
    const id = await made(world, { enabled: false });
    await run(world, '2024-05-20T06:00:00Z');
    await world.passDays(10);
    await world.as('ana', 'PATCH', `/reports/schedules/${id}`, { enabled: true });
    await run(world, '2024-05-23T10:00:00Z');
    expect(await reports(world)).toEqual([]);
    expect(await shown(world)).toMatchObject({ next_run_at: '2024-05-24T06:00:00.000Z' });
  });

  it('sends no mail if it was deleted before its report was ready', async () => {
    const world = await aReportWorld();
    const id = await made(world);
    await run(world, '2024-05-14T06:00:00Z');
    await world.as('ana', 'DELETE', `/reports/schedules/${id}`);
    await world.settle();
    expect(await reports(world)).toMatchObject([{ status: 'ready' }]);
    expect(world.mails).toEqual([]);
  });
});

describe('a scheduled report', () => {
  it('goes to its recipients, and to members among them only with access to all its accounts', async () => {
    const world = await aReportWorld();
    const recipients = ['finance@elsewhere.example', 'eve@example.com', 'dan@example.com'];
    await made(world, { recipients });
    await run(world, '2024-05-14T06:00:00Z');
    await world.settle();
    expect(told(world)).toEqual(['dan@example.com', 'finance@elsewhere.example']);
    await made(world, { name: 'One', recipients, filters: { account_id: accounts.one } });
    world.mails.splice(0);
    await run(world, '2024-05-14T07:00:00Z');
    await world.settle();
    expect(told(world)).toEqual(['dan@example.com', 'eve@example.com', 'finance@elsewhere.example']);
  });

  it('covers what its owner sees when it runs, not when it was created', async () => {
    const world = await aReportWorld();
    await made(world, { filters: { account_id: [accounts.one, accounts.two] } }, 'cleo');
    await world.deps.db.membership.updateMany({
      where: { role: 'member' },
      data: { restricted: true, accountAccess: [accounts.one] },
    });
    await run(world, '2024-05-14T06:00:00Z');
    expect(await reports(world)).toMatchObject([{ filters: { account_id: [accounts.one] } }]);
    await world.settle();
    expect(told(world)).toEqual(['cleo@example.com']);
  });

  it('is not created when its owner has lost access to all its accounts, and notifies only the owner', async () => {
    const world = await aReportWorld();
    await made(world, { filters: { account_id: accounts.two }, recipients: ['x@elsewhere.example'] }, 'cleo');
    await world.deps.db.membership.updateMany({
      where: { role: 'member' },
      data: { restricted: true, accountAccess: [accounts.one] },
    });
    await run(world, '2024-05-14T06:00:00Z');
    await world.settle();
    expect(await reports(world)).toEqual([]);
    expect(await shown(world)).toMatchObject({ last_status: 'failed', next_run_at: '2024-05-15T06:00:00.000Z' });
    expect(told(world)).toEqual(['cleo@example.com']);
    expect(world.mails[0]?.subject).toBe('Daily figures: the report failed');
    // Other schedules still run.
    await made(world, { name: 'Next' });
    await run(world, '2024-05-15T06:00:00Z');
    expect(await reports(world)).toHaveLength(1);
  });

  it('keeps the scope of an owner who has left', async () => {
    const world = await aReportWorld();
    await made(world, { filters: {} }, 'eve');
    const eve = await world.deps.db.membership.findFirstOrThrow({ where: { role: 'admin' } });
    expect((await world.as('ana', 'DELETE', `/org/members/${eve.id}`)).status).toBe(204);
    world.jobs.splice(0);
    world.mails.splice(0);
    await run(world, '2024-05-14T06:00:00Z');
    await world.settle();
    expect(await reports(world)).toMatchObject([{ filters: { account_id: [accounts.one] } }]);
    expect(told(world)).toEqual(['ana@example.com']);
  });
});
