import { expect, it } from 'vitest';
import { checkAll } from '../../../src/facts/tags/evaluation/check.ts';

const one = { provider: 'aws', resourceType: 'Disk', tags: {}, currency: 'USD', cost: '1', monthCosts: {} };

it('yields to the event loop between resources', async () => {
  let othersWereServed = false;
  setImmediate(() => (othersWereServed = true));
  const seen: boolean[] = [];
  const check = () => {
    const startedAt = performance.now();
    while (performance.now() - startedAt < 30);
    seen.push(othersWereServed);
    return [{ policyId: 'p', key: 'team', problem: 'missing' as const, value: null }];
  };
  const found = await checkAll(check, [
    { ...one, resourceId: '1' },
    { ...one, resourceId: '2' },
  ]);
  expect(seen).toEqual([false, true]);
  expect(found.map(({ resource }) => resource.resourceId)).toEqual(['1', '2']);
});
