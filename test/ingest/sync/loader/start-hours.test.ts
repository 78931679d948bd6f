import { expect, test } from 'vitest';
import { aLine } from '../../../support/focus.ts';
import { billsOfFile, type Bills } from '../../world.ts';

const bills = billsOfFile();

async function hoursOf({ pool, accountId }: Bills): Promise<[string, number][]> {
  const { rows } = await pool.query<{ day: string; hours: number }>(
    'SELECT charge_date::text AS day, start_hours AS hours FROM cost_facts WHERE account_id = $1 ORDER BY 1, 2',
    [accountId],
  );
  return rows.map(({ day, hours }) => [day, hours]);
}

const at = (start: string, resource = 'vm-1') =>
  aLine({ day: '2026-05-03', ChargePeriodStart: start, ResourceId: resource });

const lines = [
  at('2026-05-03T00:00:00Z'),
  at('2026-05-03T07:15:00Z'),
  at('2026-05-03T23:00:00Z'),
  at('2026-05-03T23:00:00Z'),
  at('2026-05-04T01:30:00Z'),
  at('2026-05-03', 'vm-2'),
];
const told: [string, number][] = [
  ['2026-05-03', 1],
  ['2026-05-03', 1 | (1 << 7) | (1 << 23)],
  ['2026-05-04', 1 << 1],
];

test.each(['a.csv', 'a.csv.gz', 'a.parquet'])(
  'a fact has the UTC hours in which its line items of the day start: %s',
  async (name) => {
    const account = await bills();
    await account.put(name, lines);
    await account.sync();
    expect(await hoursOf(account)).toEqual(told);
  },
);

test('hours of one fact from several files are one', async () => {
  const account = await bills();
  await account.put('a.csv', lines.slice(0, 2));
  await account.put('b.csv', lines.slice(2));
  await account.sync();
  expect(await hoursOf(account)).toEqual(told);
});

test('hours are those of UTC where a bill has others', async () => {
  const account = await bills();
  await account.put('a.csv', [at('2026-05-03T23:30:00-02:00')]);
  await account.sync();
  expect(await hoursOf(account)).toEqual([['2026-05-04', 1 << 1]]);
});
