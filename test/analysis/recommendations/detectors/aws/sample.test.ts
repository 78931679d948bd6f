import { describe, expect, it } from 'vitest';
import { detectors } from '../../../../../src/analysis/recommendations/detectors/all.ts';
import { recommend } from '../../../../../src/analysis/recommendations/evaluation/recommend.ts';
import { type SampleWaste, sampleWaste } from '../../../../sample/waste.ts';
import { sampleContext, sampleSubjects } from './sample.ts';

const found = new Map(
  sampleSubjects.map((subject) => [
    subject.nativeId,
    recommend(subject, detectors, sampleContext).drafts.map(({ type }) => type),
  ]),
);

const types: Readonly<Record<SampleWaste['kind'], readonly string[]>> = {
  unattached_disk: ['aws_ebs_unattached'],
  old_volume_type: ['aws_ebs_gp2_gp3'],
  old_snapshot: ['aws_ebs_snapshot_old', 'aws_ami_orphan'],
  idle_address: ['aws_eip_idle'],
  idle_nat_gateway: ['aws_nat_idle'],
  idle_load_balancer: ['aws_elb_idle'],
  previous_generation: ['aws_ec2_previous_gen', 'aws_rds_previous_gen'],
  nonproduction_always_on: ['aws_nonprod_schedule'],
  nonproduction_high_availability: ['aws_rds_multi_az_nonprod'],
  extended_support: ['aws_rds_extended_support', 'aws_eks_extended_support'],
  burst_credits: ['aws_ec2_unlimited_credits'],
  never_read_storage: ['aws_s3_cold_standard'],
  empty_plan: [],
};

describe('AWS detectors on the sample', () => {
  it.each(sampleWaste.filter(({ provider }) => provider === 'aws'))(
    'recommend something for $kind of $nativeId',
    (waste) => {
      expect(found.get(waste.nativeId)?.some((type) => types[waste.kind].includes(type))).toBe(true);
    },
  );

  it('skip resources in use', () => {
    const names = ['nat-prod', 'nat-data', 'shop-web', 'orders-api', 'web-eip', 'vpn-eip', 'nightly-orders', 'shop'];
    const used = sampleSubjects.filter(({ name }) => names.includes(name));
    expect(used.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(used.flatMap(({ nativeId }) => found.get(nativeId) ?? [])).toEqual([]);
  });
});
