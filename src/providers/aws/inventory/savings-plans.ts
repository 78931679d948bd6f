import { DescribeSavingsPlansCommand, type SavingsPlan, SavingsplansClient } from '@aws-sdk/client-savingsplans';
import type { InventoryItem } from '../../contract.ts';
import { listOf } from './asking.ts';
import { instant, itemOf } from './item.ts';

/** FOCUS ServiceName and CommitmentDiscountType by Savings Plan type. */
const kinds: Readonly<Record<string, { service: string; type: string; name: string }>> = {
  Compute: kind('Savings Plans for AWS Compute usage', 'Compute'),
  EC2Instance: kind('Savings Plans for AWS Compute usage', 'EC2 Instance'),
  SageMaker: kind('Savings Plans for AWS Machine Learning', 'SageMaker'),
  Database: kind('Savings Plans for AWS Database usage', 'Database'),
};

/** The account's Savings Plans of all regions, from the partition's main region. */
export const planList = {
  ...listOf(
    { label: 'Savings Plans', isRegional: true },
    SavingsplansClient,
    (nextToken, maxResults = 100) => new DescribeSavingsPlansCommand({ maxResults, nextToken }),
    (page) => page.savingsPlans,
  ),
  list: 'savings-plans',
};

/** Returns the inventory item of a Savings Plan; null if it ended long ago, or was never paid. `hourlyCommitment` is a decimal
 *  string in the plan's currency, as AWS writes it. */
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

/** Common data of a commitment, independent of the service. */
interface Bought {
  readonly state: string | undefined;
  readonly start: Date | undefined;
  /** Absent: derived from start and duration. */
  readonly end?: Date | undefined;
  readonly durationSeconds: number | undefined;
  /** `All Upfront`, `No Upfront`, `PARTIAL_UPFRONT`. */
  readonly payment: string | undefined;
  readonly currency?: string | undefined;
}

/** States of a commitment that is over, or never began. */
const over = /^(retired|returned|payment-failed|queued-deleted)$/;
/** Days of bills that are analyzed; a commitment that ended within them still matters. */
const rememberedDays = 62;

/** Returns the metadata of a commitment, with the same fields for all: `endsAt`, `state`, `termMonths`, `payment` and more. */
export function termOf(bought: Bought): Record<string, unknown> {
  const { state, start, durationSeconds, currency } = bought;
  return {
    state: state?.toLowerCase(),
    startsAt: instant(start),
    endsAt: instant(endOf(bought)),
    termMonths: durationSeconds && Math.round(durationSeconds / (30.4375 * 86_400)),
    payment: paymentOf(bought.payment),
    currency,
  };
}

/** Returns whether a commitment still matters: it is active, will start, or ended within the analyzed days. */
export function isRemembered(bought: Bought, now: Date): boolean {
  if (!over.test(bought.state?.toLowerCase() ?? '')) return true;
  const end = endOf(bought);
  if (bought.state?.toLowerCase() !== 'retired' && bought.state?.toLowerCase() !== 'returned') return false;
  return end !== undefined && now.getTime() - end.getTime() < rememberedDays * 86_400_000;
}

/** Returns the recurring hourly price per unit. */
export function hourlyRate(
  charges: readonly { amount: number | undefined; frequency: string | undefined }[],
): number | undefined {
  const hourly = charges.filter(
    ({ frequency, amount }) => /^hourly$/i.test(frequency ?? '') && Number.isFinite(amount),
  );
  return hourly.length === 0 ? undefined : hourly.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
}

function endOf({ start, end, durationSeconds }: Bought): Date | undefined {
  if (end !== undefined) return end;
  return start && durationSeconds ? new Date(start.getTime() + durationSeconds * 1000) : undefined;
}

/** `all_upfront`, as in the commitment planner. */
function paymentOf(payment: string | undefined): string | undefined {
  return payment
    ?.trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}
