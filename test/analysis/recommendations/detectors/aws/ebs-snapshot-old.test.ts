import { describe, expect, it } from 'vitest';
import { ebsSnapshotOld } from '../../../../../src/analysis/recommendations/detectors/aws/ebs-snapshot-old.ts';
import { find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ebs_snapshot_old;

describe('aws_ebs_snapshot_old', () => {
  const listed = (metadata: object) => find(ebsSnapshotOld, { subject: { ...subject, metadata } });

  it('estimates at most the cost of the snapshot', () => {
    expect(find(ebsSnapshotOld, { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('skips snapshots whose volume exists or is unknown, and snapshots used by an image', () => {
    const createdAt = '2025-01-01';
    expect(listed({ createdAt, sourceExists: true, imageIds: [] })).toBeNull();
    expect(listed({ createdAt, sourceExists: false, imageIds: ['ami-1'] })).toBeNull();
    expect(listed({ createdAt, sourceExists: false })).toBeNull();
    expect(listed({ createdAt })).toBeNull();
  });

  it('waits for a year from creation, or else from the first bill', () => {
    // The day after the window is 2026-11-19.
    expect(listed({ createdAt: '2025-11-20T10:00:00Z', sourceExists: false, imageIds: [] })).toBeNull();
    expect(listed({ createdAt: '2025-11-19T10:00:00Z', sourceExists: false, imageIds: [] })?.saving).toBe(30.4375);
    const metadata = { sourceExists: false, imageIds: [] };
    expect(find(ebsSnapshotOld, { subject: { ...subject, metadata, firstSeen: '2025-11-20' } })).toBeNull();
    expect(find(ebsSnapshotOld, { subject: { ...subject, metadata, firstSeen: '2025-11-19' } })).not.toBeNull();
  });

  it('skips snapshots managed by AWS Backup or a lifecycle policy', () => {
    for (const key of ['aws:backup:source-resource', 'aws:dlm:lifecycle-policy-id'])
      expect(find(ebsSnapshotOld, { subject: { ...subject, tags: { [key]: 'x' } } })).toBeNull();
  });
});
