import { describe, expect, it } from 'vitest';
import { ec2StoppedStorage } from '../../../../../src/analysis/recommendations/detectors/aws/ec2-stopped-storage.ts';
import { runInShell } from '../../shell.ts';
import { find } from '../../subject.ts';
import { instanceArn } from './arn.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ec2_stopped_storage;

describe('aws_ec2_stopped_storage', () => {
  const listed = (metadata: object) => find(ec2StoppedStorage, { subject: { ...subject, metadata } });

  it('estimates at most the cost of the volume', () => {
    expect(find(ec2StoppedStorage, { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'medium',
      method: 'upper_bound',
    });
  });

  it('skips volumes of running instances, and of instances with unknown state', () => {
    expect(listed({ attachedToState: 'running', attachedToStateSince: '2026-01-01' })).toBeNull();
    expect(listed({ attachedToState: 'stopped' })).toBeNull();
    expect(listed({})).toBeNull();
  });

  it('waits until the instance has been stopped for 30 days', () => {
    const stopped = { attachedTo: instanceArn, attachedToState: 'stopped' };
    expect(listed({ ...stopped, attachedToStateSince: '2026-10-21' })).toBeNull();
    expect(listed({ ...stopped, attachedToStateSince: '2026-10-20T09:00:00Z' })).not.toBeNull();
  });

  it('takes a snapshot before it deletes', async () => {
    const { calls } = await runInShell(find(ec2StoppedStorage, { subject })?.scripts()[0]?.script ?? '');
    expect(calls.map((call) => call[2])).toEqual(['create-snapshot', 'wait', 'detach-volume', 'wait', 'delete-volume']);
  });
});
