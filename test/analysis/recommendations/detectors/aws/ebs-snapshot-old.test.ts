import { describe, expect, it } from 'vitest';
import { find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ebs_snapshot_old;

describe('aws_ebs_snapshot_old', () => {
  const listed = (metadata: object) => find('aws_ebs_snapshot_old', { subject: { ...subject, metadata } });

  it('saves at most what the snapshot costs', () => {
    expect(find('aws_ebs_snapshot_old', { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('leaves a snapshot whose volume is there, that an image needs, or of which that is not known', () => {
    const createdAt = '2025-01-01';
    expect(listed({ createdAt, sourceExists: true, imageIds: [] })).toBeNull();
    expect(listed({ createdAt, sourceExists: false, imageIds: ['ami-1'] })).toBeNull();
    expect(listed({ createdAt, sourceExists: false })).toBeNull();
    expect(listed({ createdAt })).toBeNull();
  });

  it('waits for a year, from its making or else from its first bill', () => {
    // The day after the window is 2026-11-19.
    expect(listed({ createdAt: '2025-11-20T10:00:00Z', sourceExists: false, imageIds: [] })).toBeNull();
    expect(listed({ createdAt: '2025-11-19T10:00:00Z', sourceExists: false, imageIds: [] })?.saving).toBe(30.4375);
    const metadata = { sourceExists: false, imageIds: [] };
    expect(find('aws_ebs_snapshot_old', { subject: { ...subject, metadata, firstSeen: '2025-11-20' } })).toBeNull();
    expect(find('aws_ebs_snapshot_old', { subject: { ...subject, metadata, firstSeen: '2025-11-19' } })).not.toBeNull();
  });

  it('leaves what AWS Backup or a lifecycle policy keeps', () => {
    for (const key of ['aws:backup:source-resource', 'aws:dlm:lifecycle-policy-id'])
      expect(find('aws_ebs_snapshot_old', { subject: { ...subject, tags: { [key]: 'x' } } })).toBeNull();
  });
});
