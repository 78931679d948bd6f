import { type Day, addDays, addMonths, daysBetween, firstDay, monthOf, parseDay } from '../../kit/time/period.ts';
import type { Cost } from './amount.ts';
import { type BillDay, committedOn } from './usage.ts';
import type { Cloud } from './cloud.ts';
import { type Commitment, useOf } from './commitment.ts';
import { type LineItem, lineItem } from './line-item.ts';

/** Commitment payments on a day. Their effective cost is 0: the covered usage carries it, day by day. */
export function purchasesOf(cloud: Cloud, on: BillDay): LineItem[] {
  return cloud.commitments.flatMap((commitment) => {
    const paid = paidOn(commitment, on);
    return paid === 0n ? [] : [purchase(cloud, on, commitment, paid)];
  });
}

function paidOn(commitment: Commitment, { day, reported }: BillDay): Cost {
  switch (commitment.payment) {
    case 'daily':
      return committedOn(commitment, reported);
    case 'monthly':
      return day.endsWith('-01') ? committedOn(commitment, 1000) * BigInt(daysOfMonth(day)) : 0n;
    case 'upfront':
      return day.endsWith(`-${commitment.paidOn}`) ? committedOn(commitment, 1000) * BigInt(daysOfYear(day)) : 0n;
  }
}

function daysOfMonth(day: Day): number {
  return daysBetween(firstDay(monthOf(day)), firstDay(addMonths(monthOf(day), 1)));
}

/** Days until the same day of the next year. */
function daysOfYear(day: Day): number {
  const next = parseDay(`${Number(day.slice(0, 4)) + 1}${day.slice(4)}`) ?? addDays(day, 365);
  return daysBetween(day, next);
}

function purchase(cloud: Cloud, on: BillDay, commitment: Commitment, paid: Cost): LineItem {
  const oneTime = commitment.payment === 'upfront';
  return lineItem(
    {
      day: on.day,
      month: on.month,
      subAccount: cloud.payer,
      region: commitment.region,
      service: commitment.service,
      resource: commitment.named,
      chargeCategory: 'Purchase',
      chargeFrequency: oneTime ? 'One-Time' : 'Recurring',
      pricingCategory: 'Committed',
      commitment: useOf(commitment, paid, ''),
      billed: paid,
      list: paid,
      contracted: paid,
    },
    commitment.description,
  );
}
