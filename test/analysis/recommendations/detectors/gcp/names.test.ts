import { describe, expect, it } from 'vitest';
import { isCompute, nameBeside, placeOption } from '../../../../../src/analysis/recommendations/detectors/gcp/names.ts';

const compute = '//compute.googleapis.com/projects/p';

describe('placeOption', () => {
  it.each([
    [`${compute}/zones/europe-west1-b/disks/d`, "--zone='europe-west1-b'"],
    [`${compute}/regions/europe-west1/addresses/a`, "--region='europe-west1'"],
    [`${compute}/global/snapshots/s`, '--global'],
    ['//storage.googleapis.com/bucket', null],
  ])('maps %s to %s', (nativeId, option) => {
    expect(placeOption(nativeId)).toBe(option);
  });
});

describe('isCompute', () => {
  it('checks service and collection', () => {
    expect(isCompute(`${compute}/zones/z/disks/d`, 'disks')).toBe(true);
    expect(isCompute(`${compute}/zones/z/disks/d`, 'instances')).toBe(false);
    expect(isCompute('//sqladmin.googleapis.com/projects/p/instances/i', 'instances')).toBe(false);
  });
});

describe('nameBeside', () => {
  it('limits names to 63 characters', () => {
    expect(nameBeside('disk', 'costkeep')).toBe('disk-costkeep');
    expect(nameBeside('d'.repeat(63), 'costkeep')).toBe(`${'d'.repeat(54)}-costkeep`);
    expect(nameBeside('d'.repeat(63), 'costkeep')).toHaveLength(63);
  });
});
