import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CostDeps } from '../../../src/facts/costs/ledger.ts';
import {
  costsByAccount,
  costsByRegion,
  costsByService,
  costsByTag,
  costsDaily,
  costsSummary,
  costsTrend,
} from '../../../src/facts/costs/run.ts';
import { addDays, addMonths, daysBetween, firstDay, monthOf } from '../../../src/kit/time/period.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube } from '../../support/cube.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { check, checkGroups, expected, micros, rounded } from './oracle.ts';
import { anyArgs, plainArgs, tagArgs } from './requests.ts';
import { aWorld, tagOf } from './world.ts';

const organizationId = '01890000-0000-7000-8000-000000000001';
const world = aWorld(organizationId);
const scope = orgScope(organizationId, null);
const clock = { now: () => new Date('2024-05-11T12:00:00Z') };

let deps: CostDeps;

beforeAll(async () => {
  const { pool } = await freshDatabase();
  const facts = factWorld();
  deps = { pool, clock, ...facts };
  await fillCube({ pool, ...facts }, world);
});

const runs = { numRuns: 60 };

it('lists the months that are converted at the rate of an earlier month', async () => {
  const of = async (startDate: string, endDate: string) => {
    const { provisionalRates } = await costsSummary(deps, scope, { startDate, endDate });
    return provisionalRates.map(({ currency, month, rateMonth }) => `${currency} ${month} ${rateMonth}`);
  };
  expect(await of('2024-01-20', '2024-03-31')).toEqual([]);
  expect(await of('2024-01-20', '2024-05-11')).toEqual([
    'EUR 2024-05 2024-04',
    'JPY 2024-04 2024-03',
    'JPY 2024-05 2024-03',
  ]);
});

describe('costs match the sums of the line items', () => {
  it('by service', async () => {
    await fc.assert(
      fc.asyncProperty(anyArgs, async (args) => {
        const answer = await costsByService(deps, scope, args);
        const sums = expected(world, args, (line) => `${line.service}|${line.provider}`);
        checkGroups(
          answer,
          answer.groups.map((row) => ({ key: `${row.service}|${row.provider}`, cost: row.cost })),
          sums,
        );
      }),
      runs,
    );
  });

  it('by account and sub-account', async () => {
    await fc.assert(
      fc.asyncProperty(anyArgs, async (args) => {
        const answer = await costsByAccount(deps, scope, args);
        const sums = expected(world, args, (line) => `${line.account}|${line.provider}`);
        checkGroups(
          answer,
          answer.groups.map((row) => ({ key: `${row.accountId}|${row.provider}`, cost: row.cost })),
          sums,
        );
        const inner = expected(world, args, (line) => `${line.account}|${line.provider}|${line.subAccount}`);
        const shown = answer.groups.flatMap((row) =>
          row.subAccounts.map((sub) => ({
            key: `${row.accountId}|${row.provider}|${sub.subAccountId}`,
            cost: sub.cost,
          })),
        );
        check(answer, shown, inner);
        expect(shown.length).toBe(inner.groups.size);
        for (const row of answer.groups) {
          expect(row.subAccounts.reduce((sum, sub) => sum + micros(sub.cost), 0n)).toBe(micros(row.cost));
        }
      }),
      runs,
    );
  });

  it('by region', async () => {
    await fc.assert(
      fc.asyncProperty(anyArgs, async (args) => {
        const answer = await costsByRegion(deps, scope, args);
        const sums = expected(world, args, (line) => `${line.region}|${line.provider}`);
        checkGroups(
          answer,
          answer.groups.map((row) => ({ key: `${row.region}|${row.provider}`, cost: row.cost })),
          sums,
        );
      }),
      runs,
    );
  });

  it('by tag, with untagged as null', async () => {
    await fc.assert(
      fc.asyncProperty(plainArgs, tagArgs, async (plain, tag) => {
        const args = { ...plain, ...tag };
        const answer = await costsByTag(deps, scope, args);
        const sums = expected(world, args, (line) => tagOf(line, tag.tagKey), true);
        checkGroups(
          answer,
          answer.groups.map((row) => ({ key: row.tagValue, cost: row.cost })),
          sums,
        );
      }),
      runs,
    );
  });

  it('per day, in total and by each group', async () => {
    const groupings = fc.constantFrom(
      null,
      'service' as const,
      'account' as const,
      'region' as const,
      'provider' as const,
    );
    await fc.assert(
      fc.asyncProperty(anyArgs, groupings, async (args, groupBy) => {
        const answer = await costsDaily(deps, scope, { ...args, groupBy });
        check(
          answer,
          answer.days.map((row) => ({ key: row.date, cost: row.cost })),
          expected(world, args, (line) => line.date),
        );
        expect(answer.days.length).toBe(daysBetween(answer.startDate, answer.endDate) + 1);
        for (const row of answer.days) {
          expect(row.groups === null).toBe(groupBy === null);
          const sum = row.groups?.reduce((total, group) => total + micros(group.cost), 0n);
          expect(sum ?? micros(row.cost)).toBe(micros(row.cost));
        }
        const keyOf = { service: 'service', account: 'accountId', region: 'region', provider: 'provider' } as const;
        if (groupBy === null) return;
        const shown = answer.days.flatMap((row) =>
          (row.groups ?? []).map((group) => ({
            key: `${row.date}|${group[keyOf[groupBy]]}|${group.provider}`,
            cost: group.cost,
          })),
        );
        check(
          answer,
          shown,
          expected(world, args, (line) => `${line.date}|${line[groupBy]}|${line.provider}`),
        );
      }),
      runs,
    );
  });

  it('in the summary, per day and per month', async () => {
    await fc.assert(
      fc.asyncProperty(anyArgs, async (args) => {
        const daily = await costsSummary(deps, scope, { ...args, granularity: 'daily' });
        check(
          daily,
          daily.periods.map((row) => ({ key: row.periodStart, cost: row.cost })),
          expected(world, args, (line) => line.date),
        );
        const monthly = await costsSummary(deps, scope, args);
        const shown = monthly.periods.map((row) => ({ key: row.periodStart.slice(0, 7), cost: row.cost }));
        check(
          monthly,
          shown,
          expected(world, args, (line) => line.date.slice(0, 7)),
        );
        expect(monthly.periods[0]?.periodStart).toBe(args.startDate);
        expect(monthly.periods.at(-1)?.periodEnd).toBe(args.endDate);
      }),
      runs,
    );
  });

  it('in the trend, with whole months and the previous month', async () => {
    await fc.assert(
      fc.asyncProperty(anyArgs, async (args) => {
        const answer = await costsTrend(deps, scope, args);
        const widened = { ...args, startDate: answer.startDate, endDate: answer.endDate };
        const sums = expected(world, widened, (line) => monthOf(line.date));
        check(
          answer,
          answer.months.map((row) => ({ key: row.month, cost: row.cost })),
          sums,
        );
        const before = addMonths(monthOf(answer.startDate), -1);
        const earlier = { ...args, startDate: firstDay(before), endDate: addDays(answer.startDate, -1) };
        const previous = [
          rounded(expected(world, earlier, () => '').total),
          ...answer.months.map((row) => micros(row.cost)),
        ];
        answer.months.forEach((row, index) => {
          expect(micros(row.previousCost)).toBe(previous[index]);
          expect(micros(row.change)).toBe(micros(row.cost) - (previous[index] ?? 0n));
          expect(row.partial).toBe(row.month === '2024-05');
          if (row.partial) expect(row.changePercent).toBe(null);
        });
      }),
      runs,
    );
  });
});
