import { addDays, daysIn, monthOf, type Day, type DayRange } from '../../../src/kit/time/period.ts';
import type { CubeAccount, CubeWorld, LineItem } from '../../support/cube.ts';
import { aWorld } from '../costs/world.ts';

export const organizationId = '01890000-0000-7000-8000-000000000001';
export const accountId = '01890000-0000-7000-8000-00000000000a';

const ec2 = 'Amazon Elastic Compute Cloud';
const kinds = [1, 1, 2, 3, 4, 5, 6, 7];
const meters = ['EU-BoxUsage:m5.large', 'EU-DataTransfer-Out-Bytes', 'EU-EBS:VolumeUsage.gp3'];

/** The world of the cost tests, with charges on demand, covered, spot and so on. */
export function aMixedWorld(): CubeWorld {
  const world = aWorld(organizationId);
  return { ...world, lines: world.lines.map(mixed) };
}

function mixed(line: LineItem, index: number): LineItem {
  const service = line.service === 'Compute' ? ec2 : line.service;
  if (line.category !== 'usage') return { ...line, service, pricingKind: 5 };
  const pricingKind = kinds[index % kinds.length] ?? 1;
  return {
    ...line,
    service,
    pricingKind,
    meter: meters[index % meters.length] ?? '',
    ...(index % 2 === 0 && { hours: (index % 4) * 12 }),
    ...(pricingKind > 2 && pricingKind !== 5 && { commitment: `commitment-${index % 3}` }),
    ...(index % 5 === 0 && { contracted: 0n }),
    ...(index % 25 === 0 && { list: 0n }),
  };
}

const micro = 10n ** 6n;

/** A charge of the given dollars, by default on-demand EC2 in Ireland running all day. */
export function aCharge(date: Day, dollars: number, more: Partial<LineItem> = {}): LineItem {
  const cost = BigInt(Math.round(dollars * 1e6)) * micro;
  return {
    account: accountId,
    billingPeriod: monthOf(date),
    date,
    provider: 'aws',
    currency: 'USD',
    category: 'usage',
    service: ec2,
    serviceCategory: 'Compute',
    region: 'eu-west-1',
    subAccount: '111',
    tags: {},
    billed: cost,
    effective: cost,
    list: cost,
    contracted: cost,
    pricingKind: 1,
    meter: 'EU-BoxUsage:m5.large',
    hours: 24,
    ...more,
  };
}

/** The cost of covered usage, and its on-demand cost. */
export function covered(paid: number, onDemand: number, pricingKind: 3 | 4, commitment: string): Partial<LineItem> {
  const amount = (dollars: number) => BigInt(Math.round(dollars * 1e6)) * micro;
  return { effective: amount(paid), list: amount(onDemand), contracted: amount(onDemand), pricingKind, commitment };
}

/** The same charges on each day. */
export function daily(range: DayRange, charges: (day: Day) => readonly LineItem[]): LineItem[] {
  return daysIn(range).flatMap(charges);
}

/** One account with complete bills through the end of the range. */
export function aWorldOf(lines: readonly LineItem[], range: DayRange, more: Partial<CubeAccount> = {}): CubeWorld {
  const account = { id: accountId, name: 'One', completeThrough: addDays(range.end, -1), ...more };
  return { organizationId, currency: 'USD', accounts: [account], lines, rates: [], identifiers: [] };
}
