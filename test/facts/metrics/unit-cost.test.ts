import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBreakdown } from '../../../src/facts/costs/breakdown/run.ts';
import { costPerUnit, metricMonthsOf } from '../../../src/facts/metrics/unit-cost/cost-per-unit.ts';
import { readUnitCost } from '../../../src/facts/metrics/unit-cost/run.ts';
import { addDays, daysIn, type Day } from '../../../src/kit/time/period.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube } from '../../support/cube.ts';
import { worldOfFile } from '../../support/world.ts';
import { aDetailedWorld, anyQuestion, argsOf, sumsOf, type AnyQuestion } from '../costs/breakdown-world.ts';
import { accountIds, worldRange } from '../costs/world.ts';
import { metricsOf, type Failure } from './world.ts';

const at = worldOfFile({ clock: { now: () => new Date('2024-05-11T12:00:00Z') } });
let token = '';
let organizationId = '';
const { rest, create, put } = metricsOf(at, () => token);

/** Thousandths of an order: every day of the world except every seventh, with labels. */
const quantities = daysIn(worldRange).flatMap((date, index) =>
  index % 7 === 3
    ? []
    : [
        { date, thousandths: BigInt(1000 * index + 7), labels: { shop: 'eu' } },
        { date, thousandths: BigInt(333 * index), labels: { shop: 'us', tier: 'free' } },
      ],
);

interface Point {
  readonly date: string;
  readonly cost: number;
  readonly quantity: number | null;
  readonly cost_per_unit: number | null;
  readonly days_without_values: number;
}

interface Answer extends Failure {
  readonly total_cost: number;
  readonly measured_cost: number;
  readonly total_quantity: number | null;
  readonly cost_per_unit: number | null;
  readonly points: readonly Point[];
  readonly days_without_values: readonly string[];
  readonly unconverted: readonly object[];
}

const get = (query: string, headers: Record<string, string> = {}) =>
  at().rest<Answer>('GET', `/costs/unit?${query}`, { token, headers });

beforeAll(async () => {
  ({ token } = await at().register());
  ({ id: organizationId } = await at().deps.db.organization.findFirstOrThrow());
  await fillCube(at().deps, aDetailedWorld(organizationId));
  const id = await create('orders');
  const values = quantities.map(({ thousandths, ...where }) => ({ ...where, value: Number(thousandths) / 1000 }));
  await put(id, values);
  await put(await create('zero'), [
    { date: '2024-03-01', value: 0 },
    { date: '2024-03-02', value: 3 },
  ]);
  await create('empty');
});

/** Thousandths of the values between two days, inclusive; null without any. */
function quantityOf(start: string, end: string, shop?: string): bigint | null {
  const own = quantities.filter(
    ({ date, labels }) => date >= start && date <= end && (shop === undefined || labels.shop === shop),
  );
  return own.length === 0 ? null : own.reduce((sum, { thousandths }) => sum + thousandths, 0n);
}

/** The cost per unit, with 12 decimals, from units of 10^-24 and thousandths, in integers. */
function expectedPerUnit(cost: bigint, thousandths: bigint | null): number | null {
  if (thousandths === null || thousandths === 0n) return null;
  const scaled = (cost < 0n ? -cost : cost) * 1000n;
  const unit = thousandths * 10n ** 12n;
  const rounded = (2n * scaled + unit) / (2n * unit);
  return Number(`${cost < 0n && rounded > 0n ? '-' : ''}${rounded}e-12`);
}

// Costs of February have no exchange rate.
const monthly = 'metric=Orders&start_date=2024-02-10&end_date=2024-04-30';

describe('GET /costs/unit', () => {
  it('returns cost, quantity and cost per unit by month, exactly', async () => {
    const { status, body } = await get(monthly.replace('02-10', '03-10'));
    expect(status).toBe(200);
    const question: AnyQuestion = {
      days: ['2024-03-10', '2024-04-30'],
      groupBy: [],
      include: [],
      exclude: [],
      costMetric: 'effective',
      granularity: 'monthly',
      compare: 'none',
      sortBy: null,
      limit: 50,
    };
    const sums = sumsOf(
      aDetailedWorld(organizationId),
      question,
      { start: '2024-03-10', end: '2024-05-01' },
      accountIds,
    );
    const expected = [
      ['2024-03-10', '2024-03-31'],
      ['2024-04-01', '2024-04-30'],
    ].map(([start = '', end = '']) => {
      const quantity = quantityOf(start, end);
      const cost = sums.dated.get(`[] ${start.slice(0, 7)}`) ?? 0n;
      return { date: start, quantity: Number(quantity) / 1000, cost_per_unit: expectedPerUnit(cost, quantity) };
    });
    expect(body.points.map(({ date, quantity, cost_per_unit }) => ({ date, quantity, cost_per_unit }))).toEqual(
      expected,
    );
    const total = quantityOf('2024-03-10', '2024-04-30');
    expect(body.total_quantity).toBe(Number(total) / 1000);
    expect(body.cost_per_unit).toBe(expectedPerUnit(sums.groups.get('[]') ?? 0n, total));
    expect(body).toMatchObject({
      metric: { key: 'orders', name: 'All orders', unit: 'order', direction: 'lower_is_better' },
      granularity: 'monthly',
      currency: 'USD',
      cost_metric: 'effective',
      complete_through: '2024-05-09',
    });
  });

  it('names the days without values, and never divides by zero', async () => {
    const { body } = await get('metric=zero&start_date=2024-02-28&end_date=2024-03-03&granularity=daily');
    expect(body.points.map(({ quantity, cost_per_unit: per }) => [quantity, per === null])).toEqual([
      [null, true],
      [null, true],
      [0, true],
      [3, false],
      [null, true],
    ]);
    expect(body.points.map((point) => point.days_without_values)).toEqual([1, 1, 0, 0, 1]);
    expect(body.days_without_values).toEqual(['2024-02-28', '2024-02-29', '2024-03-03']);
    const months = (await get('metric=zero&start_date=2024-02-01&end_date=2024-03-31')).body;
    expect(months.points[0]).toMatchObject({ quantity: null, cost_per_unit: null, days_without_values: 29 });
    // A month without values does not raise the cost per unit of the others.
    expect(months.measured_cost).toBe(months.points[1]?.cost);
    expect(months.cost_per_unit).toBe(months.points[1]?.cost_per_unit);
    expect(months.total_cost).not.toBe(months.measured_cost);
    const empty = (await get('metric=empty&start_date=2024-05-10&end_date=2024-05-31')).body;
    expect(empty).toMatchObject({ total_quantity: null, cost_per_unit: null });
    // Values of later days cannot be missing yet.
    expect(empty.days_without_values).toEqual(['2024-05-10', '2024-05-11']);
  });

  it('filters quantities by labels and costs by dimensions', async () => {
    const { body } = await get(`${monthly}&label=shop:us,tier:free&service=Compute`);
    expect(body.total_quantity).toBe(Number(quantityOf('2024-02-10', '2024-04-30', 'us')) / 1000);
    const costs = await rest<Answer>('GET', '/costs?start_date=2024-02-10&end_date=2024-04-30&service=Compute');
    expect(body.total_cost).toBe(costs.body.total_cost);
    expect((await get(`${monthly}&label=shop:nowhere`)).body.total_quantity).toBeNull();
  });

  it('answers GraphQL like REST, and CSV with a row per point', async () => {
    const query = `{ unitCost(metric: "ORDERS", startDate: "2024-02-10", endDate: "2024-04-30",
      filters: { include: [{ dimension: SERVICE, values: ["Compute"] }] }, label: ["shop:eu"]) {
      totalCost totalQuantity costPerUnit points { date cost quantity costPerUnit } } }`;
    const { data } = (await at().gql<{ unitCost: Record<string, unknown> }>(query, {}, token)).body;
    const { body } = await get(`${monthly}&service=Compute&label=shop:eu`);
    expect(data?.unitCost).toMatchObject({
      totalCost: body.total_cost,
      totalQuantity: body.total_quantity,
      costPerUnit: body.cost_per_unit,
    });
    const csv = await get(`${monthly}&service=Compute&label=shop:eu`, { accept: 'text/csv' });
    const [header, first] = csv.text.split('\r\n');
    expect(header).toBe('date,cost,quantity,cost_per_unit,days_without_values,unconverted,missing_bills,currency');
    const { date, cost, quantity, cost_per_unit: per, days_without_values: missing } = body.points[0] as Point;
    const unconverted = `"${JSON.stringify(body.unconverted).replaceAll('"', '""')}"`;
    expect(first).toBe([date, cost, quantity, per, missing, unconverted, '', 'USD'].join(','));
  });

  it('rejects more labels than a value can have', async () => {
    const ask = async (length: number) => {
      const label = Array.from({ length }, (_, nth) => `l${nth}:a`);
      const query = 'query ($label: [String!]) { unitCost(metric: "orders", label: $label) { totalCost } }';
      const { body } = await at().gql(query, { label }, token);
      return body.errors?.[0]?.message;
    };
    expect(await ask(10)).toBeUndefined();
    expect(await ask(11)).toBe('label has 11 labels; at most 10 are allowed');
    expect(await ask(40_000)).toBe('label has 40000 items; at most 10 are allowed');
  });

  it('has an ETag that changes with the values of the metric', async () => {
    const id = await create('tagged');
    const etag = async () => (await get('metric=tagged&start_date=2024-03-01')).headers.get('etag') ?? '';
    const first = await etag();
    expect(await etag()).toBe(first);
    expect((await get('metric=tagged&start_date=2024-03-01', { 'if-none-match': first })).status).toBe(304);
    await put(id, [{ date: '2024-03-01', value: 2 }]);
    expect(await etag()).not.toBe(first);
    expect((await get('metric=tagged&start_date=2024-03-01')).body.total_quantity).toBe(2);
  });

  it('divides the costs in the scope of a restricted member by the quantities of the organization', async () => {
    const all = (await get(monthly)).body;
    await at().deps.db.membership.updateMany({
      where: { organizationId },
      data: { restricted: true, accountAccess: [accountIds[0]] },
    });
    const own = (await get(monthly)).body;
    await at().deps.db.membership.updateMany({ where: { organizationId }, data: { restricted: false } });
    const { body } = await rest<Answer>(
      'GET',
      `/costs?start_date=2024-02-10&end_date=2024-04-30&account=${accountIds[0]}`,
    );
    expect(own.total_cost).toBe(body.total_cost);
    expect(own.total_cost).not.toBe(all.total_cost);
    expect(own.total_quantity).toBe(all.total_quantity);
  });

  it.each([
    ['metric=sales', /^metric "sales" is not a unit metric of the organization; use empty, orders, /],
    ['metric=a%20b', /^metric "a b" is not a key/],
    ['', /^metric is required/],
    ['metric=orders&granularity=hourly', /^granularity .*must be one of daily, monthly/],
    ['metric=orders&start_date=2024-02-30', /^start_date/],
    ['metric=orders&start_date=2024-03-02&end_date=2024-03-01', /is before start_date/],
    ['metric=orders&label=shop', /^label(\[0\])? "shop" is not a label; write NAME:VALUE/],
    ['metric=orders&label=shop:a,shop:b', /^label repeats shop; give each label once/],
    ['metric=orders&group_by=service', /^group_by is not a known parameter/],
    ['metric=orders&service=', /^service/],
  ])('rejects ?%s', async (query, message) => {
    const { status, body } = await get(query);
    expect(body.error.message).toMatch(message);
    expect(status).toBe(400);
  });

  it('does not find the metrics of another organization', async () => {
    const other = await at().register();
    const answer = await at().rest<Failure>('GET', '/costs/unit?metric=orders', { token: other.token });
    expect(answer.body.error.message).toBe(
      'metric "orders" is not a unit metric of the organization; create one first',
    );
  });
});

describe('unit cost', () => {
  it('has the total and the points of costs, for any filters', async () => {
    const questions = anyQuestion.filter(({ days }) => days[0] !== undefined);
    const scopes = fc.constantFrom(null, [accountIds[0]], [accountIds[1], accountIds[2]]);
    await fc.assert(
      fc.asyncProperty(questions, scopes, async (question, scope) => {
        const { startDate, endDate, filters, costMetric } = argsOf(question);
        const granularity = question.granularity === 'daily' ? 'daily' : 'monthly';
        const args = { startDate, endDate, filters, costMetric, granularity } as const;
        const seen = orgScope(organizationId, scope);
        const costs = await readBreakdown(at().deps, seen, args);
        const unit = await readUnitCost(at().deps, seen, { ...args, metric: 'orders' });
        expect(unit.totalCost).toBe(costs.totalCost);
        expect(unit.unconverted).toEqual(costs.unconverted);
        expect(unit.completeThrough).toBe(costs.completeThrough);
        const points = costs.rows[0]?.points;
        if (points) expect(unit.points.map(({ date, cost }) => ({ date, cost }))).toEqual(points);
        const quantity = quantityOf(startDate ?? '', endDate ?? '');
        expect(unit.totalQuantity).toBe(quantity === null ? null : Number(quantity) / 1000);
      }),
      { numRuns: 25 },
    );
  });

  it('is rounded once, to 12 decimals, halves away from zero', () => {
    const one = 10n ** 24n;
    expect(costPerUnit(one, 3n * one)).toBe(0.333333333333);
    expect(costPerUnit(-2n * one, 3n * one)).toBe(-0.666666666667);
    expect(costPerUnit(one, 2_000_000_000_000n * one)).toBe(0.000000000001);
    expect(costPerUnit(-one, 10n ** 15n * one)).toBe(0);
    expect(costPerUnit(one, 0n)).toBeNull();
    expect(costPerUnit(one, null)).toBeNull();
  });

  it('sums quantities per day into months', () => {
    const days = new Map<Day, bigint>([
      ['2024-02-28', 1n],
      ['2024-02-29', 2n],
      [addDays('2024-02-29', 1), 4n],
    ]);
    expect([...metricMonthsOf(days)]).toEqual([
      ['2024-02-01', 3n],
      ['2024-03-01', 4n],
    ]);
  });
});
