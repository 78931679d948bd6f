import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { find } from '../../subject.ts';
import { instanceArn } from './arn.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ec2_stopped_storage;

describe('aws_ec2_stopped_storage', () => {
  const listed = (metadata: object) => find('aws_ec2_stopped_storage', { subject: { ...subject, metadata } });

  it('saves at most what the volume costs', () => {
    expect(find('aws_ec2_stopped_storage', { subject })).toMatchObject({
      saving: 30.4375,
      confidence: 'medium',
      method: 'upper_bound',
    });
  });

  it('leaves volumes of running instances, and those nobody knows of', () => {
    expect(listed({ attachedToState: 'running', attachedToStateSince: '2026-01-01' })).toBeNull();
    expect(listed({ attachedToState: 'stopped' })).toBeNull();
    expect(listed({})).toBeNull();
  });

  it('waits until it has been stopped for 30 days', () => {
    const stopped = { attachedTo: instanceArn, attachedToState: 'stopped' };
    expect(listed({ ...stopped, attachedToStateSince: '2026-10-21' })).toBeNull();
    expect(listed({ ...stopped, attachedToStateSince: '2026-10-20T09:00:00Z' })).not.toBeNull();
  });

  it('has a snapshot before it deletes', async () => {
    const { calls } = await runInShell(find('aws_ec2_stopped_storage', { subject })?.scripts()[0]?.script ?? '');
    expect(calls.map((call) => call[2])).toEqual(['create-snapshot', 'wait', 'detach-volume', 'wait', 'delete-volume']);
  });
});
