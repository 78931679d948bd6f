import { describe, expect, it } from 'vitest';
import { ebsUnattached } from '../../../../../src/analysis/recommendations/detectors/aws/ebs-unattached.ts';
import { aSubject, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ebs_unattached;

describe('aws_ebs_unattached', () => {
  it('estimates at most the cost of the volume, as its snapshot is not free', () => {
    // 30 in 30 days are 30.4375 per month.
    expect(find(ebsUnattached, { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'high',
      method: 'upper_bound',
      evidence: { unattached_since: '2026-09-01' },
    });
  });

  it('has lower confidence and no date when the detach time is unknown', () => {
    expect(find(ebsUnattached, { subject: { ...subject, metadata: { state: 'available' } } })).toMatchObject({
      confidence: 'medium',
      evidence: { unattached_since: null },
    });
  });

  it('skips volumes in use or with unknown state, and subjects without volume usage', () => {
    expect(find(ebsUnattached, { subject: { ...subject, metadata: { state: 'in-use' } } })).toBeNull();
    expect(find(ebsUnattached, { subject: { ...subject, metadata: {} } })).toBeNull();
    const usage = [{ meter: 'EBS:SnapshotUsage' }];
    expect(find(ebsUnattached, { subject: aSubject({ metadata: { state: 'available' }, usage }) })).toBeNull();
  });

  it('waits until the volume has been unattached for 7 days', () => {
    const since = (stateSince: string) => ({ ...subject, metadata: { state: 'available', stateSince } });
    expect(find(ebsUnattached, { subject: since('2026-11-13') })).toBeNull();
    expect(find(ebsUnattached, { subject: since('2026-11-12T08:00:00Z') })?.saving).toBe(30.4375);
  });
});
