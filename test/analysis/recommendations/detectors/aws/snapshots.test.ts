import { describe, expect, it } from 'vitest';
import { find } from '../../subject.ts';
import { awsCases } from './cases.ts';
import { runInShell } from '../../shell.ts';

describe('aws_ebs_snapshot_old', () => {
  const { subject } = awsCases.aws_ebs_snapshot_old;

  const listed = (metadata: object) => find('aws_ebs_snapshot_old', { subject: { ...subject, metadata } });

  it('estimates at most the cost of the snapshot', () => {
    expect(find('aws_ebs_snapshot_old', { subject })).toMatchObject({
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
    expect(find('aws_ebs_snapshot_old', { subject: { ...subject, metadata, firstSeen: '2025-11-20' } })).toBeNull();
    expect(find('aws_ebs_snapshot_old', { subject: { ...subject, metadata, firstSeen: '2025-11-19' } })).not.toBeNull();
  });

  it('skips snapshots managed by AWS Backup or a lifecycle policy', () => {
    for (const key of ['aws:backup:source-resource', 'aws:dlm:lifecycle-policy-id'])
      expect(find('aws_ebs_snapshot_old', { subject: { ...subject, tags: { [key]: 'x' } } })).toBeNull();
  });
});

describe('aws_ebs_snapshot_archive', () => {
  const { subject } = awsCases.aws_ebs_snapshot_archive;

  const listed = (metadata: object) => find('aws_ebs_snapshot_archive', { subject: { ...subject, metadata } });

  it('estimates at most three quarters of the cost', () => {
    // 30.4375 per month; 75% of that is 22.828125.
    expect(find('aws_ebs_snapshot_archive', { subject })).toMatchObject({ saving: 22.828125, confidence: 'low' });
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
      expect(find('aws_ebs_snapshot_archive', { subject: { ...subject, tags: { [key]: 'x' } } })).toBeNull();
  });
});

describe('aws_ami_orphan', () => {
  const { subject } = awsCases.aws_ami_orphan;

  const listed = (metadata: object) => find('aws_ami_orphan', { subject: { ...subject, metadata } });

  it('estimates at most the cost of the snapshot', () => {
    expect(find('aws_ami_orphan', { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('skips snapshots without images, with images in use, or with unknown use', () => {
    expect(listed({ imageIds: [], usedByCount: 0 })).toBeNull();
    expect(listed({ imageIds: ['ami-1'], usedByCount: 1 })).toBeNull();
    expect(listed({ imageIds: ['ami-1'] })).toBeNull();
  });

  it('waits for 90 days', () => {
    expect(listed({ createdAt: '2026-08-22', imageIds: ['ami-1'], usedByCount: 0 })).toBeNull();
    expect(listed({ createdAt: '2026-08-21', imageIds: ['ami-1'], usedByCount: 0 })).not.toBeNull();
  });

  it('deregisters every image before it deletes the snapshot', async () => {
    const { calls } = await runInShell(find('aws_ami_orphan', { subject })?.scripts()[0]?.script ?? '');
    expect(calls.map((call) => call.at(-1))).toEqual(['--image-id=ami-1', '--image-id=ami-2', '--snapshot-id=snap-1']);
  });

  it('skips snapshots managed by AWS Backup or a lifecycle policy', () => {
    for (const key of ['aws:backup:source-resource', 'aws:dlm:lifecycle-policy-id'])
      expect(find('aws_ami_orphan', { subject: { ...subject, tags: { [key]: 'x' } } })).toBeNull();
  });
});
