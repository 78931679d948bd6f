import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ec2_spot;

describe('aws_ec2_spot', () => {
  it('saves 55 % of what runs on demand', () => {
    // 144 in 30 days are 146.10 a month; 55 % of it are 80.355.
    const usage = [...subject.usage, aUsage({ meter: 'BoxUsage:m6i.xlarge', kind: 'savings_plan', cost: '500' })];
    expect(find('aws_ec2_spot', { subject: { ...subject, usage } })).toMatchObject({
      saving: 80.355,
      confidence: 'low',
    });
  });

  it('leaves instances of no scaling group, spot itself, and what savings plans cover whole', () => {
    expect(find('aws_ec2_spot', { subject: { ...subject, tags: {} } })).toBeNull();
    expect(find('aws_ec2_spot', { subject: { ...subject, tags: {}, metadata: { scalingGroup: null } } })).toBeNull();
    const spot = [aUsage({ meter: 'SpotUsage:m6i.xlarge', kind: 'spot' })];
    expect(find('aws_ec2_spot', { subject: { ...subject, usage: spot } })).toBeNull();
    const covered = [aUsage({ meter: 'BoxUsage:m6i.xlarge', kind: 'savings_plan' })];
    expect(find('aws_ec2_spot', { subject: { ...subject, usage: covered } })).toBeNull();
  });

  it('has no command for the nodes of a cluster, whose group is not to be changed behind its back', () => {
    for (const key of ['eks:nodegroup-name', 'karpenter.sh/nodepool', 'kubernetes.io/cluster/main']) {
      const finding = find('aws_ec2_spot', { subject: { ...subject, tags: { ...subject.tags, [key]: 'x' } } });
      expect(finding?.scripts()).toEqual([]);
    }
  });

  it('writes a policy that is JSON', async () => {
    const { calls } = await runInShell(find('aws_ec2_spot', { subject })?.scripts()[0]?.script ?? '');
    const policy = calls[1]?.at(-1)?.replace('--mixed-instances-policy=', '') ?? '';
    expect(JSON.parse(policy)).toMatchObject({
      LaunchTemplate: { LaunchTemplateSpecification: { LaunchTemplateId: 'stub-output', Version: '$Latest' } },
      InstancesDistribution: { OnDemandBaseCapacity: 1, OnDemandPercentageAboveBaseCapacity: 0 },
    });
  });
});
