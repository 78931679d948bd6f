import { afterEach, describe, expect, it } from 'vitest';
import { probeInventory } from '../../../../src/providers/aws/inventory/probe.ts';
import { allowedOperations } from '../../../../src/providers/aws/operations.ts';
import type { FakeAws } from '../../../support/clouds/aws/fake.ts';
import { inventoryAnswers, regionsOn } from '../../../support/clouds/aws/inventory.ts';
import { ec2Error, jsonError, queryError } from '../../../support/clouds/aws/xml.ts';
import { sessionOf, startAws } from './listing.ts';

let fake: FakeAws;
afterEach(() => fake.stop());

const probe = () => probeInventory(sessionOf(fake), 'eu-west-1', new AbortController().signal);
const reading = {
  'resource-explorer-2.ListViews': () => ({ json: { Views: [] } }),
  'resource-explorer-2.ListSupportedResourceTypes': () => ({ json: { ResourceTypes: [] } }),
};

describe('missing inventory permissions', () => {
  it('are none if everything is allowed, which takes one call per operation', async () => {
    fake = await startAws(inventoryAnswers(regionsOn('eu-west-1')), reading);
    expect(await probe()).toEqual([]);
    const asked = fake.log.filter(({ service }) => service !== 'sts').map(({ operation }) => operation);
    // Operations on views need an index; OpenSearch and EC2 use the same operation name for reservations.
    const known = Object.keys(allowedOperations).filter((name) =>
      /^(EC2|RDS|Redshift|Elasti|OpenS|Saving|ResourceG)/.test(name),
    );
    expect(asked).toHaveLength(known.length + 3);
  });

  it('are named, while temporary errors are ignored', async () => {
    fake = await startAws(inventoryAnswers(regionsOn('eu-west-1')), reading, {
      'ec2.DescribeVolumes': () => ec2Error(403, 'UnauthorizedOperation', 'no'),
      'rds.DescribeReservedDBInstances': () => queryError(403, 'AccessDenied', 'no'),
      'savingsplans.DescribeSavingsPlans': () => jsonError(400, 'AccessDeniedException', 'no'),
      'es.DescribeReservedInstances': () => ({
        ...jsonError(429, 'ThrottlingException', 'slow'),
        headers: { 'retry-after': '60' },
      }),
    });
    expect(await probe()).toEqual([
      'The inventory will be incomplete without these permissions: ec2:DescribeVolumes, rds:DescribeReservedDBInstances, ' +
        'savingsplans:DescribeSavingsPlans. Allow them in the policy of the role or user.',
    ]);
  });
});
