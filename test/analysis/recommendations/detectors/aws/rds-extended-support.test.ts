import { describe, expect, it } from 'vitest';
import { rdsExtendedSupport } from '../../../../../src/analysis/recommendations/detectors/aws/rds-extended-support.ts';
import { runInShell } from '../../shell.ts';
import { aUsage, find } from '../../subject.ts';
import { awsCases } from './cases.ts';

const { subject } = awsCases.aws_rds_extended_support;

describe('aws_rds_extended_support', () => {
  it('saves only the full surcharge', () => {
    // 60 in 30 days are 60.875 per month.
    const usage = [...subject.usage, aUsage({ meter: 'InstanceUsage:db.m4.large', cost: '300' })];
    expect(find(rdsExtendedSupport, { subject: { ...subject, usage } })).toMatchObject({
      saving: 60.875,
      confidence: 'high',
    });
  });

  it('skips databases in standard support, and engines of other services', () => {
    expect(
      find(rdsExtendedSupport, { subject: { ...subject, usage: [aUsage({ meter: 'InstanceUsage:db.m4.large' })] } }),
    ).toBeNull();
    const usage = [
      aUsage({ meter: 'ExtendedSupport:Yr1-Yr2:docdb', service: 'Amazon DocumentDB (with MongoDB compatibility)' }),
    ];
    expect(find(rdsExtendedSupport, { subject: { ...subject, usage } })).toBeNull();
  });

  it('upgrades a cluster with the cluster command', () => {
    const script = (nativeId: string) =>
      find(rdsExtendedSupport, { subject: { ...subject, nativeId } })?.scripts()[0]?.script;
    expect(script('arn:aws:rds:eu-west-1:1:cluster:orders')).toContain('aws rds modify-db-cluster');
    expect(script(subject.nativeId)).toContain('aws rds modify-db-instance');
  });

  it('upgrades the cluster of a billed Aurora instance', async () => {
    const usage = [{ ...aUsage({ cost: '60' }), meter: 'ExtendedSupport:Yr1-Yr2:AuroraMySQL2' }];
    const [script] = find(rdsExtendedSupport, { subject: { ...subject, usage } })?.scripts() ?? [];
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
    const [script] = find(rdsExtendedSupport, { subject })?.scripts() ?? [];
    expect(script?.reversible).toBe(false);
    const { calls } = await runInShell(script?.script ?? '');
    expect(calls.map((call) => call.slice(1, 4)).slice(-3)).toEqual([
      ['rds', 'create-db-snapshot', '--region=eu-west-1'],
      ['rds', 'wait', 'db-snapshot-available'],
      ['rds', 'modify-db-instance', '--region=eu-west-1'],
    ]);
  });
});
