import { DescribeSavingsPlansCommand, type SavingsPlan, SavingsplansClient } from '@aws-sdk/client-savingsplans';
import type { InventoryItem } from '../../contract.ts';
import type { AwsSession } from '../session.ts';
import { isRemembered, termOf } from './commitment.ts';
import { itemOf } from './item.ts';
import { allPages } from './pages.ts';

/** FOCUS ServiceName and CommitmentDiscountType by the type of a savings plan. */
const kinds: Readonly<Record<string, { service: string; type: string; name: string }>> = {
  Compute: kind('Savings Plans for AWS Compute usage', 'Compute'),
  EC2Instance: kind('Savings Plans for AWS Compute usage', 'EC2 Instance'),
  SageMaker: kind('Savings Plans for AWS Machine Learning', 'SageMaker'),
  Database: kind('Savings Plans for AWS Database usage', 'Database'),
};

/** Savings plans of the account, in whatever region they count. They are asked for in the partition's main region. */
export async function readSavingsPlans(session: AwsSession, signal: AbortSignal): Promise<SavingsPlan[]> {
  const client = session.client(SavingsplansClient);
  return allPages(
    'Savings Plans DescribeSavingsPlans',
    (nextToken) =>
      client.send(new DescribeSavingsPlansCommand({ maxResults: 100, nextToken }), { abortSignal: signal }),
    (page) => ({ items: page.savingsPlans, next: page.nextToken }),
  );
}

/** A savings plan as the inventory has it; null of one that ended long ago, or was never paid.
 *  `hourlyCommitment` is decimal text in the plan's currency, as AWS writes it. */
export function savingsPlanItem(plan: SavingsPlan, now: Date): InventoryItem | null {
  const bought = {
    state: plan.state,
    start: dateOf(plan.start),
    end: dateOf(plan.end),
    durationSeconds: plan.termDurationInSeconds,
    payment: plan.paymentOption,
    currency: plan.currency,
  };
  if (!plan.savingsPlanArn || !isRemembered(bought, now)) return null;
  const { service, type, name } = kinds[plan.savingsPlanType ?? ''] ?? kind('Savings Plans', '');
  const where = [plan.ec2InstanceFamily, plan.region].filter(Boolean).join(' in ');
  return itemOf(plan.savingsPlanArn, {
    name: plan.tags?.['Name'] || (where ? `${name} ${where}` : name),
    tags: plan.tags ?? {},
    region: plan.region,
    service,
    resourceType: type,
    aliases: [plan.savingsPlanId],
    metadata: {
      ...termOf(bought),
      hourlyCommitment: plan.commitment,
      upfrontPayment: plan.upfrontPaymentAmount,
      instanceFamily: plan.ec2InstanceFamily,
      offering: plan.description,
    },
  });
}

function kind(service: string, type: string) {
  return { service, type: `${type} Savings Plans`.trim(), name: `${type} Savings Plan`.trim() };
}

function dateOf(text: string | undefined): Date | undefined {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}
