import { aSubject, type Case } from '../../subject.ts';

/** For each detector of AWS a subject that it finds something on. */
export const awsCases = {
  aws_ebs_unattached: {
    subject: aSubject({
      metadata: { state: 'available', stateSince: '2026-09-01' },
      usage: [{ meter: 'EBS:VolumeUsage.gp3', cost: '30' }],
    }),
  },
} satisfies Record<string, Case>;
