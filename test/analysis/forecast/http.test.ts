import { beforeAll, describe, expect, it } from 'vitest';
import { daysIn, type Day } from '../../../src/kit/time/period.ts';
import { fillCube, type CubeAccount } from '../../support/cube.ts';
import { worldOfFile } from '../../support/world.ts';
import { charge, every, weekly } from './world.ts';

const clock = { now: () => new Date('2026-11-21T12:00:00Z') };
const at = worldOfFile({ clock });

const one = '01890000-0000-7000-8000-00000000000a';
const two = '01890000-0000-7000-8000-00000000000b';
const young = '01890000-0000-7000-8000-00000000000c';
const gone = '01890000-0000-7000-8000-00000000000d';
const late = '01890000-0000-7000-8000-00000000000e';
const autumn = '01890000-0000-7000-8000-00000000000f';
const complete = '2026-11-19';

const accounts: readonly CubeAccount[] = [
  { id: one, name: 'One', completeThrough: complete },
  { id: two, name: 'Two', completeThrough: '2026-11-18' },
  { id: young, name: 'Young', completeThrough: complete },
  { id: gone, name: 'Gone', completeThrough: '2026-03-31', status: 'disconnected' },
  { id: late, name: 'Late', completeThrough: '2026-06-30' },
  { id: autumn, name: 'Autumn', completeThrough: complete },
];

const lines = [
  ...every({ start: '2025-01-01', end: '2026-11-22' }, (day) => [
    charge(one, day, weekly(day)),
    ...(day.endsWith('-01') ? [charge(one, day, 300, { service: 'Support' })] : []),
  ]),
  ...every({ start: '2026-01-01', end: '2026-11-20' }, (day) => [charge(two, day, 10, { service: 'Storage' })]),
  ...every({ start: '2026-11-08', end: '2026-11-20' }, (day) => [charge(young, day, 7, { service: 'Queue' })]),
  ...every({ start: '2025-06-01', end: '2026-04-01' }, (day) => [charge(gone, day, 1000)]),
  ...every({ start: '2026-01-01', end: '2026-07-01' }, (day) => [charge(late, day, 500)]),
  ...every({ start: '2026-08-02', end: '2026-11-20' }, (day) => [charge(autumn, day, 40, { service: 'Cache' })]),
];

interface Point {
  date: Day;
  cost: number;
  lower_80: number;
  upper_80: number;
  lower_95: number;
  upper_95: number;
}

interface Forecast {
  model: string;
  history_from: Day | null;
  history_to: Day | null;
  complete_through: Day | null;
  low_history: boolean;
  total: Record<keyof Omit<Point, 'date'>, number | null>;
  points: Point[];
  services: { service: string | null; cost: number }[];
  unconverted: unknown[];
}

let token = '';
const ask = async <Body = Forecast>(path: string, headers = {}) => at().rest<Body>('GET', path, { token, headers });

beforeAll(async () => {
  ({ token } = await at().register());
  const me = await at().rest<{ organization: { id: string } }>('GET', '/auth/me', { token });
  const organizationId = me.body.organization.id;
  await fillCube(at().deps, { organizationId, currency: 'USD', accounts, lines, rates: [], identifiers: [] });
});

describe('GET /forecast', () => {
  it.each(['linear', 'seasonal'])('forecasts weekdays and monthly charges with the %s model', async (model) => {
    const { status, body } = await ask(`/forecast?account_id=${one}&model=${model}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      model,
      currency: 'USD',
      horizon_days: 60,
      history_from: '2025-11-20',
      history_to: complete,
      complete_through: complete,
      low_history: false,
      unconverted: [],
      provisional_rates: [],
    });
    const expected = daysIn({ start: '2026-11-20', end: '2027-01-19' }).map((day) => ({
      date: day,
      cost: expect.closeTo(weekly(day) + (day.endsWith('-01') ? 300 : 0), 0),
    }));
    expect(body.points.map(({ date, cost }) => ({ date, cost }))).toEqual(expected);
  });

  it('returns a total that equals the sum of its points, and nested intervals', async () => {
    const { body } = await ask('/forecast');
    const sum = body.points.reduce((total, { cost }) => total + Math.round(cost * 1e6), 0);
    expect(body.total.cost).toBe(sum / 1e6);
    for (const each of [...body.points, body.total as Point]) {
      const ordered = [0, each.lower_95, each.lower_80, each.cost, each.upper_80, each.upper_95];
      expect(ordered).toEqual([...ordered].sort((a, b) => a - b));
    }
  });

  it('returns services that sum to the total, each with the forecast of the service', async () => {
    const { body } = await ask('/forecast');
    const micros = (cost: number) => Math.round(cost * 1e6);
    expect(body.services.map(({ service }) => service)).toEqual(['Compute', 'Cache', 'Storage', 'Support', 'Queue']);
    expect(body.services.reduce((total, { cost }) => total + micros(cost), 0)).toBe(micros(body.total.cost ?? NaN));
    for (const { service, cost } of body.services) {
      const own = await ask(`/forecast?service=${service}`);
      expect(own.body.services).toEqual([{ service, cost }]);
      expect(own.body.total.cost).toBe(cost);
    }
  });

  it('covers connected accounts with current bills, through the last day complete for all of them', async () => {
    const { body } = await ask('/forecast');
    expect([body.history_to, body.complete_through]).toEqual(['2026-11-18', '2026-06-30']);
    // A Thursday: 100, 10, 7 and 40, without the 1,000 and 500 of the accounts that ended.
    const cost = body.points.find(({ date }) => date === '2026-12-10')?.cost;
    expect(Math.round(cost ?? 0)).toBeGreaterThanOrEqual(156);
    expect(cost).toBeLessThan(159);
  });

  it('starts at the last complete day of a requested account, even if its bills ended', async () => {
    const { body } = await ask(`/forecast?account_id=${gone}`);
    expect(body).toMatchObject({ history_to: '2026-03-31', complete_through: '2026-03-31' });
    expect(body.points[0]).toMatchObject({ date: '2026-04-01', cost: expect.closeTo(1000, 3) });
  });

  it('flags low history', async () => {
    const { body } = await ask(`/forecast?account_id=${young}`);
    expect(body).toMatchObject({ history_from: '2026-11-08', history_to: complete, low_history: true });
    expect(body.points).toHaveLength(60);
    expect(body.points[59]?.cost).toBe(7);
  });

  it('filters by service', async () => {
    const { body } = await ask('/forecast?service=Storage,Queue');
    expect(body.points[0]).toMatchObject({ cost: expect.closeTo(17, 3) });
    expect((await ask('/forecast?service=Nothing')).body.total.cost).toBe(0);
  });

  it('is empty rather than zero when no exchange rate exists', async () => {
    const other = await at().register();
    const me = await at().rest<{ organization: { id: string } }>('GET', '/auth/me', { token: other.token });
    const id = '01890000-0000-7000-8000-0000000000ac';
    await fillCube(at().deps, {
      organizationId: me.body.organization.id,
      currency: 'USD',
      accounts: [{ id, name: 'Zürich', completeThrough: complete }],
      lines: every({ start: '2026-01-01', end: '2026-11-20' }, (day) => [{ ...charge(id, day, 100), currency: 'CHF' }]),
      rates: [],
      identifiers: [],
    });
    const { body } = await at().rest<Forecast>('GET', '/forecast', { token: other.token });
    expect(body).toMatchObject({ points: [], total: { cost: null }, unconverted: [{ currency: 'CHF' }] });
    const accuracy = await at().rest<Accuracy>('GET', '/forecast/accuracy', { token: other.token });
    expect(accuracy.body.months.map(({ actual }) => actual)).toEqual([null, null, null, null, null, null]);
  });

  it('is empty for unknown account ids', async () => {
    const never = '01890000-0000-7000-8000-0000000000ff';
    const none = { cost: null, lower_80: null, upper_80: null, lower_95: null, upper_95: null };
    for (const id of [never, 'nonsense']) {
      const { status, body } = await ask(`/forecast?account_id=${id}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ history_from: null, history_to: null, complete_through: null, low_history: true });
      expect([body.points, body.total]).toEqual([[], none]);
    }
  });

  it('answers 304 until new data is loaded', async () => {
    for (const path of ['/forecast', '/forecast/accuracy']) {
      const first = await ask(path);
      const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
      expect((await ask(path, headers)).status).toBe(304);
      expect((await ask(`${path}?model=linear`, headers)).status).toBe(200);
    }
  });

  it('returns the same in GraphQL', async () => {
    const rest = await ask(`/forecast?account_id=${one}`);
    const { body } = await at().gql(
      `{ forecast(accountId: ["${one}"]) { model historyTo total { cost lower80 upper95 } points { date } } }`,
      {},
      token,
    );
    const { cost, lower_80: lower80, upper_95: upper95 } = rest.body.total;
    expect(body.data).toEqual({
      forecast: {
        model: 'SEASONAL',
        historyTo: complete,
        total: { cost, lower80, upper95 },
        points: rest.body.points.map(({ date }) => ({ date })),
      },
    });
  });

  it('returns CSV with one line per day', async () => {
    const { text } = await ask(`/forecast?account_id=${one}`, { accept: 'text/csv' });
    const [head, ...rows] = text.trim().split('\r\n');
    expect(head).toBe('date,cost,lower_80,upper_80,lower_95,upper_95,unconverted,currency');
    expect(rows).toHaveLength(60);
  });

  it.each([
    ['/forecast?model=prophet', 'model'],
    ['/forecast?days=30', 'days'],
    ['/forecast/accuracy?start_date=2026-01-01', 'start_date'],
  ])('rejects %s, naming %s', async (path, named) => {
    const { status, body } = await ask<{ error: { code: string; message: string } }>(path);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toContain(named);
  });
});

interface Accuracy {
  months: { month: string; forecast: number | null; actual: number | null; error_percent: number | null }[];
  mape: number | null;
  coverage_80: number | null;
  coverage_95: number | null;
}

describe('GET /forecast/accuracy', () => {
  it('covers the last six complete months, each forecast from the days before it', async () => {
    const { body } = await ask<Accuracy>(`/forecast/accuracy?account_id=${one}`);
    expect(body).toMatchObject({ model: 'seasonal', currency: 'USD', complete_through: complete });
    expect(body.months.map(({ month }) => month)).toEqual([
      '2026-05',
      '2026-06',
      '2026-07',
      '2026-08',
      '2026-09',
      '2026-10',
    ]);
    const october = daysIn({ start: '2026-10-01', end: '2026-11-01' }).reduce((sum, day) => sum + weekly(day), 300);
    expect(body.months[5]).toMatchObject({ actual: october, error_percent: expect.closeTo(0, 0) });
    expect(body.mape).toBeLessThan(1);
    expect(body.coverage_95).toBeGreaterThan(90);
  });

  it('always lists six months, with null for unknown ones', async () => {
    const { body } = await ask<Accuracy>(`/forecast/accuracy?account_id=${young}`);
    expect(body.months).toHaveLength(6);
    expect(body.months[5]).toEqual({ month: '2026-10', forecast: null, actual: null, error_percent: null });
    expect([body.mape, body.coverage_80, body.coverage_95]).toEqual([null, null, null]);
    const nobody = await ask<Accuracy>('/forecast/accuracy?account_id=nonsense');
    expect(nobody.body.months.map(({ month }) => month)).toEqual(body.months.map(({ month }) => month));
  });

  it('does not count later accounts as errors', async () => {
    const { body } = await ask<Accuracy>(`/forecast/accuracy?account_id=${one},${young}`);
    const alone = await ask<Accuracy>(`/forecast/accuracy?account_id=${one}`);
    for (const [index, { actual, error_percent: error }] of body.months.entries()) {
      expect(actual).toBeCloseTo(alone.body.months[index]?.actual ?? NaN, 3);
      expect(error).toBeCloseTo(alone.body.months[index]?.error_percent ?? NaN, 0);
    }
  });

  it('includes only accounts known at the beginning of each month', async () => {
    const { body } = await ask<Accuracy>(`/forecast/accuracy?account_id=${one},${autumn}`);
    const costOf = (month: string) =>
      daysIn({ start: `${month}-01` as Day, end: '2026-11-01' })
        .filter((day) => day.startsWith(month))
        .reduce((sum, day) => sum + weekly(day), 300);
    expect(body.months.slice(2)).toMatchObject([
      { month: '2026-07', actual: costOf('2026-07') },
      { month: '2026-08', actual: costOf('2026-08'), error_percent: expect.closeTo(0, 0) },
      { month: '2026-09', actual: costOf('2026-09') + 30 * 40 },
      { month: '2026-10', actual: costOf('2026-10') + 31 * 40 },
    ]);
    const errors = body.months.map(({ error_percent: error }) => Math.abs(error ?? NaN));
    expect(body.mape).toBeCloseTo(errors.reduce((sum, error) => sum + error, 0) / 6, 1);
  });

  it('reports past months correctly when a later account outweighs all others', async () => {
    const other = await at().register();
    const me = await at().rest<{ organization: { id: string } }>('GET', '/auth/me', { token: other.token });
    const [small, giant] = ['01890000-0000-7000-8000-0000000000aa', '01890000-0000-7000-8000-0000000000ab'];
    await fillCube(at().deps, {
      organizationId: me.body.organization.id,
      currency: 'USD',
      accounts: [small, giant].map((id) => ({ id, name: id, completeThrough: complete })),
      lines: [
        ...every({ start: '2026-01-01', end: '2026-11-20' }, (day) => [charge(small, day, 100)]),
        ...every({ start: '2026-07-05', end: '2026-11-20' }, (day) => [charge(giant, day, 900)]),
      ],
      rates: [],
      identifiers: [],
    });
    const { body } = await at().rest<Accuracy>('GET', '/forecast/accuracy', { token: other.token });
    expect(body.months.map(({ forecast, actual }) => [forecast === null, actual])).toEqual([
      [true, 3100],
      [true, 3000],
      [true, 3100],
      [false, 31_000],
      [false, 30_000],
      [false, 31_000],
    ]);
  });

  it('returns CSV with one line per month', async () => {
    const { text } = await ask(`/forecast/accuracy?account_id=${one}`, { accept: 'text/csv' });
    const [head, ...rows] = text.trim().split('\r\n');
    expect(head).toBe('month,forecast,actual,error_percent,currency');
    expect(rows).toHaveLength(6);
  });
});
