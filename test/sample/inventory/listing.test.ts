import { describe, expect, it } from 'vitest';
import { aws } from '../../../src/sample/aws/cloud.ts';
import { azure } from '../../../src/sample/azure/cloud.ts';
import { gcp } from '../../../src/sample/gcp/cloud.ts';
import { listingOf } from '../../../src/sample/inventory/listing.ts';
import { addDays, type Day } from '../../../src/kit/time/period.ts';

const clouds = [aws, azure, gcp];

describe('demo inventory', () => {
  it('contains the end date of each commitment on the bills', () => {
    const ends = (today: Day) =>
      Object.fromEntries(
        clouds.flatMap((cloud) => {
          const listing = new Map(listingOf(cloud, today).map((item) => [item.nativeId, item]));
          return cloud.commitments.map(({ key, named }) => [key, listing.get(named.id)?.metadata['endsAt']]);
        }),
      );
    expect(ends('2026-11-21')).toEqual({
      'compute-sp': '2026-12-31',
      'rds-ri': '2027-06-30',
      'cache-ri': '2027-02-02',
      'vm-reservation': '2027-07-31',
      'vm-savings-plan': '2027-04-30',
      'flex-cud': '2027-03-31',
    });
    expect(ends('2027-02-02')['cache-ri']).toBe('2027-02-02');
    expect(ends('2027-02-03')['cache-ri']).toBe('2028-02-02');
  });

  it.each(['2026-01-01', '2026-01-31', '2026-02-28', '2026-06-30', '2026-12-01'] as const)(
    'has a commitment that ends within 90 days of %s and one that ends later',
    (today) => {
      const days = clouds.flatMap((cloud) => listingOf(cloud, today)).map(({ metadata }) => String(metadata['endsAt']));
      const known = days.filter((day) => day !== 'undefined');
      expect(known.some((day) => day > addDays(today, 14) && day <= addDays(today, 90))).toBe(true);
      expect(known.some((day) => day > addDays(today, 90))).toBe(true);
    },
  );
});
