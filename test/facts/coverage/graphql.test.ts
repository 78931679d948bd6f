import { beforeAll, expect, it } from 'vitest';
import { fillCube } from '../../support/cube.ts';
import { statementRecorder } from '../../support/statements.ts';
import { worldOfFile } from '../../support/world.ts';
import { aCharge, accountId, aWorldOf, covered, daily } from './world.ts';

const clock = { now: () => new Date('2026-11-21T12:00:00Z') };
const at = worldOfFile({ clock });
const range = { start: '2026-09-20', end: '2026-11-19' } as const;
let token = '';

beforeAll(async () => {
  const owner = await at().register();
  token = owner.token;
  const me = await at().rest<{ organization: { id: string } }>('GET', '/auth/me', { token });
  const lines = daily(range, (day) => [aCharge(day, 240), aCharge(day, 0, covered(7, 10, 3, 'ri'))]);
  await fillCube(at().deps, { ...aWorldOf(lines, range), organizationId: me.body.organization.id });
});

it('returns 304 for a repeated request until new data is loaded', async () => {
  for (const path of ['/coverage', '/coverage/daily', '/coverage/gaps']) {
    const first = await at().rest('GET', path, { token });
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect(first.status).toBe(200);
    expect((await at().rest('GET', path, { token, headers })).status).toBe(304);
  }
});

it('returns the same in REST and GraphQL', async () => {
  const { body } = await at().rest('GET', '/coverage?start_date=2026-11-01&end_date=2026-11-10', { token });
  expect(body).toMatchObject({ total_cost: 2470, eligible_cost: 2500, covered_cost: 100, coverage_percent: 4 });
  const asked = await at().gql(
    '{ coverage(startDate: "2026-11-01", endDate: "2026-11-10") { coveragePercent split { kind cost } } }',
    {},
    token,
  );
  expect(asked.body.data).toEqual({
    coverage: {
      coveragePercent: 4,
      split: [
        { kind: 'RESERVED', cost: 70 },
        { kind: 'SAVINGS_PLAN', cost: 0 },
        { kind: 'SPOT', cost: 0 },
        { kind: 'ON_DEMAND', cost: 2400 },
        { kind: 'OTHER', cost: 0 },
      ],
    },
  });
});

it('returns the account and the discount method in the planner', async () => {
  const { body } = await at().rest<{ recommendations: object[] }>('GET', '/coverage/planner', { token });
  expect(body.recommendations[0]).toMatchObject({
    account_id: accountId,
    product: 'Compute Savings Plans',
    kind: 'savings_plan',
    payment: 'no_upfront',
    discount_method: 'documented',
    sensitivity: { low: 511.35, high: 1972.35 },
  });
});

it('loads the accounts of all planner recommendations with one statement', async () => {
  const record = statementRecorder();
  const statementsOf = async (fields: string) => {
    const query = `{ coveragePlanner { recommendations { accountId ${fields} } } }`;
    const { body } = await at().gql<{ coveragePlanner: { recommendations: object[] } }>(query, {}, token);
    expect(body.data?.coveragePlanner.recommendations.length).toBeGreaterThan(1);
    expect(body.data?.coveragePlanner.recommendations[0]).toMatchObject(fields ? { account: { id: accountId } } : {});
    return (await record(() => at().gql(query, {}, token))).length;
  };
  expect((await statementsOf('account { id }')) - (await statementsOf(''))).toBe(1);
});

it.each([
  ['/coverage?start_date=2026-11-02&end_date=2026-11-01', 'end_date "2026-11-01" is before start_date 2026-11-02'],
  ['/coverage/gaps?sort_by=cost', 'sort_by'],
  ['/coverage/gaps?per_page=101', 'per_page'],
  ['/coverage/daily?start_date=2026-11-02', 'start_date'],
])('rejects %s, naming %s', async (path, named) => {
  const { status, body } = await at().rest<{ error: { code: string; message: string } }>('GET', path, { token });
  expect(status).toBe(400);
  expect(body.error.code).toBe('VALIDATION_ERROR');
  expect(body.error.message).toContain(named);
});
