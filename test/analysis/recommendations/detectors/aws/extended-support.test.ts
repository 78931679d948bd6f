import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { aUsage, find, aContext } from '../../subject.ts';
import { awsCases } from './cases.ts';

describe('aws_rds_extended_support', () => {
  const { subject } = awsCases.aws_rds_extended_support;

  it('saves only the full surcharge', () => {
    // 60 in 30 days are 60.875 per month.
    const usage = [...subject.usage, aUsage({ meter: 'InstanceUsage:db.m4.large', cost: '300' })];
    expect(find('aws_rds_extended_support', { subject: { ...subject, usage } })).toMatchObject({
      saving: 60.875,
      confidence: 'high',
    });
  });

  it('skips databases in standard support, and engines of other services', () => {
    expect(
      find('aws_rds_extended_support', {
        subject: { ...subject, usage: [aUsage({ meter: 'InstanceUsage:db.m4.large' })] },
      }),
    ).toBeNull();
    const usage = [
      aUsage({ meter: 'ExtendedSupport:Yr1-Yr2:docdb', service: 'Amazon DocumentDB (with MongoDB compatibility)' }),
    ];
    expect(find('aws_rds_extended_support', { subject: { ...subject, usage } })).toBeNull();
  });

  it('upgrades a cluster with the cluster command', () => {
    const script = (nativeId: string) =>
      find('aws_rds_extended_support', { subject: { ...subject, nativeId } })?.scripts()[0]?.script;
    expect(script('arn:aws:rds:eu-west-1:1:cluster:orders')).toContain('aws rds modify-db-cluster');
    expect(script(subject.nativeId)).toContain('aws rds modify-db-instance');
  });

  it('upgrades the cluster of a billed Aurora instance', async () => {
    const usage = [{ ...aUsage({ cost: '60' }), meter: 'ExtendedSupport:Yr1-Yr2:AuroraMySQL2' }];
    const [script] = find('aws_rds_extended_support', { subject: { ...subject, usage } })?.scripts() ?? [];
    const { calls } = await runInShell(script?.script ?? '');
    expect(calls[0]).toContain('--db-instance-identifier=orders');
    expect(calls.at(-1)?.slice(0, 5)).toEqual([
      'aws',
      'rds',
      'modify-db-cluster',
      '--region=eu-west-1',
      '--db-cluster-identifier=stub-output',
    ]);
  });

  it('waits for the snapshot before the upgrade, and marks the major upgrade as irreversible', async () => {
    const [script] = find('aws_rds_extended_support', { subject })?.scripts() ?? [];
    expect(script?.reversible).toBe(false);
    const { calls } = await runInShell(script?.script ?? '');
    expect(calls.map((call) => call.slice(1, 4)).slice(-3)).toEqual([
      ['rds', 'create-db-snapshot', '--region=eu-west-1'],
      ['rds', 'wait', 'db-snapshot-available'],
      ['rds', 'modify-db-instance', '--region=eu-west-1'],
    ]);
  });
});

describe('aws_engine_extended_support', () => {
  const { subject } = awsCases.aws_engine_extended_support;

  it('saves the full surcharge', () => {
    // 15 in 30 days are 15.21875 per month.
    expect(find('aws_engine_extended_support', { subject })).toMatchObject({ saving: 15.21875, confidence: 'high' });
  });

  it('skips domains in standard support, and the surcharge of RDS', () => {
    const of = (meter: string, service: string) =>
      find('aws_engine_extended_support', { subject: { ...subject, usage: [aUsage({ meter, service })] } });
    expect(of('ESInstance:m5.large', 'Amazon OpenSearch Service')).toBeNull();
    expect(of('ExtendedSupport:Yr1-Yr2:MySQL5.7', 'Amazon Relational Database Service')).toBeNull();
    expect(of('ExtendedSupport:Yr3:cache.m5.large', 'Amazon ElastiCache')).not.toBeNull();
  });
});

describe('aws_eks_extended_support', () => {
  const { subject } = awsCases.aws_eks_extended_support;

  it('saves five sixths of the cost of the hours', () => {
    // 432 in 30 days are 438.30 per month; 83.3333% of that is 365.249854.
    expect(find('aws_eks_extended_support', { subject })).toMatchObject({
      saving: 365.249854,
      confidence: 'high',
      method: 'factor',
    });
  });

  it('uses the price that the account pays for a supported cluster', () => {
    // 0.60 vs. 0.09 per hour: 720 * 0.51 = 367.20 in 30 days, 372.555 per month.
    const context = aContext({ 'AmazonEKS-Hours:perCluster': '0.09' });
    expect(find('aws_eks_extended_support', { subject, context })).toMatchObject({
      saving: 372.555,
      method: 'observed',
    });
  });

  it('saves the full surcharge where the bill lists it separately from the cluster hours', () => {
    // 0.50 on top of 0.10 per hour: 360 in 30 days, 365.25 per month.
    const usage = [
      aUsage({ meter: 'AmazonEKS-Hours:extendedSupport', quantity: '720', cost: '360' }),
      aUsage({ meter: 'AmazonEKS-Hours:perCluster', quantity: '720', cost: '72' }),
    ];
    expect(find('aws_eks_extended_support', { subject: { ...subject, usage } })?.saving).toBe(365.25);
    const [extended, other] = usage;
    const upgraded = extended && other ? [extended, { ...other, quantity: other.quantity / 2n }] : [];
    // 5/6 of 365.25.
    expect(find('aws_eks_extended_support', { subject: { ...subject, usage: upgraded } })?.saving).toBe(304.374878);
  });

  it('skips a cluster in standard support', () => {
    const usage = [aUsage({ meter: 'AmazonEKS-Hours:perCluster' })];
    expect(find('aws_eks_extended_support', { subject: { ...subject, usage } })).toBeNull();
  });
});
