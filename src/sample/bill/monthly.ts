import { z } from 'zod';
import { type Day, type Month, addDays, addMonths, daysBetween, firstDay, lastDay } from '../../kit/time/period.ts';
import { type Cost, price, thousandths } from './amount.ts';
import type { Cloud, MonthlyCharge } from './cloud.ts';
import { tagsFrom } from '../inventory/tags.ts';
import { type LineItem, lineItem, type Service, type SubAccount } from './line-item.ts';
import { entryOf, readTable } from './table.ts';

/** A row of `charges.tsv`. */
const row = z.object({
  on: z.union([z.literal('last'), z.coerce.number()]),
  every: z.coerce.number(),
  chargeCategory: z.enum(['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment']),
  /** Decimal text; `85‰`: of the sub-account's bill. */
  amount: z.string().transform((text) => (text.endsWith('‰') ? { ofBilled: Number.parseInt(text, 10) } : text)),
  subAccount: z.string(),
  service: z.string(),
  description: z.string(),
  corrects: z.enum(['', 'yes']),
  publisher: z.string(),
  /** `owner;env`, see `tagsFrom`. */
  tags: z.string(),
  resourceType: z.string(),
  resourceId: z.string(),
  resourceName: z.string(),
});

/** Reads a cloud's monthly charges.
 *  @throws {Error} if a cell is invalid, or names an unknown sub-account or service */
export function readCharges(
  table: URL,
  subAccounts: Readonly<Record<string, SubAccount>>,
  services: Readonly<Record<string, Service>>,
): MonthlyCharge[] {
  return readTable(table, row).map(
    ({ corrects, publisher, tags, resourceType, resourceId, resourceName, ...read }) => ({
      ...read,
      subAccount: entryOf(subAccounts, read.subAccount),
      service: entryOf(services, read.service),
      ...(corrects === 'yes' && { corrects: true }),
      ...(publisher !== '' && { publisher }),
      ...(tags !== '' && { tags: tagsFrom(tags) }),
      ...(resourceId !== '' && { resource: { id: resourceId, name: resourceName, type: resourceType } }),
    }),
  );
}

/** Support, marketplace, tax, credits and refunds of a month that are posted by today.
 *  @param items all other line items of the month: taxes are based on them */
export function monthlyCharges(cloud: Cloud, items: readonly LineItem[], month: Month, today: Day): LineItem[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return cloud.monthly
    .filter((charge) => (year * 12 + number) % charge.every === 0 && isPosted(charge, month, today))
    .map((charge) => item(charge, month, amountOf(charge, items)))
    .filter((posted) => posted.billed !== 0n);
}

function isPosted(charge: MonthlyCharge, month: Month, today: Day): boolean {
  // Posted when the last day of the month is complete, like its usage.
  if (charge.on === 'last') return daysBetween(lastDay(month), today) >= 2;
  return addDays(firstDay(month), charge.on - 1) <= today;
}

function amountOf(charge: MonthlyCharge, items: readonly LineItem[]): Cost {
  if (typeof charge.amount === 'string') {
    const negative = charge.amount.startsWith('-');
    const cost = price(charge.amount.replace('-', '')) * 10_000n;
    return negative ? -cost : cost;
  }
  const share = charge.amount.ofBilled;
  const billed = items
    .filter((line) => line.subAccount?.id === charge.subAccount?.id)
    .reduce((sum, line) => sum + line.billed, 0n);
  return thousandths(billed, share);
}

function item(charge: MonthlyCharge, month: Month, amount: Cost): LineItem {
  const posted = charge.on === 'last' ? lastDay(month) : addDays(firstDay(month), charge.on - 1);
  const isPurchase = charge.chargeCategory === 'Purchase';
  return lineItem(
    {
      day: charge.corrects ? addDays(firstDay(addMonths(month, -1)), 11) : posted,
      month,
      subAccount: charge.subAccount,
      service: charge.service,
      resource: charge.resource ?? null,
      tags: charge.tags ?? {},
      chargeCategory: charge.chargeCategory,
      correction: charge.corrects ?? false,
      chargeFrequency: isPurchase ? 'Recurring' : charge.chargeCategory === 'Usage' ? 'Usage-Based' : 'One-Time',
      pricingCategory: isPurchase || charge.chargeCategory === 'Usage' ? 'Standard' : '',
      publisher: charge.publisher ?? null,
      billed: amount,
      effective: amount,
      list: amount,
      contracted: amount,
    },
    charge.description,
  );
}
