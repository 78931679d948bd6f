import { describe, expect, it } from 'vitest';
import { ec2Spot } from '../../../../../src/analysis/recommendations/detectors/aws/ec2-spot.ts';
import { runInShell } from '../../shell.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_ec2_spot;

describe('aws_ec2_spot', () => {
  it('saves 55 % of the on-demand cost', () => {
    // 144 in 30 days are 146.10 per month; 55 % of that is 80.355.
    const usage = [...subject.usage, aUsage({ meter: 'BoxUsage:m6i.xlarge', kind: 'savings_plan', cost: '500' })];
    expect(find(ec2Spot, { subject: { ...subject, usage } })).toMatchObject({ saving: 80.355, confidence: 'low' });
  });

  it('skips instances outside Auto Scaling groups, spot, and instances fully covered by Savings Plans', () => {
    expect(find(ec2Spot, { subject: { ...subject, tags: {} } })).toBeNull();
    expect(find(ec2Spot, { subject: { ...subject, tags: {}, metadata: { scalingGroup: null } } })).toBeNull();
    const spot = [aUsage({ meter: 'SpotUsage:m6i.xlarge', kind: 'spot' })];
    expect(find(ec2Spot, { subject: { ...subject, usage: spot } })).toBeNull();
    const covered = [aUsage({ meter: 'BoxUsage:m6i.xlarge', kind: 'savings_plan' })];
    expect(find(ec2Spot, { subject: { ...subject, usage: covered } })).toBeNull();
  });

  it('has no command for cluster nodes, whose group is managed by the cluster', () => {
    for (const key of ['eks:nodegroup-name', 'karpenter.sh/nodepool', 'kubernetes.io/cluster/main']) {
      const finding = find(ec2Spot, { subject: { ...subject, tags: { ...subject.tags, [key]: 'x' } } });
      expect(finding?.scripts()).toEqual([]);
    }
  });

  it('writes a policy as valid JSON', async () => {
    const { calls } = await runInShell(find(ec2Spot, { subject })?.scripts()[0]?.script ?? '');
    const policy = calls[1]?.at(-1)?.replace('--mixed-instances-policy=', '') ?? '';
    expect(JSON.parse(policy)).toMatchObject({
      LaunchTemplate: { LaunchTemplateSpecification: { LaunchTemplateId: 'stub-output', Version: '$Latest' } },
      InstancesDistribution: { OnDemandBaseCapacity: 1, OnDemandPercentageAboveBaseCapacity: 0 },
    });
  });
});
