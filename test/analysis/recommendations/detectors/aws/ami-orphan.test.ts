import { describe, expect, it } from 'vitest';
import { amiOrphan } from '../../../../../src/analysis/recommendations/detectors/aws/ami-orphan.ts';
import { runInShell } from '../../shell.ts';
import { find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ami_orphan;

describe('aws_ami_orphan', () => {
  const listed = (metadata: object) => find(amiOrphan, { subject: { ...subject, metadata } });

  it('estimates at most the cost of the snapshot', () => {
    expect(find(amiOrphan, { subject })).toMatchObject({ saving: 30.4375, confidence: 'low', method: 'upper_bound' });
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
    const { calls } = await runInShell(find(amiOrphan, { subject })?.scripts()[0]?.script ?? '');
    expect(calls.map((call) => call.at(-1))).toEqual(['--image-id=ami-1', '--image-id=ami-2', '--snapshot-id=snap-1']);
  });

  it('skips snapshots managed by AWS Backup or a lifecycle policy', () => {
    for (const key of ['aws:backup:source-resource', 'aws:dlm:lifecycle-policy-id'])
      expect(find(amiOrphan, { subject: { ...subject, tags: { [key]: 'x' } } })).toBeNull();
  });
});
