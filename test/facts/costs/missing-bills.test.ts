import { beforeEach, describe, expect, it } from 'vitest';
import type { Month } from '../../../src/kit/time/period.ts';
import { bill } from '../../support/bills.ts';
import { aTeam, type Team } from '../../tenancy/team.ts';

// `one` has a bill in each month from July to November, `two` in each but October. `rare` has bills in July and November.
// All bills are of 10 USD on the 1st.

interface Missing {
  readonly month: string;
  readonly account_name: string;
}

interface Answer {
  readonly missing_bills: readonly Missing[];
  readonly previous: { readonly change_percent: number | null };
  readonly rows: readonly { readonly change_percent: number | null }[];
  readonly months: readonly { readonly month: string; readonly change_percent: number | null }[];
}

const all: readonly Month[] = ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11'];
const missing = [{ month: '2026-10', account_name: 'two' }];

let team: Team;

beforeEach(async () => {
  team = await aTeam();
  const { one, two } = team.accounts;
  const rare = await team.connect('rare');
  const billed: Record<string, readonly Month[]> = {
    [one]: all,
    [two]: all.filter((month) => month !== '2026-10'),
    [rare]: ['2026-07', '2026-11'],
  };
  const charges = Object.entries(billed).flatMap(([account, months]) =>
    months.map((month) => ({ account, date: `${month}-01` as const, cost: '10' })),
  );
  const through = '2026-11-19' as const;
  const completeThrough = { [one]: through, [two]: through, [rare]: through };
  await bill(team.deps, team.organizationId, { charges, completeThrough });
  await team.db.account.update({ where: { id: two }, data: { name: 'two' } });
  await team.join('eve', 'viewer', [one]);
});

async function read(path: string, name = 'dan'): Promise<Answer> {
  const { status, body } = await team.rest(name, 'GET', path);
  expect(status).toBe(200);
  return body as Answer;
}

const october = 'start_date=2026-10-01&end_date=2026-10-31';
const comparisons = {
  'the range': october,
  'the compared range': 'start_date=2026-11-01&end_date=2026-11-19',
  'both ranges': 'start_date=2026-10-02&end_date=2026-10-05',
};
const views = ['summary', 'daily', 'by-service', 'by-account', 'by-region', 'dimensions/service/values'];

describe('a missing bill', () => {
  it('in either range of a comparison leaves no percentage, and is named; in other months it changes nothing', async () => {
    for (const [where, days] of Object.entries(comparisons)) {
      const answer = await read(`/costs?${days}&group_by=account&compare=previous_period`);
      expect(answer, where).toMatchObject({ missing_bills: missing, previous: { change_percent: null } });
      expect(answer.rows.filter((row) => row.change_percent !== null)).toEqual([]);
    }
    const september = await read('/costs?start_date=2026-09-01&end_date=2026-09-30&compare=previous_period');
    expect(september).toMatchObject({ missing_bills: [], previous: { change_percent: 0 } });
  });

  it('leaves no percentage of its month and the month after in the trend, and is named in all cost answers', async () => {
    const { months, ...trend } = await read('/costs/trend?start_date=2026-08-01&end_date=2026-11-19');
    expect(trend).toMatchObject({ missing_bills: missing });
    expect(months.map(({ month, change_percent: change }) => [month, change])).toEqual([
      ['2026-08', -33.33],
      ['2026-09', 0],
      ['2026-10', null],
      ['2026-11', null],
    ]);
    for (const view of views)
      expect(await read(`/costs/${view}?${october}`), view).toMatchObject({
        missing_bills: missing,
      });
    for (const path of [`/coverage?${october}`, '/coverage/daily'])
      expect(await read(path), path).toMatchObject({ missing_bills: missing });
  });

  it('of an account that the caller cannot access, or that a filter excludes, leaves no trace', async () => {
    const asked = `/costs?${october}&compare=previous_period`;
    for (const answer of [await read(asked, 'eve'), await read(`${asked}&account=${team.accounts.one}`)])
      expect(answer).toMatchObject({ missing_bills: [], previous: { change_percent: 0 } });
    await team.db.account.update({ where: { id: team.accounts.two }, data: { provider: 'azure' } });
    expect(await read(`${asked}&provider=aws`)).toMatchObject({ missing_bills: [] });
    expect(await read(`${asked}&provider=azure`)).toMatchObject({ missing_bills: missing });
  });

  it('is named by budgets whose period contains its month', async () => {
    await team.rest('cleo', 'POST', '/budgets', { name: 'Year', amount: 1000, period: 'yearly' });
    await team.rest('cleo', 'POST', '/budgets', { name: 'Month', amount: 1000 });
    const { body } = await team.rest('cleo', 'GET', '/budgets?sort_by=name');
    expect(body.data).toMatchObject([
      { name: 'Month', missing_bills: [] },
      { name: 'Year', missing_bills: missing },
    ]);
  });
});
