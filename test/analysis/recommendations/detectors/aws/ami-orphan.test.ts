import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ami_orphan;

describe('aws_ami_orphan', () => {
  const listed = (metadata: object) => find('aws_ami_orphan', { subject: { ...subject, metadata } });

  it('saves at most what the snapshot costs', () => {
    expect(find('aws_ami_orphan', { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'low',
      method: 'upper_bound',
    });
  });

  it('leaves snapshots without images, with images in use, and those nobody knows of', () => {
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

  it('leaves what AWS Backup or a lifecycle policy keeps', () => {
    for (const key of ['aws:backup:source-resource', 'aws:dlm:lifecycle-policy-id'])
      expect(find('aws_ami_orphan', { subject: { ...subject, tags: { [key]: 'x' } } })).toBeNull();
  });
});
