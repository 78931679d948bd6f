import { expect, it } from 'vitest';
import { jobKinds } from '../../src/jobs/kinds.ts';
import { tasks } from '../../src/tasks.ts';

it('has one task for each kind of job', () => {
  expect(tasks.map(({ name }) => name).sort()).toEqual(Object.keys(jobKinds).sort());
});

it('keeps the names, keys and queues of jobs queued by an earlier version', () => {
  const account = { organizationId: 'o', accountId: 'a' };
  const delivery = { organizationId: 'o', deliveryId: 'd' };
  expect([jobKinds.sync.key?.(account), jobKinds.sync.queueName?.(account)]).toEqual(['sync:a', 'sync:a']);
  expect([jobKinds.evaluate.key?.(account), jobKinds.evaluate.queueName?.(account)]).toEqual([
    'evaluate:a',
    'evaluate:o',
  ]);
  expect(jobKinds.deliver_slack.queueName?.({ ...delivery, userId: 'u' })).toBe('slack:o:u');
  const earlier = { organizationId: crypto.randomUUID(), deliveryId: crypto.randomUUID() };
  expect(jobKinds.deliver_slack.payload.parse(earlier)).toEqual(earlier);
  expect(jobKinds.deliver_slack.queueName?.(earlier)).toBeUndefined();
});
