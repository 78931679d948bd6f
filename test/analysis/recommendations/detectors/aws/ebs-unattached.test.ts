import { describe, expect, it } from 'vitest';
import { aSubject, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ebs_unattached;

describe('aws_ebs_unattached', () => {
  it('saves at most what the volume costs: its snapshot costs something', () => {
    // 30 in 30 days are 30.4375 in a month.
    expect(find('aws_ebs_unattached', { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'high',
      method: 'upper_bound',
      evidence: { unattached_since: '2026-09-01' },
    });
  });

  it('does not say since when where nobody knows, and is less sure', () => {
    expect(find('aws_ebs_unattached', { subject: { ...subject, metadata: { state: 'available' } } })).toMatchObject({
      confidence: 'medium',
      evidence: { unattached_since: null },
    });
  });

  it('leaves a volume that is in use, and one that nobody knows the state of', () => {
    expect(find('aws_ebs_unattached', { subject: { ...subject, metadata: { state: 'in-use' } } })).toBeNull();
    expect(find('aws_ebs_unattached', { subject: { ...subject, metadata: {} } })).toBeNull();
    const usage = [{ meter: 'EBS:SnapshotUsage' }];
    expect(find('aws_ebs_unattached', { subject: aSubject({ metadata: { state: 'available' }, usage }) })).toBeNull();
  });

  it('waits until it has been unattached for 7 days', () => {
    const since = (stateSince: string) => ({ ...subject, metadata: { state: 'available', stateSince } });
    expect(find('aws_ebs_unattached', { subject: since('2026-11-13') })).toBeNull();
    expect(find('aws_ebs_unattached', { subject: since('2026-11-12T08:00:00Z') })?.saving).toBe(30.4375);
  });
});
