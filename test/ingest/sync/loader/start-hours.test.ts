import { expect, it } from 'vitest';
import { aLine } from '../../../support/focus.ts';
import { billOf, readBills, type BillFile } from './reading.ts';

async function hoursOf(...files: readonly BillFile[]): Promise<[string, number][]> {
  const { facts } = await readBills(...files);
  const hours = (await facts()).map((fact): [string, number] => [
    fact['ChargePeriodStart']?.slice(0, 10) ?? '',
    Number(fact['x_StartHours']),
  ]);
  return hours.toSorted(([a, x], [b, y]) => a.localeCompare(b) || x - y);
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
const expected: [string, number][] = [
  ['2026-05-03', 1],
  ['2026-05-03', 1 | (1 << 7) | (1 << 23)],
  ['2026-05-04', 1 << 1],
];

it.each(['a.csv', 'a.csv.gz', 'a.parquet'])(
  'stores the UTC hours in which the line items of a day start: %s',
  async (name) => {
    expect(await hoursOf(await billOf(name, lines))).toEqual(expected);
  },
);

it('merges the hours of one fact from several files', async () => {
  expect(await hoursOf(await billOf('a.csv', lines.slice(0, 2)), await billOf('b.csv', lines.slice(2)))).toEqual(
    expected,
  );
});

it('converts hours to UTC', async () => {
  expect(await hoursOf(await billOf('a.csv', [at('2026-05-03T23:30:00-02:00')]))).toEqual([['2026-05-04', 1 << 1]]);
});
