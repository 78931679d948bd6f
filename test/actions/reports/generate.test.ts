import { describe, expect, it } from 'vitest';
import { deleteExpiredReports, generateReport } from '../../../src/actions/reports/generate.ts';
import { aReportWorld, type ReportBody, type ReportWorld } from './world.ts';

const type = { type: 'cost_by_service', format: 'json', start_date: '2024-02-01', end_date: '2024-05-12' };
const live = new AbortController().signal;

async function aPending(world: ReportWorld, body: object = type) {
  const { id } = (await world.as<ReportBody>('ana', 'POST', '/reports', body)).body;
  world.jobs.length = 0;
  return { organizationId: world.organizationId, reportId: id };
}

describe('generation of a report', () => {
  it('replaces parts of a previous run, and happens once', async () => {
    const world = await aReportWorld();
    const { db } = world.deps;
    const ref = await aPending(world);
    for (const part of [0, 1, 7])
      await db.reportChunk.create({ data: { reportId: ref.reportId, part, bytes: new Uint8Array([1, 2, 3]) } });
    await generateReport(world.deps, ref, { isLast: false, signal: live });
    const [report] = await db.report.findMany();
    const answer = await world.fetch(ref.reportId);
    expect(JSON.parse(answer.bytes.toString())).toMatchObject({ title: 'Cost by service', currency: 'USD' });
    expect(await db.reportChunk.count()).toBe(1);
    await generateReport(world.deps, ref, { isLast: false, signal: live });
    expect(await db.report.findMany()).toEqual([report]);
  });

  it('is safe when two workers run it concurrently', async () => {
    const world = await aReportWorld();
    const ref = await aPending(world);
    const both = await Promise.allSettled(
      [1, 2].map(() => generateReport(world.deps, ref, { isLast: false, signal: live })),
    );
    expect(both.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await world.deps.db.report.findMany()).toMatchObject([{ status: 'ready' }]);
    expect((await world.fetch(ref.reportId)).status).toBe(200);
  });

  it('is retried after a failure, and finally fails with a reason without internal details', async () => {
    const world = await aReportWorld();
    const ref = await aPending(world);
    await world.deps.pool.query('ALTER TABLE cost_rollups RENAME TO hidden');
    const run = (isLast: boolean) => generateReport(world.deps, ref, { isLast, signal: live });
    await expect(run(false)).rejects.toThrow(/cost_rollups/);
    expect(await world.deps.db.report.findMany()).toMatchObject([{ status: 'pending', failure: null }]);
    await run(true);
    expect(await world.deps.db.report.findMany()).toMatchObject([
      {
        status: 'failed',
        failure: expect.objectContaining({
          reason: ['The server could not create the file; the server log has the details'],
          remedy: ['create the report again'],
        }),
      },
    ]);
    await world.deps.pool.query('ALTER TABLE hidden RENAME TO cost_rollups');
    const { body } = await world.as<ReportBody>('ana', 'GET', `/reports/${ref.reportId}`);
    expect(body).toMatchObject({
      status: 'failed',
      failure_reason: expect.stringMatching(/could not create the file/),
    });
  });

  it('stops with its process without counting as a failure', async () => {
    const world = await aReportWorld();
    const ref = await aPending(world);
    await expect(generateReport(world.deps, ref, { isLast: true, signal: AbortSignal.abort() })).rejects.toThrow(
      /aborted/,
    );
    expect(await world.deps.db.report.findMany()).toMatchObject([{ status: 'pending' }]);
    expect(await world.deps.db.reportChunk.count()).toBe(0);
    await generateReport(world.deps, ref, { isLast: true, signal: live });
    expect(await world.deps.db.report.findMany()).toMatchObject([{ status: 'ready' }]);
  });

  it('does nothing if the report was deleted', async () => {
    const world = await aReportWorld();
    const ref = await aPending(world);
    await world.deps.db.report.deleteMany();
    await generateReport(world.deps, ref, { isLast: false, signal: live });
    expect(await world.deps.db.reportChunk.count()).toBe(0);
  });

  it('queues the notification of a scheduled report together with its result', async () => {
    const world = await aReportWorld();
    const ref = await aPending(world);
    await world.deps.db.report.updateMany({ data: { scheduleId: ref.reportId } });
    await generateReport(world.deps, ref, { isLast: false, signal: live });
    expect(world.jobs).toEqual([{ task: 'tell_report', payload: ref }]);
    const [{ keyFigures } = { keyFigures: null }] = await world.deps.db.report.findMany();
    expect(keyFigures).toContainEqual({ label: 'Services', value: expect.stringMatching(/^\d+$/) });
  });
});

it('deletes expired reports with their files, and nothing else', async () => {
  const world = await aReportWorld();
  const old = await world.make(type);
  await world.passDays(29);
  const young = await world.make(type);
  await world.passDays(1);
  await deleteExpiredReports(world.deps, world.deps.clock.now());
  const left = await world.deps.db.report.findMany();
  expect(left.map(({ id }) => id)).toEqual([young.id]);
  expect(await world.deps.db.reportChunk.count({ where: { reportId: old.id } })).toBe(0);
});
