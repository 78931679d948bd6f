import { aSubject, type Case } from '../../subject.ts';
import { arn, instanceArn, linux } from './arn.ts';

const machine = { nativeId: instanceArn, name: 'app-1', type: 'Instance' };

export const computeCases = {
  aws_ec2_previous_gen: {
    subject: aSubject({ ...machine, usage: [{ meter: 'BoxUsage:m4.xlarge', description: linux, cost: '144' }] }),
  },
  aws_ec2_unlimited_credits: {
    subject: aSubject({
      ...machine,
      usage: [{ meter: 'BoxUsage:t3.large' }, { meter: 'CPUCredits:t3', cost: '6', days: 14 }],
    }),
  },
  aws_nonprod_schedule: {
    subject: aSubject({
      ...machine,
      tags: { env: 'staging' },
      // 2026-10-20 to 2026-11-18 include 4 Saturdays and 4 Sundays: 192 hours.
      usage: [{ meter: 'BoxUsage:m6i.large', description: linux, quantity: '720', weekendQuantity: '192', cost: '72' }],
    }),
  },
  aws_eks_extended_support: {
    subject: aSubject({
      nativeId: arn('eks', 'cluster/jobs'),
      usage: [{ meter: 'AmazonEKS-Hours:extendedSupport', unit: 'Hours', quantity: '720', cost: '432' }],
    }),
  },
  aws_ec2_graviton: {
    subject: aSubject({ ...machine, usage: [{ meter: 'BoxUsage:m6i.xlarge', description: linux, cost: '144' }] }),
  },
  aws_ec2_amd: {
    subject: aSubject({ ...machine, usage: [{ meter: 'BoxUsage:m6i.xlarge', description: linux, cost: '144' }] }),
  },
  aws_ec2_spot: {
    subject: aSubject({
      ...machine,
      tags: { 'aws:autoscaling:groupName': 'web' },
      usage: [{ meter: 'BoxUsage:m6i.xlarge', description: linux, cost: '144' }],
    }),
  },
} satisfies Record<string, Case>;
