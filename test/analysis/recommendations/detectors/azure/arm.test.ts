import { describe, expect, it } from 'vitest';
import { armParts, armType } from '../../../../../src/analysis/recommendations/detectors/azure/arm.ts';

describe('armType', () => {
  it.each([
    ['/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/d', 'microsoft.compute/disks'],
    [
      '/subscriptions/s/resourcegroups/g/providers/microsoft.sql/servers/s/elasticpools/p',
      'microsoft.sql/servers/elasticpools',
    ],
    ['/subscriptions/s/resourcegroups/providers/providers/microsoft.web/serverfarms/p', 'microsoft.web/serverfarms'],
    ['arn:aws:ec2:eu-west-1:1:volume/vol-1', ''],
    ['', ''],
  ])('maps %s to %s', (nativeId, type) => {
    expect(armType(nativeId)).toBe(type);
  });
});

describe('armParts', () => {
  it('reads subscription and resource group, in any case', () => {
    expect(armParts('/subscriptions/s-1/resourceGroups/My Group/providers/x/y/z')).toEqual({
      subscription: 's-1',
      group: 'My Group',
    });
    expect(armParts('/providers/microsoft.capacity/reservationorders/1')).toBeNull();
  });
});
