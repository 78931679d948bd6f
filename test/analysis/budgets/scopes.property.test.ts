import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkBudgets } from '../../../src/analysis/budgets/check.ts';
import { BudgetFigures } from '../../../src/analysis/budgets/figures.ts';
import { listBudgets } from '../../../src/analysis/budgets/store.ts';
import { evaluateChangedTags } from '../../../src/facts/allocation/evaluate.ts';
import { amountText, parseAmount } from '../../../src/kit/money.ts';
import { addDays, daysBetween, type Day } from '../../../src/kit/time/period.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { bill } from '../../support/bills.ts';
import { aTeam } from '../../tenancy/team.ts';

// Budgets of all scopes and periods over random bills, which are restated in the first days of a year. The oracle is independent
// of the code under test: charges are whole cents, periods are compared as texts, and a threshold is reached when
// spend × 100 ≥ amount × threshold.

const periods = ['monthly', 'quarterly', 'yearly'] as const;
type Kind = (typeof periods)[number];

interface Charge {
  readonly day: Day;
  readonly account: 'one' | 'two';
  readonly subAccount: '111' | '222';
  readonly team: 'web' | 'Web' | 'data' | '' | null;
  readonly cents: number;
}

const first: Day = '2026-09-20';
const last: Day = '2027-01-12';
const chargesOf = fc.array(
  fc.record<Charge>({
    day: fc.nat(daysBetween(first, last)).map((days) => addDays(first, days)),
    account: fc.constantFrom('one', 'two'),
    subAccount: fc.constantFrom('111', '222'),
    team: fc.constantFrom('web', 'Web', 'data', '', null),
    cents: fc.integer({ min: -2_000, max: 9_000 }),
  }),
  { minLength: 20, maxLength: 60 },
);

/** Scopes of budgets and what each covers. */
const scopes: readonly [object, (charge: Charge) => boolean][] = [
  [{ tagKey: 'team' }, ({ team }) => team !== null],
  [{ tagKey: 'team', tagValue: 'web' }, ({ team }) => team === 'web'],
  [{ tagKey: 'virtual:team', tagValue: 'web' }, ({ team }) => team?.toLowerCase() === 'web'],
  [{ tagKey: 'virtual:team', tagValue: 'Rest' }, ({ team }) => team === null || team === ''],
  [{ subAccountId: '222' }, ({ subAccount }) => subAccount === '222'],
  [{ subAccountId: '111', tagKey: 'TEAM', tagValue: 'data' }, (one) => one.subAccount === '111' && one.team === 'data'],
];

/** Identifies the period of a day. */
function periodOf(kind: Kind, day: Day): string {
  const quarter = Math.floor((Number(day.slice(5, 7)) - 1) / 3);
  return kind === 'monthly' ? day.slice(0, 7) : day.slice(0, 4) + (kind === 'quarterly' ? ` ${quarter}` : '');
}

/** The oracle's spend of the period of a day, in cents. */
function spentCents(charges: readonly Charge[], kind: Kind, of: Day): number {
  const own = charges.filter(({ day }) => periodOf(kind, day) === periodOf(kind, of));
  return own.reduce((sum, { cents }) => sum + cents, 0);
}

/** The oracle's spends that reach a threshold, by period and threshold, of the days that are checked today. */
function reached(charges: readonly Charge[], period: Kind, { amount, today }: { amount: number; today: Day }) {
  return [...lateDay(period, today), today].flatMap((of) => {
    const spent = spentCents(charges, period, of);
    const passed = [50, 100].filter((threshold) => spent * 100 >= amount * 100 * threshold);
    return passed.map((threshold) => [`${period} ${periodOf(period, of)} ${threshold}`, spent] as const);
  });
}

/** The last day of the previous period, if it is still checked. */
function lateDay(kind: Kind, today: Day): Day[] {
  const before = addDays(today, -7);
  if (periodOf(kind, before) === periodOf(kind, today)) return [];
  const days = Array.from({ length: 8 }, (_, back) => addDays(today, -back));
  return days.filter((day) => periodOf(kind, day) !== periodOf(kind, today)).slice(0, 1);
}

const decimal = (cents: number) =>
  `${cents < 0 ? '-' : ''}${Math.trunc(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;

it('computes the same spend and alerts of every scope and period as independent sums, also after restatements', async () => {
  const property = fc.asyncProperty(
    fc.array(chargesOf, { minLength: 3, maxLength: 3 }),
    fc.integer({ min: 1, max: 300 }),
    fc.boolean(),
    async (bills, amount, isEvaluated) => {
      const team = await aTeam();
      const { one, two } = team.accounts;
      const { db, deps, organizationId } = team;
      const everything = orgScope(organizationId, null);
      const owner = await db.user.findUniqueOrThrow({ where: { email: 'ana@example.com' } });
      await team.rest('ana', 'POST', '/virtual-tags', {
        name: 'Team',
        rules: [{ value_from: { dimension: 'tag:team', transform: 'lower' } }],
        default_value: 'Rest',
      });
      const made = new Date('2026-09-01T00:00:00Z');
      const budgets = await Promise.all(
        scopes.flatMap(([target, isAbout]) =>
          periods.map(async (period) => {
            const { id } = await db.budget.create({
              data: {
                ...target,
                organizationId,
                name: 'Any',
                period,
                amount,
                currency: 'USD',
                alertThresholds: [50, 100],
                createdById: owner.id,
                createdAt: made,
                updatedAt: made,
              },
            });
            return { id, period, isAbout, target: JSON.stringify(target) };
          }),
        ),
      );
      const expected = new Map<string, number>();
      for (const [index, today] of (['2026-12-30', '2027-01-03', '2027-01-09'] as const).entries()) {
        team.passMs(new Date(`${today}T23:00:00Z`).getTime() - deps.clock.now().getTime());
        const charges = bills[index] ?? [];
        // Each month is loaded again, as in a sync: `bill` repeats the ids.
        await deps.pool.query('DELETE FROM virtual_tag_months');
        await bill(deps, organizationId, {
          charges: charges.map(({ day, account, subAccount, team: tag, cents }) => ({
            account: account === 'one' ? one : two,
            date: day,
            subAccount,
            cost: decimal(cents),
            tags: { ...(tag !== null && { team: tag }) },
          })),
          completeThrough: { [one]: today, [two]: today },
        });
        if (isEvaluated) await evaluateChangedTags(deps, everything, new AbortController().signal);
        const rows = await listBudgets(db, everything);
        const seen = await new BudgetFigures(deps, organizationId).spent(rows);
        const spends = new Map(seen.map(({ budget, spend }) => [budget.id, spend?.amount]));
        for (const { id, period, isAbout, target } of budgets) {
          const own = charges.filter((charge) => charge.day <= today && isAbout(charge));
          expect([today, isEvaluated, target, period, spends.get(id)]).toEqual([
            today,
            isEvaluated,
            target,
            period,
            parseAmount(decimal(spentCents(own, period, today))),
          ]);
          const news = reached(own, period, { amount, today }).filter(([key]) => !expected.has(`${id} ${key}`));
          news.forEach(([key, spent]) => expected.set(`${id} ${key}`, spent));
        }
        await checkBudgets(deps, organizationId);
        await checkBudgets(deps, organizationId);
      }
      const alerts = (await db.budgetAlert.findMany()).map((row) => {
        const start = row.periodStart.toISOString().slice(0, 10) as Day;
        const key = `${row.budgetId} ${row.period} ${periodOf(row.period as Kind, start)} ${Number(row.threshold)}`;
        return `${key}: ${amountText(parseAmount(row.spend.toFixed()) * 100n)}`;
      });
      expect(alerts.sort()).toEqual([...expected].map(([key, spent]) => `${key}: ${spent}`).sort());
      expect(team.jobs.filter(({ task }) => task === 'tell_budget_alert').length).toBe(expected.size);
    },
  );
  await fc.assert(property, { numRuns: 3, endOnFailure: true });
}, 300_000);
