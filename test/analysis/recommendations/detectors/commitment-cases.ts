import { aSubject, type Case } from '../subject.ts';

/** A subject with a finding for each detector that applies to all providers. */
export const anyCases = {
  reservation_unused: {
    subject: aSubject({
      about: 'commitment',
      nativeId: 'arn:aws:ec2:eu-west-1:111111111111:reserved-instances/0a1b',
      commitmentType: 'Reserved Instance',
      metadata: { endsAt: '2027-03-01' },
      usage: [{ meter: 'HeavyUsage:m5.large', kind: 'unused_reservation', cost: '15', days: 20 }],
    }),
  },
  savings_plan_unused: {
    subject: aSubject({
      about: 'commitment',
      nativeId: 'arn:aws:savingsplans::111111111111:savingsplan/0c2d',
      commitmentType: 'Compute Savings Plan',
      usage: [{ meter: 'ComputeSP:1yrNoUpfront', kind: 'unused_savings_plan', cost: '60' }],
    }),
  },
} satisfies Record<string, Case>;
