import { parseAmount } from '../../../../../src/kit/money.ts';
import { aContext, aSubject, type Case } from '../../subject.ts';
import { arn, instanceArn } from './arn.ts';

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
  aws_ebs_io1_gp3: {
    subject: aSubject({
      usage: [
        { meter: 'EBS:VolumeUsage.piops', unit: 'GB-Mo', quantity: '300', cost: '37.5' },
        { meter: 'EBS:VolumeP-IOPS.piops', unit: 'IOPS-Mo', quantity: '6000', cost: '390' },
      ],
    }),
  },
  aws_ebs_magnetic: {
    subject: aSubject({
      usage: [
        { meter: 'EBS:VolumeUsage', unit: 'GB-Mo', quantity: '300', cost: '15' },
        { meter: 'EBS:VolumeIOUsage', unit: 'IOs', quantity: '400000000', cost: '20' },
      ],
    }),
  },
  aws_ebs_snapshot_archive: {
    subject: aSubject({
      nativeId: snapshot,
      metadata: { createdAt: '2026-08-21', sourceExists: false, imageIds: [] },
      usage: [{ meter: 'EBS:SnapshotUsage', cost: '30' }],
    }),
  },
  aws_ami_orphan: {
    subject: aSubject({
      nativeId: snapshot,
      metadata: { createdAt: '2026-08-21', imageIds: ['ami-1', 'ami-2'], usedByCount: 0 },
      usage: [{ meter: 'EBS:SnapshotUsage', cost: '30' }],
    }),
  },
  aws_ec2_stopped_storage: {
    subject: aSubject({
      metadata: { attachedTo: instanceArn, attachedToState: 'stopped', attachedToStateSince: '2026-10-20' },
      usage: [{ meter: 'EBS:VolumeUsage.gp3', cost: '30' }],
    }),
  },
  aws_s3_intelligent_tiering: {
    subject: aSubject({
      nativeId: 'arn:aws:s3:::images',
      service: 'Amazon Simple Storage Service',
      usage: [
        { meter: 'TimedStorage-ByteHrs', quantity: '3000', cost: '60' },
        { meter: 'Requests-Tier2', quantity: '3000', cost: '0.01' },
      ],
    }),
    // Fixed prices, because hostile region names have none.
    context: { ...aContext(), prices: { priceOf: () => parseAmount('0.015'), spendOn: () => parseAmount('15') } },
  },
  aws_s3_early_delete: {
    subject: aSubject({ nativeId: 'arn:aws:s3:::images', usage: [{ meter: 'EarlyDelete-ByteHrs', cost: '9' }] }),
  },
  aws_efs_lifecycle: {
    subject: aSubject({
      nativeId: arn('elasticfilesystem', 'file-system/fs-1'),
      usage: [{ meter: 'TimedStorage-ByteHrs', service: 'Amazon Elastic File System', cost: '30' }],
    }),
  },
  aws_ecr_no_lifecycle: {
    subject: aSubject({
      nativeId: arn('ecr', 'repository/team/app'),
      metadata: { hasLifecyclePolicy: false },
      usage: [{ meter: 'TimedStorage-ByteHrs', service: 'Amazon EC2 Container Registry (ECR)', cost: '30' }],
    }),
  },
} satisfies Record<string, Case>;
