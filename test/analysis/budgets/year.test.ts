import { afterEach, expect, it } from 'vitest';
import { statusAt } from '../../../src/analysis/budgets/budget.ts';
import { updateBudget } from '../../../src/analysis/budgets/change.ts';
import { checkBudgets } from '../../../src/analysis/budgets/check.ts';
import { BudgetFigures } from '../../../src/analysis/budgets/figures.ts';
import { listBudgets } from '../../../src/analysis/budgets/store.ts';
import { amountText, parseAmount } from '../../../src/kit/money.ts';
import { addDays, dayOf, daysIn, type Day } from '../../../src/kit/time/period.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { bill } from '../../support/bills.ts';
import { runJobs } from '../../support/jobs.ts';
import { aTeam } from '../../tenancy/team.ts';

// Simulates a leap year day by day at the boundaries of UTC days, in time zones far from UTC, with bills restated up and
// down, budgets that change, and two concurrent workers. The oracle below is independent of the code under test: charges
// are whole cents, and a threshold is reached when spend × 100 ≥ amount × threshold.

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

interface Charge {
  readonly day: Day;
  readonly account: 'one' | 'two';
  readonly service: 'EC2' | 'S3';
  cents: number;
}

interface Kept {
  readonly name: string;
  readonly id: string;
  amount: number;
  readonly thresholds: readonly number[];
  readonly isAbout: (charge: Charge) => boolean;
  changedOn: Day;
  /** Maps `2028-02 80` to the expected alert. */
  readonly alerts: Map<string, string>;
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const cents = (amount: number) => `${Math.trunc(amount / 100)}.${String(Math.abs(amount % 100)).padStart(2, '0')}`;

/** The oracle's spend of a month at the end of a day. */
function spentCents(charges: readonly Charge[], budget: Kept, month: string, today: Day): number {
  return charges
    .filter((charge) => charge.day.startsWith(month) && charge.day <= today && budget.isAbout(charge))
    .reduce((sum, charge) => sum + charge.cents, 0);
}

function checkAlerts(charges: readonly Charge[], budget: Kept, today: Day, notified: 'each' | 'highest'): void {
  const month = today.slice(0, 7);
  const before = addDays(`${month}-01` as Day, -1).slice(0, 7);
  const isLate = Number(today.slice(8)) <= 7 && notified === 'each' && budget.changedOn < `${month}-01`;
  for (const one of isLate ? [before, month] : [month]) {
    const spend = spentCents(charges, budget, one, today);
    const reached = budget.thresholds.filter((threshold) => spend * 100 >= budget.amount * 100 * threshold);
    for (const threshold of reached) {
      const key = `${one} ${threshold}`;
      const isSilent = notified === 'highest' && threshold !== Math.max(...reached);
      if (!budget.alerts.has(key)) budget.alerts.set(key, `${spend} ${today} ${isSilent ? 'silent' : 'notified'}`);
    }
  }
}

function statusOf(charges: readonly Charge[], budget: Kept, today: Day): string {
  const spend = spentCents(charges, budget, today.slice(0, 7), today);
  if (spend >= budget.amount * 100) return 'exceeded';
  return budget.thresholds.some((threshold) => spend >= budget.amount * threshold) ? 'warning' : 'ok';
}

it('alerts for each threshold once per month over a year, as an independent oracle predicts', async () => {
  const team = await aTeam({});
  const random = generator(20_281_231);
  const { one, two } = team.accounts;
  const start = new Date('2027-12-31T23:59:59.999Z');
  team.passMs(start.getTime() - team.deps.clock.now().getTime());
  const charges: Charge[] = [];
  // Budgets read only the rollups; writing fact files of 65 days would take most of the time.
  const load = (today: Day) =>
    bill({ pool: team.deps.pool }, team.organizationId, {
      charges: charges
        // Bills older than two months are never queried.
        .filter(({ day }) => day >= addDays(today, -65))
        .map(({ day, account, service, cents: amount }) => ({
          account: account === 'one' ? one : two,
          date: day,
          service,
          cost: amount < 0 ? `-${cents(-amount)}` : cents(amount),
        })),
      completeThrough: { [one]: addDays(today, -1), [two]: addDays(today, -1) },
    });
  const actor = { organizationId: team.organizationId, userId: null, email: null, ipAddress: '', userAgent: '' };
  const owner = await team.db.user.findUniqueOrThrow({ where: { email: 'ana@example.com' } });
  const budgets: Kept[] = [];
  let announced = 0;
  const make = async (
    body: { name: string; amount: number; thresholds: number[]; accountId?: string; service?: string },
    isAbout: Kept['isAbout'],
  ) => {
    const { name, amount, thresholds, ...target } = body;
    const id = await team.db.budget.create({
      data: {
        ...target,
        organizationId: team.organizationId,
        name,
        amount,
        currency: 'USD',
        alertThresholds: thresholds,
        createdById: owner.id,
        createdAt: start,
        updatedAt: start,
      },
      select: { id: true },
    });
    budgets.push({ name, id: id.id, amount, thresholds, isAbout, changedOn: dayOf(start), alerts: new Map() });
  };
  await make({ name: 'all', amount: 900, thresholds: [50, 80, 100, 120] }, () => true);
  await make({ name: 'one', amount: 400, thresholds: [80, 100], accountId: one }, ({ account }) => account === 'one');
  await make({ name: 's3', amount: 300, thresholds: [33, 99], service: 'S3' }, ({ service }) => service === 'S3');

  const zones = ['Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kolkata', 'UTC', 'Pacific/Pago_Pago'];
  for (const [index, today] of daysIn({ start: '2028-01-01', end: '2029-01-01' }).entries()) {
    process.env['TZ'] = zones[Math.floor(index / 9) % zones.length];
    // Either the first or the last millisecond of the day.
    const instant = new Date(`${today}T${random() < 0.5 ? '00:00:00.000' : '23:59:59.999'}Z`);
    team.passMs(instant.getTime() - team.deps.clock.now().getTime());
    for (const account of ['one', 'two'] as const)
      charges.push({ day: today, account, service: random() < 0.4 ? 'S3' : 'EC2', cents: Math.floor(random() * 3000) });
    if (random() < 0.1) charges.push({ day: addDays(today, 1), account: 'one', service: 'S3', cents: 5000 });
    // Restated up, down or to a credit, in this month or the previous one.
    for (const charge of charges.slice(-60).filter(() => random() < 0.02))
      charge.cents = Math.floor((random() * 6 - 2) * 1000);
    await load(today);
    if (random() < 0.03) {
      const budget = budgets[Math.floor(random() * budgets.length)];
      if (budget) {
        budget.amount = Math.floor(200 + random() * 900);
        budget.changedOn = today;
        checkAlerts(charges, budget, today, 'highest');
        await change(budget);
      }
    }
    for (const budget of budgets) checkAlerts(charges, budget, today, 'each');
    await Promise.all([
      checkBudgets(team.deps, team.organizationId),
      ...(index % 5 === 0 ? [checkBudgets(team.deps, team.organizationId)] : []),
    ]);
    await notify();
    const everything = orgScope(team.organizationId, null);
    const rows = await listBudgets(team.db, everything, {}, { field: 'name', direction: 'asc' });
    const seen = await new BudgetFigures(team.deps, team.organizationId).spent(rows);
    expect([
      today,
      ...seen.map(({ budget, spend }) => [budget.name, spend?.amount, spend && statusAt(budget, spend.amount)]),
    ]).toEqual([
      today,
      ...['all', 'one', 's3'].map((name) => {
        const budget = budgets.find((each) => each.name === name);
        if (!budget) throw new Error(name);
        const spend = spentCents(charges, budget, today.slice(0, 7), today);
        return [name, BigInt(spend) * 10n ** 22n, statusOf(charges, budget, today)];
      }),
    ]);
  }

  const written = await team.db.budgetAlert.findMany();
  const found = written.map((row) => {
    const key = `${row.periodStart.toISOString().slice(0, 7)} ${Number(row.threshold)}`;
    const spend = amountText(parseAmount(row.spend.toFixed()) * 100n);
    return `${row.budgetId} ${key} ${spend} ${dayOf(row.triggeredAt)} ${row.isSilent ? 'silent' : 'notified'}`;
  });
  const expected = budgets.flatMap(({ id, alerts }) => [...alerts].map(([key, said]) => `${id} ${key} ${said}`));
  expect(found.sort()).toEqual(expected.sort());
  expect(expected.length).toBeGreaterThan(40);
  expect(expected.some((line) => line.endsWith('silent'))).toBe(true);

  const notified = expected.filter((line) => line.endsWith('notified'));
  const jobs = team.jobs.filter(({ task }) => task === 'tell_budget_alert');
  expect(jobs.length).toBe(notified.length);
  expect(await team.db.delivery.count()).toBe(notified.length);

  /** Runs the new jobs of a day. A repeated job does not notify again. */
  async function notify(): Promise<void> {
    const added = team.jobs.filter(({ task }) => task === 'tell_budget_alert').slice(announced);
    announced += added.length;
    await runJobs(team.deps, [...added, ...added]);
  }

  async function change(budget: Kept): Promise<void> {
    const viewer = { userId: owner.id, scope: orgScope(team.organizationId, null) };
    await updateBudget(
      team.deps,
      {
        ...viewer,
        email: '',
        name: '',
        role: 'super_admin',
        sessionId: null,
        token: null,
        twoFactorSetupRequired: false,
      },
      { ...actor, userId: owner.id },
      { id: budget.id, amount: budget.amount },
    );
  }
}, 300_000);
