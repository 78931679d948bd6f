import { describe, expect, it } from 'vitest';
import { formatPeriod } from '../../../src/kit/text/format.ts';
import { runDueSchedules } from '../../../src/actions/schedules/run.ts';
import { accounts, aReportWorld, refusal, type ReportBody, type ReportWorld } from '../reports/world.ts';

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
const notified = (world: ReportWorld) => world.mails.map(({ to }) => to).toSorted();

/** Sets the last complete day of one or all connected accounts. */
async function complete(world: ReportWorld, day: string, accountId: string | null = null): Promise<void> {
  await world.deps.pool.query(
    `UPDATE accounts SET complete_through = $1 WHERE status = 'connected' AND ($2::uuid IS NULL OR id = $2)`,
    [day, accountId],
  );
}

describe('a due schedule', () => {
  it('creates a report of the last complete day and mails its key figures, once', async () => {
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
      { type: 'cost_by_service', start_date: '2024-05-09', end_date: '2024-05-09', status: 'ready' },
    ]);
    expect(await shown(world)).toMatchObject({ last_status: 'ready' });
    expect(notified(world)).toEqual(['ana@example.com']);
    expect(world.mails[0]?.subject).toBe('Daily figures: Cost by service, May 9, 2024');
    expect(world.mails[0]?.text).toContain('Total cost');
    expect(world.mails[0]?.text).not.toContain('Providers still add charges to the last days');
    const [report] = await reports(world);
    expect(world.mails[0]?.text).toContain(`/reports/${report?.id}`);
    expect(world.mails[0]?.text).toContain(`Attached: cost-by-service-2024-05-09-2024-05-09.json (`);
    const { bytes } = await world.fetch(report?.id ?? '');
    expect(world.mails[0]?.attachments).toEqual([
      { name: 'cost-by-service-2024-05-09-2024-05-09.json', mediaType: 'application/json; charset=utf-8', bytes },
    ]);
  });

  it('names the costs without an exchange rate beside the total, in the mail as in the file', async () => {
    const world = await aReportWorld();
    await world.deps.pool.query('DELETE FROM exchange_rates');
    await made(world, { frequency: 'monthly' });
    await run(world, '2024-06-01T06:00:00Z');
    await world.settle();
    const [report] = await reports(world);
    const { bytes } = await world.fetch(report?.id ?? '');
    const [total, excluded] = JSON.parse(bytes.toString()).summary;
    expect(total.label).toBe('Total cost');
    expect(excluded).toEqual({
      label: 'Excluded (no exchange rate)',
      value: expect.stringMatching(/^-?[€¥][\d,.]+(, -?[€¥][\d,.]+)*$/),
    });
    expect(world.mails[0]?.text).toContain(`${excluded.label}: ${excluded.value}`);
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

  it('replaces missed runs with one run for the latest period', async () => {
    const world = await aReportWorld();
    await made(world);
    await complete(world, '2024-06-30');
    await run(world, '2024-06-30T05:00:00Z');
    await run(world, '2024-06-30T05:01:00Z');
    expect(await reports(world)).toMatchObject([{ start_date: '2024-06-28', end_date: '2024-06-28' }]);
    expect(await shown(world)).toMatchObject({ next_run_at: '2024-06-30T06:00:00.000Z' });
    await run(world, '2024-06-30T06:00:00Z');
    expect(await reports(world)).toMatchObject([{ start_date: '2024-06-28' }, { start_date: '2024-06-29' }]);
  });

  it('covers the last day that is complete in its accounts, yesterday at the latest; without bills, yesterday', async () => {
    const world = await aReportWorld();
    await made(world, { name: 'Both' });
    await made(world, { name: 'One', filters: { account_id: accounts.one } });
    const daysOf = async (now: string) => {
      const before = (await reports(world)).length;
      await run(world, now);
      return (await reports(world)).slice(before).map((report) => report.start_date);
    };
    await complete(world, '2024-05-12', accounts.one);
    expect((await daysOf('2024-05-14T06:00:00Z')).toSorted()).toEqual(['2024-05-09', '2024-05-12']);
    await complete(world, '2024-05-15');
    expect(await daysOf('2024-05-15T06:00:00Z')).toEqual(['2024-05-14', '2024-05-14']);
    await world.deps.pool.query('UPDATE accounts SET complete_through = NULL');
    expect(await daysOf('2024-05-16T06:00:00Z')).toEqual(['2024-05-15', '2024-05-15']);
  });

  it('covers the previous week with a note about its incomplete days', async () => {
    const world = await aReportWorld();
    await made(world, { frequency: 'weekly', day: 1 });
    await run(world, '2024-05-20T06:00:00Z');
    expect(await reports(world)).toMatchObject([{ start_date: '2024-05-13', end_date: '2024-05-19' }]);
    await world.settle();
    expect(world.mails[0]?.text).toContain('Providers still add charges to the last days');
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
    expect(notified(world)).toEqual(['dan@example.com', 'finance@elsewhere.example']);
    await made(world, { name: 'One', recipients, filters: { account_id: accounts.one } });
    world.mails.splice(0);
    await run(world, '2024-05-14T07:00:00Z');
    await world.settle();
    expect(notified(world)).toEqual(['dan@example.com', 'eve@example.com', 'finance@elsewhere.example']);
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
    expect(notified(world)).toEqual(['cleo@example.com']);
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
    expect(notified(world)).toEqual(['cleo@example.com']);
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
    expect(notified(world)).toEqual(['ana@example.com']);
  });
});

describe('a schedule sent on request', () => {
  interface Entry {
    readonly action: string;
    readonly actor: { readonly email: string } | null;
    readonly details: object;
  }

  const send = (world: ReportWorld, id: string, name = 'ana') =>
    world.as<ReportBody>(name, 'POST', `/reports/schedules/${id}/send`);

  it('creates the report of the last complete period at once, records who sent it, and keeps the next run', async () => {
    const world = await aReportWorld();
    const id = await made(world, { recipients: ['finance@elsewhere.example'], enabled: false });
    const before = await shown(world);
    const today = world.deps.clock.now().toISOString();
    const answer = await send(world, id);
    expect(answer).toMatchObject({ status: 201, body: { type: 'cost_by_service', status: 'pending' } });
    expect(answer.body.end_date < today.slice(0, 10)).toBe(true);
    expect(await shown(world)).toEqual({ ...before, last_run_at: today, last_status: 'pending' });
    await world.settle();
    expect(await shown(world)).toEqual({ ...before, last_run_at: today, last_status: 'ready' });
    expect(notified(world)).toEqual(['finance@elsewhere.example']);
    const sent = await world.as<{ data: { recipient: string }[] }>('ana', 'GET', '/notifications');
    expect(sent.body.data).toMatchObject([{ recipient: 'finance@elsewhere.example' }]);
    const log = await world.as<{ data: Entry[] }>('ana', 'GET', '/audit-logs?action=report_generated');
    expect(log.body.data).toMatchObject([{ actor: { email: 'ana@example.com' }, details: { schedule_id: id } }]);
  });

  it('sends again on each request', async () => {
    const world = await aReportWorld();
    const id = await made(world);
    for (let count = 0; count < 2; count += 1) expect((await send(world, id)).status).toBe(201);
    await world.settle();
    expect(notified(world)).toEqual(['ana@example.com', 'ana@example.com']);
  });

  it('is refused if the owner has lost access to its accounts', async () => {
    const world = await aReportWorld();
    const id = await made(world, { filters: { account_id: accounts.two } }, 'cleo');
    await world.deps.db.membership.updateMany({
      where: { role: 'member' },
      data: { restricted: true, accountAccess: [accounts.one] },
    });
    expect(refusal(await send(world, id))).toBe(
      `409 CONFLICT: The owner of report schedule "${id}" no longer has access to any of its accounts`,
    );
    expect(await reports(world)).toEqual([]);
  });
});

describe('a scheduled showback', () => {
  const showback = { type: 'showback', format: 'csv', frequency: 'monthly', filters: { tag_key: 'virtual:team' } };
  const rules = [{ value_from: { dimension: 'tag:team' } }];
  const may = formatPeriod('2024-05-01', '2024-05-31');

  it('sends the whole report to its recipients, and the file of a value to the recipients of that value', async () => {
    const world = await aReportWorld();
    await world.as('ana', 'POST', '/virtual-tags', { name: 'Team', rules });
    await made(world, {
      ...showback,
      recipients: ['finance@elsewhere.example'],
      value_recipients: [
        { value: 'red', recipients: ['red@elsewhere.example', 'eve@example.com'] },
        { value: 'blue', recipients: ['blue@elsewhere.example'] },
      ],
    });
    await run(world, '2024-06-01T06:00:00Z');
    await world.settle();
    const sent = world.mails.map(({ to, subject, attachments }) => [to, subject, attachments?.[0]?.name]).toSorted();
    // Eve does not have access to all accounts.
    expect(sent).toEqual([
      ['blue@elsewhere.example', `Daily figures: Showback for blue, ${may}`, 'showback-blue-2024-05-01-2024-05-31.csv'],
      ['finance@elsewhere.example', `Daily figures: Showback, ${may}`, 'showback-2024-05-01-2024-05-31.csv'],
      ['red@elsewhere.example', `Daily figures: Showback for red, ${may}`, 'showback-red-2024-05-01-2024-05-31.csv'],
    ]);
    const red = world.mails.find(({ to }) => to === 'red@elsewhere.example')?.attachments?.[0]?.bytes.toString() ?? '';
    expect(red.trim().split('\n')).toHaveLength(2);
    expect(red).toContain('red,');
    expect(await shown(world)).toMatchObject({ last_status: 'ready' });
  });

  it('is sent on request to the recipients of its values as well', async () => {
    const world = await aReportWorld();
    await world.as('ana', 'POST', '/virtual-tags', { name: 'Team', rules });
    const id = await made(world, {
      ...showback,
      value_recipients: [{ value: 'red', recipients: ['red@elsewhere.example'] }],
    });
    expect((await world.as('ana', 'POST', `/reports/schedules/${id}/send`)).status).toBe(201);
    await world.settle();
    expect(notified(world)).toEqual(['ana@example.com', 'red@elsewhere.example']);
  });

  it('keeps the failure of one of its reports as its status', async () => {
    const world = await aReportWorld();
    await world.as('ana', 'POST', '/virtual-tags', { name: 'Team', rules });
    await made(world, { ...showback, value_recipients: [{ value: 'red', recipients: ['red@elsewhere.example'] }] });
    await run(world, '2024-06-01T06:00:00Z');
    await world.deps.db.report.updateMany({
      where: { filters: { path: ['tag_value', '0'], equals: 'red' } },
      data: { type: 'cost_by_tag', filters: { tag_key: 'virtual:gone' } },
    });
    await world.settle();
    expect(await shown(world)).toMatchObject({ last_status: 'failed' });
    expect(world.mails.map(({ subject }) => subject).toSorted()).toEqual([
      `Daily figures: Showback, ${may}`,
      'Daily figures: the report failed',
    ]);
  });

  it('refuses recipients of values for other reports, without addresses, and values named twice', async () => {
    const world = await aReportWorld();
    await world.as('ana', 'POST', '/virtual-tags', { name: 'Team', rules });
    const refused = async (body: object) =>
      refusal(await world.as('ana', 'POST', '/reports/schedules', { ...daily, ...showback, ...body }));
    const red = { value: 'red', recipients: ['red@elsewhere.example'] };
    expect(await refused({ type: 'cost_by_tag', value_recipients: [red] })).toBe(
      '400 VALIDATION_ERROR: value_recipients must be empty unless type is showback',
    );
    expect(await refused({ value_recipients: [{ value: 'red', recipients: [] }] })).toBe(
      '400 VALIDATION_ERROR: value_recipients[0].recipients must contain at least one address',
    );
    expect(await refused({ value_recipients: [red, red] })).toBe(
      '400 VALIDATION_ERROR: value_recipients[1].value "red" is given twice',
    );
    expect(await refused({ value_recipients: [{ ...red, recipients: ['red'] }] })).toMatch(
      /^400 VALIDATION_ERROR: value_recipients\[0\]\.recipients\[0\] "red"/,
    );
  });
});
