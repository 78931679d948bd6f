import { aSubject, type Case } from '../../subject.ts';
import { arn } from './arn.ts';

const snapshot = arn('ec2', 'snapshot/snap-1');

export const storageCases = {
  aws_ebs_unattached: {
    subject: aSubject({
      metadata: { state: 'available', stateSince: '2026-09-01' },
      usage: [{ meter: 'EBS:VolumeUsage.gp3', cost: '30' }],
    }),
  },
  aws_ebs_gp2_gp3: {
    subject: aSubject({ usage: [{ meter: 'EBS:VolumeUsage.gp2', unit: 'GB-Mo', quantity: '600', cost: '60' }] }),
  },
  aws_ebs_snapshot_old: {
    subject: aSubject({
      nativeId: snapshot,
      metadata: { createdAt: '2025-11-19', sourceExists: false, imageIds: [] },
      usage: [{ meter: 'EBS:SnapshotUsage', cost: '30' }],
    }),
  },
  aws_s3_cold_standard: {
    subject: aSubject({
      nativeId: 'arn:aws:s3:::archive',
      service: 'Amazon Simple Storage Service',
      usage: [{ meter: 'TimedStorage-ByteHrs', quantity: '3000', cost: '60' }],
    }),
  },
} satisfies Record<string, Case>;
