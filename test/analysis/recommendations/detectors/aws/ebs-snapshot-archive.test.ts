import { describe, expect, it } from 'vitest';
import { find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ebs_snapshot_archive;

describe('aws_ebs_snapshot_archive', () => {
  const listed = (metadata: object) => find('aws_ebs_snapshot_archive', { subject: { ...subject, metadata } });

  it('saves at most three quarters', () => {
    // 30.4375 a month; 75 % of it are 22.828125.
    expect(find('aws_ebs_snapshot_archive', { subject })).toMatchObject({ saving: 22.828125, confidence: 'low' });
  });

  it('leaves a snapshot whose volume is there, that an image needs, or of which that is not known', () => {
    expect(listed({ sourceExists: true, imageIds: [] })).toBeNull();
    expect(listed({ sourceExists: false, imageIds: ['ami-1'] })).toBeNull();
    expect(listed({})).toBeNull();
  });

  it('waits for 90 days', () => {
    expect(listed({ createdAt: '2026-08-22', sourceExists: false, imageIds: [] })).toBeNull();
    expect(listed({ createdAt: '2026-08-21', sourceExists: false, imageIds: [] })).not.toBeNull();
  });

  it('leaves what AWS Backup or a lifecycle policy keeps', () => {
    for (const key of ['aws:backup:source-resource', 'aws:dlm:lifecycle-policy-id'])
      expect(find('aws_ebs_snapshot_archive', { subject: { ...subject, tags: { [key]: 'x' } } })).toBeNull();
  });
});
