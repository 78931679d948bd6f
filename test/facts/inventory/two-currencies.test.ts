import { beforeAll, expect, it } from 'vitest';
import { daysIn } from '../../../src/kit/time/period.ts';
import { worldOfFile } from '../../support/world.ts';
import { aCharge } from '../coverage/world.ts';
import { evaluated } from './world.ts';

// The account's bills change from dollars to euros on November 21. Its 30 days are October 30 to November 28.
const at = worldOfFile({ clock: { now: () => new Date('2026-11-30T12:00:00Z') } });
const unit = 10n ** 12n;

const dollars = daysIn({ start: '2026-10-25', end: '2026-11-21' });
const euros = daysIn({ start: '2026-11-21', end: '2026-11-29' });

const lines = [
  ...dollars.map((day) => aCharge(day, 100, { resource: 'both' })),
  ...euros.map((day) => aCharge(day, 100, { currency: 'EUR', resource: 'both' })),
  aCharge('2026-11-01', 3000, { resource: 'dollars' }),
  aCharge('2026-11-28', 1600, { currency: 'EUR', resource: 'euros' }),
  // More euros than dollars, so that its own currency is the euro.
  aCharge('2026-10-31', 200, { resource: 'mostly euros' }),
  aCharge('2026-11-28', 1750, { currency: 'EUR', resource: 'mostly euros' }),
];

let token = '';

beforeAll(async () => {
  const rates = [{ month: '2026-11', from: 'EUR', to: 'USD', rate: 2n * unit } as const];
  token = await evaluated(at(), { completeThrough: '2026-11-28', lines, rates });
});

interface Cost {
  readonly currency: string;
  readonly cost_last_30_days: number;
}

interface Listed extends Cost {
  readonly id: string;
  readonly native_id: string;
  readonly other_costs: readonly Cost[];
  readonly converted: Cost | null;
}

const shown = ({
  cost_last_30_days: cost,
  currency,
  other_costs: others,
  converted,
}: Omit<Listed, 'id' | 'native_id'>) => [
  cost,
  currency,
  ...others.map((other) => `${other.cost_last_30_days} ${other.currency}`),
  converted?.cost_last_30_days ?? null,
];

async function read<Row>(path: string): Promise<Row[]> {
  const { body } = await at().rest<{ data: Row[] }>('GET', path, { token });
  return body.data;
}

it('has the cost in all billing currencies, as cost queries do', async () => {
  const expected = [
    ['both', 2200, 'USD', '800 EUR', 3800],
    ['mostly euros', 1750, 'EUR', '200 USD', 3700],
    ['euros', 1600, 'EUR', 3200],
    ['dollars', 3000, 'USD', 3000],
  ];
  const listed = await read<Listed>('/inventory?sort_by=-cost_last_30_days');
  expect(listed.map((row) => [row.native_id, ...shown(row)])).toEqual(expected);
  for (const one of listed) {
    const { body } = await at().rest<Listed>('GET', `/inventory/${one.id}`, { token });
    expect(shown(body)).toEqual(shown(one));
  }
  const first = await read<Listed>('/inventory?sort_by=cost_last_30_days&per_page=2');
  expect(first.map((row) => row.native_id)).toEqual(['dollars', 'euros']);
  const violations = await read<Listed & { resource: { name: string } }>('/tags/violations?per_page=3');
  expect(violations.map((row) => [row.resource.name, ...shown(row)])).toEqual(
    listed.slice(0, 3).map((row) => [row.native_id, ...shown(row)]),
  );
  const { body } = await at().rest<{ rows: { keys: { resource: string }; cost: number }[] }>(
    'GET',
    '/costs?group_by=resource&start_date=2026-10-30&end_date=2026-11-28',
    { token },
  );
  expect(new Map(body.rows.map(({ keys, cost }) => [keys.resource, cost]))).toEqual(
    new Map(listed.map((row) => [row.native_id, row.converted?.cost_last_30_days])),
  );
});

it('shows the costs of each currency without a rate', async () => {
  await at().deps.pool.query('DELETE FROM exchange_rates');
  const expected = [
    ['dollars', 3000, 'USD', 3000],
    ['mostly euros', 1750, 'EUR', '200 USD', null],
    ['euros', 1600, 'EUR', null],
    ['both', 2200, 'USD', '800 EUR', null],
  ];
  const listed = await read<Listed>('/inventory?sort_by=-cost_last_30_days');
  expect(listed.map((row) => [row.native_id, ...shown(row)])).toEqual(expected);
  const violations = await read<Listed & { resource: { name: string } }>('/tags/violations');
  expect(violations.map((row) => [row.resource.name, ...shown(row)])).toEqual(expected);
});
