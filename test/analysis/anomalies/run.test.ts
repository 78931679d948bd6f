import { describe, expect, it } from 'vitest';
import { evaluateAnomalies } from '../../../src/analysis/anomalies/evaluation/run.ts';
import { addDays } from '../../../src/kit/time/period.ts';
import { noQueue } from '../../support/jobs.ts';
import { billsOfFile, testNow, type Bills } from '../../ingest/world.ts';
import { keepAnomaly } from './kept.ts';
import { anomaliesOf, evaluate, lastDay, load, steady, usage } from './world.ts';

const aBill = billsOfFile();
const spikeDay = addDays(lastDay, -1);
const longAgo = '2026-06-10';
const batch = { ResourceId: 'i-2', ResourceName: 'batch', RegionId: 'us-east-1', SkuMeter: 'NatGateway-Bytes' };
const spiking = (cost = 220) => [...usage(steady(50)), ...usage(steady(20, { [spikeDay]: cost }), batch)];
const model = { provider: 'openai_compatible', model: 'm', apiKey: null, baseUrl: 'http://x', timeoutMs: 1 } as const;

describe('an evaluation', () => {
  it('finds a spike, names the region that explains it, alerts once, and adds nothing on the next run', async () => {
    const bills = await aBill();
    await load(bills, spiking());
    const first = await evaluate(bills);
    const [found, ...others] = await anomaliesOf(bills);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      provider: 'aws',
      service: 'Amazon EC2',
      region: 'us-east-1',
      kind: 'spike',
      startDate: spikeDay,
      endDate: spikeDay,
      status: 'open',
      severity: 'high',
      expected: '70.000000',
      actual: '270.000000',
      currency: 'USD',
      statusChangedAt: null,
    });
    expect(found?.series.at(-2)).toEqual({
      date: spikeDay,
      cost: 270,
      expected_cost: 70,
      // 4.5 times the minimum spread of 3%, and a quarter above the expectation.
      expected_low: 60.55,
      expected_high: 87.5,
    });
    expect(found?.series).toHaveLength(30);
    expect(found?.facts.drivers).toContainEqual({
      dimension: 'usage_type',
      value: 'NatGateway-Bytes',
      name: '',
      change: 200,
      share: 100,
    });
    const reported = { organizationId: bills.scope.organizationId, anomalyId: found?.id };
    expect(first).toEqual({ created: 1, ended: 0, jobs: [{ task: 'tell_anomaly', payload: reported }] });
    expect(await evaluate(bills)).toEqual({ created: 0, ended: 0, jobs: [] });
    expect(await anomaliesOf(bills)).toEqual([found]);
  });

  it('creates each anomaly once when it runs concurrently', async () => {
    const bills = await aBill();
    await load(bills, spiking());
    const done = await Promise.all([1, 2, 3].map(() => evaluate(bills)));
    expect(done.map(({ created }) => created).toSorted()).toEqual([0, 0, 1]);
    expect(await anomaliesOf(bills)).toHaveLength(1);
  });

  it('neither alerts about history nor queries a model about anomalies that ended a month ago', async () => {
    const bills = await aBill();
    await load(bills, usage(steady(50, { [longAgo]: 400 })));
    expect(await evaluate(bills, { config: { ai: model } })).toEqual({ created: 1, ended: 0, jobs: [] });
  });

  it('queues model explanations of recent anomalies, and again when their facts change', async () => {
    const bills = await aBill();
    await load(bills, spiking());
    const { jobs } = await evaluate(bills, { config: { ai: model } });
    expect(jobs.map(({ task }) => task)).toEqual(['tell_anomaly', 'explain_anomaly']);
    expect((await evaluate(bills, { config: { ai: model } })).jobs).toEqual([]);
    await bills.pool.query(`UPDATE anomalies SET prose = '{}' WHERE account_id = $1`, [bills.accountId]);
    await load(bills, spiking(260));
    expect((await evaluate(bills, { config: { ai: model } })).jobs.map(({ task }) => task)).toEqual([
      'explain_anomaly',
    ]);
    expect(await anomaliesOf(bills)).toMatchObject([{ prose: null, actual: '310.000000' }]);
  });

  it('ignores credits, refunds, taxes, purchases and marketplace charges', async () => {
    const bills = await aBill();
    await load(bills, [
      ...spiking(),
      ...usage(steady(0, { [spikeDay]: -200 }), { ChargeCategory: 'Credit' }),
      ...usage(steady(0, { [spikeDay]: -190 }), { ChargeClass: 'Correction', ...batch }),
      ...usage(steady(0, { [longAgo]: 900 }), { ChargeCategory: 'Tax' }),
      ...usage(steady(0, { [longAgo]: 900 }), { ChargeCategory: 'Purchase', ServiceName: 'Datadog' }),
      ...usage(steady(20, { [longAgo]: 900 }), { ServiceName: 'AWS Marketplace' }),
      ...usage(steady(0, { [longAgo]: 900 }), { ChargeClass: 'Correction' }),
    ]);
    await evaluate(bills);
    expect(await anomaliesOf(bills)).toMatchObject([{ startDate: spikeDay, actual: '270.000000' }]);
  });

  it('ignores incomplete days', async () => {
    const bills = await aBill();
    await load(bills, spiking());
    const complete = 'UPDATE accounts SET complete_through = $2 WHERE id = $1';
    await bills.pool.query(complete, [bills.accountId, addDays(spikeDay, -1)]);
    expect(await evaluate(bills)).toEqual({ created: 0, ended: 0, jobs: [] });
    await bills.pool.query(complete, [bills.accountId, spikeDay]);
    expect(await evaluate(bills)).toMatchObject({ created: 1 });
  });

  it('applies the minimum impact in each currency', async () => {
    const bills = await aBill();
    const yen = { BillingCurrency: 'JPY' };
    await load(bills, [
      ...usage(steady(100, { [longAgo]: 900 }), { ServiceName: 'Small', ...yen }),
      ...usage(steady(10_000, { [longAgo]: 90_000 }), { ServiceName: 'Large', ...yen }),
    ]);
    await evaluate(bills);
    expect(await anomaliesOf(bills)).toMatchObject([{ service: 'Large', currency: 'JPY' }]);
  });

  it('retries after a concurrent load, and writes nothing for a deleted account', async () => {
    const bills = await aBill();
    await load(bills, spiking());
    let tries = 0;
    const now = () => new Date('2026-08-10T12:00:00Z');
    const { $transaction } = bills.deps.db;
    const db = new Proxy(bills.deps.db, {
      get: (target, key) =>
        key === '$transaction'
          ? async (...args: Parameters<typeof $transaction>) => {
              tries += 1;
              if (tries === 1)
                await bills.pool.query('UPDATE accounts SET version = version + 1 WHERE id = $1', [bills.accountId]);
              else if (tries === 3) await bills.pool.query('DELETE FROM accounts WHERE id = $1', [bills.accountId]);
              return Reflect.apply($transaction, target, args) as unknown;
            }
          : (Reflect.get(target, key) as unknown),
    });
    const deps = { ...bills.deps, db, queue: noQueue, clock: { now } };
    expect(await evaluateAnomalies(deps, bills.scope, bills.accountId)).toEqual({ created: 1, ended: 0 });
    expect(tries).toBe(2);
    await bills.pool.query('DELETE FROM anomalies WHERE account_id = $1', [bills.accountId]);
    expect(await evaluateAnomalies(deps, bills.scope, bills.accountId)).toEqual({ created: 0, ended: 0 });
    expect(await anomaliesOf(bills)).toEqual([]);
  });
});

describe('a restatement', () => {
  it('resolves an anomaly that the provider withdrew, with a reason, and reopens it if it comes back', async () => {
    const bills = await aBill();
    await load(bills, spiking());
    await evaluate(bills);
    const [before] = await anomaliesOf(bills);
    await load(bills, spiking(25));
    expect(await evaluate(bills)).toMatchObject({ created: 0, ended: 1, jobs: [] });
    expect(await anomaliesOf(bills)).toMatchObject([
      {
        id: before?.id,
        status: 'resolved',
        statusChangedById: null,
        statusReason: 'Restated by the provider: these days now cost $75.00, not $270.00, which is not unusual.',
      },
    ]);
    expect(await evaluate(bills)).toMatchObject({ ended: 0 });
    await load(bills, spiking(300));
    const { created, jobs } = await evaluate(bills);
    expect({ created, tasks: jobs.map(({ task }) => task) }).toEqual({ created: 0, tasks: ['tell_anomaly'] });
    expect(await anomaliesOf(bills)).toMatchObject([
      { id: before?.id, status: 'open', statusReason: null, actual: '350.000000' },
    ]);
  });

  it('replaces the reason of an anomaly that was over before its costs changed or were removed', async () => {
    const bills = await aBill();
    const reasons = async () =>
      (await anomaliesOf(bills)).map(({ status, statusReason }) => ({ status, statusReason }));
    const over = (cost: number) => usage(steady(50, { [addDays(lastDay, -20)]: cost }));
    await load(bills, over(300));
    await evaluate(bills);
    expect(await reasons()).toMatchObject([{ statusReason: expect.stringMatching(/^Costs have been back/) }]);
    await load(bills, over(51));
    expect(await evaluate(bills)).toMatchObject({ ended: 1 });
    expect(await reasons()).toEqual([
      {
        status: 'resolved',
        statusReason: 'Restated by the provider: these days now cost $51.00, not $300.00, which is not unusual.',
      },
    ]);
    expect(await evaluate(bills)).toMatchObject({ ended: 0 });
    await bills.pool.query('UPDATE accounts SET data_from = NULL, complete_through = NULL WHERE id = $1', [
      bills.accountId,
    ]);
    const lost = [{ status: 'resolved', statusReason: 'The bills no longer contain these costs.' }];
    expect([await evaluate(bills), await reasons()]).toMatchObject([{ ended: 1 }, lost]);
    expect([await evaluate(bills), await reasons()]).toMatchObject([{ ended: 0 }, lost]);
  });

  it("keeps a user's status whatever the figures become", async () => {
    const bills = await aBill();
    await load(bills, spiking());
    await evaluate(bills);
    const someone = '01890000-0000-7000-8000-000000000001';
    const decide = (status: string) =>
      bills.pool.query(
        `UPDATE anomalies SET status = $2::anomaly_status, status_changed_by_id = $3, status_reason = 'Known' WHERE account_id = $1`,
        [bills.accountId, status, someone],
      );
    await decide('acknowledged');
    await load(bills, spiking(400));
    await evaluate(bills);
    expect(await anomaliesOf(bills)).toMatchObject([
      { status: 'acknowledged', statusReason: 'Known', actual: '450.000000' },
    ]);
    await decide('resolved');
    await load(bills, spiking(500));
    expect((await evaluate(bills)).jobs).toEqual([]);
    expect(await anomaliesOf(bills)).toMatchObject([
      { status: 'resolved', statusReason: 'Known', actual: '550.000000' },
    ]);
    await load(bills, spiking(20));
    expect(await evaluate(bills)).toMatchObject({ ended: 0 });
    expect(await anomaliesOf(bills)).toMatchObject([{ statusReason: 'Known', statusChangedById: someone }]);
  });

  it('keeps the anomaly when its first day moves', async () => {
    const bills = await aBill();
    const over = (costs: Record<string, number>) => usage(steady(50, costs));
    await load(bills, over({ '2026-08-02': 300, '2026-08-03': 300 }));
    await evaluate(bills);
    const [before] = await anomaliesOf(bills);
    await load(bills, over({ '2026-08-03': 300, '2026-08-04': 300 }));
    expect(await evaluate(bills)).toMatchObject({ created: 0, ended: 0 });
    expect(await anomaliesOf(bills)).toMatchObject([
      { id: before?.id, startDate: '2026-08-03', endDate: '2026-08-04', status: 'open' },
    ]);
  });

  it('keeps the first of two merged anomalies, and resolves the other as part of it', async () => {
    const bills = await aBill();
    const over = (costs: Record<string, number>) => usage(steady(50, costs));
    await load(bills, over({ '2026-07-28': 300, '2026-08-03': 300 }));
    await evaluate(bills);
    expect(await anomaliesOf(bills)).toHaveLength(2);
    await load(bills, over({ '2026-07-28': 300, '2026-07-30': 300, '2026-08-01': 300, '2026-08-03': 300 }));
    await evaluate(bills);
    expect(await anomaliesOf(bills)).toMatchObject([
      { startDate: '2026-07-28', endDate: '2026-08-03', status: 'open' },
      { status: 'resolved', statusReason: 'It is part of the anomaly that began on 2026-07-28.' },
    ]);
  });
});

describe('an anomaly that is over', () => {
  const someone = '01890000-0000-7000-8000-000000000001';
  const ended = (daysAgo: number) => usage(steady(50, { [addDays(lastDay, -daysAgo)]: 300 }));
  const reason = (daysAgo: number) =>
    `Costs have been back in the expected range since ${addDays(lastDay, 1 - daysAgo)}.`;
  const decide = async (bills: Bills, status: string, at: string) =>
    bills.pool.query(
      `UPDATE anomalies SET status = $2::anomaly_status, status_changed_by_id = $3, status_changed_at = $4, status_reason = 'Known'
       WHERE account_id = $1`,
      [bills.accountId, status, someone, at],
    );

  it('is resolved once more than 7 complete days have followed its last one, and stays resolved', async () => {
    const bills = await aBill();
    await load(bills, ended(7));
    await evaluate(bills);
    const [found] = await anomaliesOf(bills);
    expect(found).toMatchObject({ status: 'open', statusReason: null });
    await load(bills, ended(8));
    expect(await evaluate(bills)).toEqual({ created: 1, ended: 1, jobs: [] });
    const closed = { status: 'resolved', statusReason: reason(8), statusChangedById: null, statusChangedAt: testNow };
    expect((await anomaliesOf(bills))[0]).toMatchObject(closed);
    expect(await evaluate(bills)).toEqual({ created: 0, ended: 0, jobs: [] });
    expect((await anomaliesOf(bills))[0]).toMatchObject(closed);
  });

  it('reopens when the spike resumes', async () => {
    const bills = await aBill();
    await load(bills, ended(8));
    await evaluate(bills);
    const days = [8, 6, 4, 2].map((daysAgo) => [addDays(lastDay, -daysAgo), 300]);
    await load(bills, usage(steady(50, Object.fromEntries(days))));
    await evaluate(bills);
    expect(await anomaliesOf(bills)).toMatchObject([{ status: 'open', statusReason: null }]);
  });

  it('stays open when a member reopened it', async () => {
    const bills = await aBill();
    await load(bills, ended(20));
    await evaluate(bills);
    await decide(bills, 'open', '2026-08-10T00:00:00Z');
    await evaluate(bills);
    expect(await anomaliesOf(bills)).toMatchObject([{ status: 'open', statusChangedById: someone }]);
    await load(bills, usage(steady(50)));
    expect(await evaluate(bills)).toMatchObject({ ended: 0 });
    expect(await anomaliesOf(bills)).toMatchObject([{ status: 'open', statusReason: 'Known' }]);
  });

  it('is resolved when a member acknowledged it during the spike, but not if it was acknowledged afterwards', async () => {
    const bills = await aBill();
    await load(bills, ended(10));
    await evaluate(bills);
    // Its last day is July 29, so it is over from August 6.
    await decide(bills, 'acknowledged', '2026-08-06T00:00:00Z');
    await evaluate(bills);
    expect(await anomaliesOf(bills)).toMatchObject([{ status: 'acknowledged' }]);
    await decide(bills, 'acknowledged', '2026-08-05T23:59:59Z');
    await evaluate(bills);
    expect(await anomaliesOf(bills)).toMatchObject([
      { status: 'resolved', statusReason: reason(10), statusChangedById: null },
    ]);
  });

  it('is also resolved when it is older than the evaluated days', async () => {
    const bills = await aBill();
    await load(bills, usage(steady(50)));
    const owner = { organizationId: bills.scope.organizationId, accountId: bills.accountId, now: testNow };
    const long = { startDate: new Date('2025-01-05'), endDate: new Date('2025-01-06') };
    await keepAnomaly(bills.deps.db, owner, long);
    await evaluate(bills);
    expect(await anomaliesOf(bills)).toMatchObject([
      { status: 'resolved', statusReason: 'Costs have been back in the expected range since 2025-01-07.' },
    ]);
  });

  it('keeps the assignee and the note of a member when it is evaluated again', async () => {
    const bills = await aBill();
    await load(bills, spiking());
    await evaluate(bills);
    const set = `UPDATE anomalies SET assignee_id = $2, note = 'Ask the platform team' WHERE account_id = $1`;
    await bills.pool.query(set, [bills.accountId, someone]);
    await load(bills, spiking(300));
    await evaluate(bills);
    expect(await anomaliesOf(bills)).toMatchObject([
      { actual: '350.000000', assigneeId: someone, note: 'Ask the platform team' },
    ]);
  });
});
