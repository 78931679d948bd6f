import { describe, expect, it } from 'vitest';
import { runInShell } from '../../shell.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_rds_extended_support;

describe('aws_rds_extended_support', () => {
  it('saves the whole surcharge and nothing else', () => {
    // 60 in 30 days are 60.875 a month.
    const usage = [...subject.usage, aUsage({ meter: 'InstanceUsage:db.m4.large', cost: '300' })];
    expect(find('aws_rds_extended_support', { subject: { ...subject, usage } })).toMatchObject({
      saving: 60.875,
      confidence: 'high',
    });
  });

  it('leaves databases in standard support, and engines of other services', () => {
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

  it('upgrades a cluster as a cluster', () => {
    const script = (nativeId: string) =>
      find('aws_rds_extended_support', { subject: { ...subject, nativeId } })?.scripts()[0]?.script;
    expect(script('arn:aws:rds:eu-west-1:1:cluster:orders')).toContain('aws rds modify-db-cluster');
    expect(script(subject.nativeId)).toContain('aws rds modify-db-instance');
  });

  it('upgrades the cluster of an Aurora instance, which is what is billed', async () => {
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

  it('waits for the snapshot before it upgrades, and does not say that a major version can be left again', async () => {
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
