import { describe, expect, it } from 'vitest';
import { ebsSnapshotArchive } from '../../../../../src/analysis/recommendations/detectors/aws/ebs-snapshot-archive.ts';
import { find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ebs_snapshot_archive;

describe('aws_ebs_snapshot_archive', () => {
  const listed = (metadata: object) => find(ebsSnapshotArchive, { subject: { ...subject, metadata } });

  it('estimates at most three quarters of the cost', () => {
    // 30.4375 per month; 75 % of that is 22.828125.
    expect(find(ebsSnapshotArchive, { subject })).toMatchObject({ saving: 22.828125, confidence: 'low' });
  });

  it('skips snapshots whose volume exists or is unknown, and snapshots used by an image', () => {
    expect(listed({ sourceExists: true, imageIds: [] })).toBeNull();
    expect(listed({ sourceExists: false, imageIds: ['ami-1'] })).toBeNull();
    expect(listed({})).toBeNull();
  });

  it('waits for 90 days', () => {
    expect(listed({ createdAt: '2026-08-22', sourceExists: false, imageIds: [] })).toBeNull();
    expect(listed({ createdAt: '2026-08-21', sourceExists: false, imageIds: [] })).not.toBeNull();
  });

  it('skips snapshots managed by AWS Backup or a lifecycle policy', () => {
    for (const key of ['aws:backup:source-resource', 'aws:dlm:lifecycle-policy-id'])
      expect(find(ebsSnapshotArchive, { subject: { ...subject, tags: { [key]: 'x' } } })).toBeNull();
  });
});
