import { expect, it } from 'vitest';
import { withRest } from '../../../src/console/anomalies/drivers.ts';

it('adds a row for drivers that are too small to list, so that each dimension adds up', () => {
  const region = { dimension: 'REGION', key: null } as const;
  const meter = { dimension: 'USAGE_TYPE', key: null } as const;
  const drivers = [
    { ...region, value: 'eu-west-1', change: 100, share: 100 },
    { ...meter, value: 'BoxUsage', change: 70.2, share: 70.2 },
    { ...meter, value: '', change: 20.5, share: 20.5 },
  ];
  const rows = withRest(drivers, 100);
  expect(rows.slice(0, 3)).toEqual(drivers);
  expect(rows.slice(3)).toEqual([{ ...meter, value: null, change: 9.3, share: expect.closeTo(9.3, 6) }]);
});
