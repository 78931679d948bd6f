import { beforeAll, expect, it } from 'vitest';
import { worldOfFile } from '../../support/world.ts';
import { aCharge } from '../coverage/world.ts';
import { evaluated } from './world.ts';

// Euros are 1 dollar in September, 2 in October and 3 in November; there is no rate for yen.
const at = worldOfFile({ clock: { now: () => new Date('2026-11-13T12:00:00Z') } });
const unit = 10n ** 12n;
let token = '';

const euros = { currency: 'EUR' };

beforeAll(async () => {
  const rates = [
    ['2026-09', 1n],
    ['2026-10', 2n],
    ['2026-11', 3n],
  ] as const;
  token = await evaluated(at(), {
    completeThrough: '2026-11-10',
    lines: [
      // The 30 days begin on October 12.
      aCharge('2026-10-11', 1000, { ...euros, resource: 'ended' }),
      aCharge('2026-10-15', 10.5, { ...euros, resource: 'ended' }),
      aCharge('2026-10-31', 20, { ...euros, resource: 'even' }),
      aCharge('2026-11-08', 5, { ...euros, resource: 'even' }),
      aCharge('2026-11-10', 19, { ...euros, resource: 'new' }),
      aCharge('2026-11-10', 56, { resource: 'dollars' }),
      aCharge('2026-11-10', 1, { currency: 'JPY', resource: 'yen' }),
    ],
    rates: rates.map(([month, rate]) => ({ month, from: 'EUR', to: 'USD', rate: rate * unit })),
  });
});

interface Cost {
  readonly converted: { readonly cost_last_30_days: number } | null;
}

interface Listed extends Cost {
  readonly native_id: string;
}

async function read<Row>(path: string): Promise<Row[]> {
  const { body } = await at().rest<{ data: Row[] }>('GET', path, { token });
  return body.data;
}

const shown = ({ converted }: Cost) => converted?.cost_last_30_days ?? null;

/** Converted month by month: 20 euros in October and 5 in November are 55 dollars. Null without a rate. */
const expected = [
  ['new', 57],
  ['dollars', 56],
  ['even', 55],
  ['ended', 21],
  ['yen', null],
];

it.each(['', '&search=e', '&per_page=3'])('sorts resources by costs converted month by month: %s', async (query) => {
  const rows = await read<Listed>(`/inventory?include_gone=true&sort_by=-cost_last_30_days${query}`);
  const all = expected.filter(([name]) => query !== '&search=e' || String(name).includes('e'));
  expect(rows.map((row) => [row.native_id, shown(row)])).toEqual(all.slice(0, query === '&per_page=3' ? 3 : 5));
});

it('shows the cost that the cost query has for the same days', async () => {
  const { body } = await at().rest<{ rows: { keys: { resource: string }; cost: number }[] }>(
    'GET',
    '/costs?group_by=resource&start_date=2026-10-12&end_date=2026-11-10',
    { token },
  );
  const costs = new Map(body.rows.map(({ keys, cost }) => [keys.resource, cost]));
  for (const row of await read<Listed>('/inventory?include_gone=true'))
    expect([row.native_id, shown(row)]).toEqual([row.native_id, costs.get(row.native_id) ?? null]);
});

it.each(['', '&sort_by=key', '&per_page=2'])('sorts tag violations likewise: %s', async (query) => {
  const rows = await read<Cost & { resource: { name: string } }>(`/tags/violations?problem=missing${query}`);
  const there = expected.filter(([name]) => name !== 'ended');
  expect(rows.map((row) => [row.resource.name, shown(row)])).toEqual(there.slice(0, query === '&per_page=2' ? 2 : 4));
});
