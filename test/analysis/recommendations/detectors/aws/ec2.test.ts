import { describe, expect, it } from 'vitest';
import { aContext, aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';
import { runInShell } from '../../shell.ts';

describe('aws_ec2_previous_gen', () => {
  const { subject } = awsCases.aws_ec2_previous_gen;

  const billed = (usage: Parameters<typeof aUsage>[0]) =>
    find('aws_ec2_previous_gen', { subject: { ...subject, usage: [aUsage({ cost: '144', ...usage })] } });

  it('saves 5% when no price of the current generation is observed', () => {
    // 144 in 30 days are 146.10 per month; 5% of that is 7.305.
    expect(find('aws_ec2_previous_gen', { subject })).toMatchObject({
      saving: 7.305,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('uses the cheapest current-generation price that the account pays', () => {
    // 0.20 vs. 0.18 per hour: 720 * 0.02 = 14.40 in 30 days, 14.61 per month.
    const context = aContext({
      'BoxUsage:m6i.xlarge': '0.19',
      'BoxUsage:m5.xlarge': '0.18',
      'BoxUsage:m5.large': '0.01',
    });
    expect(find('aws_ec2_previous_gen', { subject, context })).toMatchObject({ saving: 14.61, method: 'observed' });
    expect(find('aws_ec2_previous_gen', { subject, context: aContext({ 'BoxUsage:m5.xlarge': '0.2' }) })).toBeNull();
  });

  it('does not use a Linux price for Windows, which has the same usage type', () => {
    const context = aContext({ 'BoxUsage:m5.xlarge': '0.01' });
    const usage = [
      aUsage({ meter: 'BoxUsage:m4.xlarge', description: '$0.4 per On Demand Windows m4.xlarge', cost: '144' }),
    ];
    expect(find('aws_ec2_previous_gen', { subject: { ...subject, usage }, context })?.saving).toBe(7.305);
  });

  it('skips the current generation, sizes without an equivalent, spot, and usage covered by a commitment', () => {
    expect(billed({ meter: 'BoxUsage:m5.xlarge' })).toBeNull();
    expect(billed({ meter: 'BoxUsage:m4.4xlarge' })).not.toBeNull();
    expect(billed({ meter: 'BoxUsage:m4.10xlarge' })).toBeNull();
    expect(billed({ meter: 'SpotUsage:m4.xlarge', kind: 'spot' })).toBeNull();
    expect(billed({ meter: 'BoxUsage:m4.xlarge', kind: 'savings_plan' })).toBeNull();
  });

  it('skips an instance that changed its type in the window, and resources other than instances', () => {
    const usage = [...subject.usage, aUsage({ meter: 'BoxUsage:m5.xlarge' })];
    expect(find('aws_ec2_previous_gen', { subject: { ...subject, usage } })).toBeNull();
    expect(
      find('aws_ec2_previous_gen', { subject: { ...subject, nativeId: 'arn:aws:elasticmapreduce:::cluster/j-1' } }),
    ).toBeNull();
  });
});

describe('aws_ec2_amd', () => {
  const { subject } = awsCases.aws_ec2_amd;

  const billed = (type: string, description = subject.usage[0]?.description ?? '') => ({
    ...subject,
    usage: [aUsage({ meter: `BoxUsage:${type}`, description, cost: '144' })],
  });

  it('saves 10%, or the difference to the price that the account pays', () => {
    // 144 in 30 days are 146.10 per month.
    expect(find('aws_ec2_amd', { subject })).toMatchObject({ saving: 14.61, confidence: 'medium', method: 'factor' });
    // 0.20 vs. 0.17 per hour: 720 * 0.03 = 21.60 in 30 days, 21.915 per month.
    const context = aContext({ 'BoxUsage:m6a.xlarge': '0.17' });
    expect(find('aws_ec2_amd', { subject, context })).toMatchObject({
      saving: 21.915,
      confidence: 'high',
      method: 'observed',
    });
  });

  it('skips licensed systems, AMD instances, and sizes without an AMD equivalent', () => {
    expect(find('aws_ec2_amd', { subject: billed('m6i.xlarge', '$0.4 per On Demand Windows m6i.xlarge') })).toBeNull();
    expect(find('aws_ec2_amd', { subject: billed('m6a.xlarge') })).toBeNull();
    expect(find('aws_ec2_amd', { subject: billed('m5.24xlarge') })).not.toBeNull();
    expect(find('aws_ec2_amd', { subject: billed('m5.metal') })).toBeNull();
  });

  it('has no script for an instance of an Auto Scaling group', () => {
    expect(find('aws_ec2_amd', { subject })?.scripts()).toHaveLength(1);
    expect(find('aws_ec2_amd', { subject: { ...subject, metadata: { scalingGroup: 'web' } } })?.scripts()).toEqual([]);
  });
});

describe('aws_ec2_graviton', () => {
  const { subject } = awsCases.aws_ec2_graviton;

  const billed = (type: string, description = subject.usage[0]?.description ?? '') => ({
    ...subject,
    usage: [aUsage({ meter: `BoxUsage:${type}`, description, cost: '144' })],
  });

  it('saves the list price difference to the recommended type', () => {
    // 144 in 30 days are 146.10 per month: m7g costs 15% less than m6i and 5% less than m6a, m6g 19% less than m5.
    expect(find('aws_ec2_graviton', { subject })).toMatchObject({
      saving: 21.915,
      confidence: 'low',
      method: 'factor',
    });
    expect(find('aws_ec2_graviton', { subject: billed('m6a.xlarge') })?.saving).toBe(7.305);
    expect(find('aws_ec2_graviton', { subject: billed('m5.xlarge') })?.saving).toBe(27.759);
  });

  it('recommends the type whose price it uses', () => {
    // 0.20 vs. 0.15 per hour: 36 in 30 days, 36.525 per month.
    const context = aContext({ 'BoxUsage:m7g.xlarge': '0.17', 'BoxUsage:m6g.xlarge': '0.15' });
    const finding = find('aws_ec2_graviton', { subject, context });
    expect(finding).toMatchObject({ saving: 36.525, evidence: { target_type: 'm6g.xlarge' } });
    expect(finding?.title).toContain('m6g.xlarge');
    expect(finding?.scripts()[0]?.script).toContain('instance_type = "m6g.xlarge"');
  });

  it('uses the price that the account pays', () => {
    // 0.20 vs. 0.17 per hour: 720 * 0.03 = 21.60 in 30 days, 21.915 per month.
    const context = aContext({ 'BoxUsage:m7g.xlarge': '0.17' });
    expect(find('aws_ec2_graviton', { subject, context })).toMatchObject({
      saving: 21.915,
      confidence: 'medium',
      method: 'observed',
    });
  });

  it('skips Windows, licensed Linux, and unknown operating systems', () => {
    expect(
      find('aws_ec2_graviton', { subject: billed('m6i.xlarge', '$0.4 per On Demand Windows m6i.xlarge') }),
    ).toBeNull();
    expect(
      find('aws_ec2_graviton', { subject: billed('m6i.xlarge', '$0.3 per On Demand RHEL Linux m6i.xlarge') }),
    ).toBeNull();
    expect(find('aws_ec2_graviton', { subject: billed('m6i.xlarge', '') })).toBeNull();
    expect(find('aws_ec2_graviton', { subject: { ...subject, metadata: { platform: 'windows' } } })).toBeNull();
  });

  it('skips arm64, old families, and sizes without a Graviton equivalent', () => {
    expect(find('aws_ec2_graviton', { subject: billed('m7g.xlarge') })).toBeNull();
    expect(find('aws_ec2_graviton', { subject: billed('m4.xlarge') })).toBeNull();
    expect(find('aws_ec2_graviton', { subject: billed('m6i.16xlarge') })).not.toBeNull();
    expect(find('aws_ec2_graviton', { subject: billed('m6i.24xlarge') })).toBeNull();
  });
});

describe('aws_ec2_spot', () => {
  const { subject } = awsCases.aws_ec2_spot;

  it('saves 55% of the on-demand cost', () => {
    // 144 in 30 days are 146.10 per month; 55% of that is 80.355.
    const usage = [...subject.usage, aUsage({ meter: 'BoxUsage:m6i.xlarge', kind: 'savings_plan', cost: '500' })];
    expect(find('aws_ec2_spot', { subject: { ...subject, usage } })).toMatchObject({
      saving: 80.355,
      confidence: 'low',
    });
  });

  it('skips instances outside Auto Scaling groups, spot, and instances fully covered by Savings Plans', () => {
    expect(find('aws_ec2_spot', { subject: { ...subject, tags: {} } })).toBeNull();
    expect(find('aws_ec2_spot', { subject: { ...subject, tags: {}, metadata: { scalingGroup: null } } })).toBeNull();
    const spot = [aUsage({ meter: 'SpotUsage:m6i.xlarge', kind: 'spot' })];
    expect(find('aws_ec2_spot', { subject: { ...subject, usage: spot } })).toBeNull();
    const covered = [aUsage({ meter: 'BoxUsage:m6i.xlarge', kind: 'savings_plan' })];
    expect(find('aws_ec2_spot', { subject: { ...subject, usage: covered } })).toBeNull();
  });

  it('has no command for cluster nodes, whose group is managed by the cluster', () => {
    for (const key of ['eks:nodegroup-name', 'karpenter.sh/nodepool', 'kubernetes.io/cluster/main']) {
      const finding = find('aws_ec2_spot', { subject: { ...subject, tags: { ...subject.tags, [key]: 'x' } } });
      expect(finding?.scripts()).toEqual([]);
    }
  });

  it('writes a policy as valid JSON', async () => {
    const { calls } = await runInShell(find('aws_ec2_spot', { subject })?.scripts()[0]?.script ?? '');
    const policy = calls[1]?.at(-1)?.replace('--mixed-instances-policy=', '') ?? '';
    expect(JSON.parse(policy)).toMatchObject({
      LaunchTemplate: { LaunchTemplateSpecification: { LaunchTemplateId: 'stub-output', Version: '$Latest' } },
      InstancesDistribution: { OnDemandBaseCapacity: 1, OnDemandPercentageAboveBaseCapacity: 0 },
    });
  });
});

describe('aws_ec2_unlimited_credits', () => {
  const { subject } = awsCases.aws_ec2_unlimited_credits;

  it('saves the cost of the credits, not of the instance', () => {
    // 6 in 30 days are 6.0875 per month.
    expect(find('aws_ec2_unlimited_credits', { subject })).toMatchObject({ saving: 6.0875, confidence: 'medium' });
  });

  it('skips bursts on fewer than 14 days, and instances without credits', () => {
    const usage = [aUsage({ meter: 'CPUCredits:t3', days: 13 })];
    expect(find('aws_ec2_unlimited_credits', { subject: { ...subject, usage } })).toBeNull();
    expect(find('aws_ec2_unlimited_credits', { subject: { ...subject, usage: subject.usage.slice(0, 1) } })).toBeNull();
  });
});

describe('aws_nonprod_schedule', () => {
  const { subject } = awsCases.aws_nonprod_schedule;

  const running = (quantity: string, weekendQuantity: string) =>
    find('aws_nonprod_schedule', {
      subject: { ...subject, usage: [aUsage({ meter: 'BoxUsage:m6i.large', quantity, weekendQuantity, cost: '72' })] },
    });

  it('saves 70% of the cost of the instance', () => {
    // 72 in 30 days are 73.05 per month; 70% of that is 51.135.
    expect(find('aws_nonprod_schedule', { subject })).toMatchObject({
      saving: 51.135,
      confidence: 'medium',
      method: 'factor',
    });
  });

  it('skips production, and instances without an environment tag', () => {
    expect(find('aws_nonprod_schedule', { subject: { ...subject, tags: { env: 'prod' } } })).toBeNull();
    expect(find('aws_nonprod_schedule', { subject: { ...subject, tags: {} } })).toBeNull();
  });

  it('skips instances that run less than 160 hours per week or less on weekends', () => {
    // 160 of 168 hours: 685.714 of 720, and 182.857 of the 192 on weekends.
    expect(running('685.715', '182.858')?.saving).toBe(51.135);
    expect(running('685.714', '192')).toBeNull();
    expect(running('720', '182.857')).toBeNull();
  });

  it('skips instances that an Auto Scaling group would restart', () => {
    const tags = { ...subject.tags, 'aws:autoscaling:groupName': 'web' };
    expect(find('aws_nonprod_schedule', { subject: { ...subject, tags } })).toBeNull();
    expect(find('aws_nonprod_schedule', { subject: { ...subject, metadata: { scalingGroup: 'web' } } })).toBeNull();
  });
});
