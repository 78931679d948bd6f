import { amountToNumber, microsToNumber, parseAmount } from '../../../kit/money.ts';
import { isChangeBase } from '../../../kit/time/compared-days.ts';
import type { Day } from '../../../kit/time/period.ts';
import type { DriverDimension, DriverReading, DriverSums } from '../evaluation/driver-store.ts';
import type { AnomalyKind } from '../detection/episodes.ts';
import type { Finding } from '../evaluation/finding.ts';

/** A driver of the difference. */
export interface Driver {
  readonly dimension: DriverDimension;
  /** Key of the virtual tag; absent for other dimensions. */
  readonly key?: string | null;
  readonly value: string;
  /** Display name if different; otherwise empty. */
  readonly name: string;
  /** Excess over its expectation; negative if it cost less. */
  readonly change: number;
  /** Share of the whole difference, in percent with 2 decimals. */
  readonly share: number;
}

/** Usage and price of the usage type that grew most. */
export interface UsageChange {
  readonly usageType: string;
  readonly unit: string;
  /** Per day. */
  readonly quantity: number;
  readonly usualQuantity: number;
  /** Ratio to the usual quantity; null: usually none. */
  readonly quantityRatio: number | null;
  /** Ratio to the usual unit price; null: unknown. */
  readonly priceRatio: number | null;
}

/** All known facts of an anomaly, and the only input of prose. Money in `currency`, rounded to 6 decimals. */
export interface AnomalyFacts {
  readonly kind: AnomalyKind;
  readonly provider: string;
  readonly service: string;
  readonly currency: string;
  readonly startDate: Day;
  readonly endDate: Day;
  /** Number of days that were too high. */
  readonly dayCount: number;
  readonly actual: number;
  readonly expected: number;
  readonly impact: number;
  /** Percentage of the expectation; null: nothing was expected. */
  readonly impactPercent: number | null;
  readonly peak: { readonly date: Day; readonly cost: number; readonly expected: number };
  /** By dimension, largest explained part first. */
  readonly drivers: readonly Driver[];
  /** Dimensions in which the service has a single value, which trivially explains everything. */
  readonly undivided: readonly DriverDimension[];
  /** Resources without cost before. */
  readonly newResources: { readonly count: number; readonly cost: number; readonly share: number };
  readonly usage: UsageChange | null;
}

/** Minimum share of a driver, in percent. */
const leastShare = 5;
const mostDrivers = 5;
const mostTags = 3;
const order: readonly DriverDimension[] = ['region', 'sub_account', 'virtual_tag', 'resource', 'usage_type', 'pricing'];

/** Compiles the facts of a finding. */
export function factsOf(finding: Finding, { sums, newResources }: DriverReading): AnomalyFacts {
  const actual = microsToNumber(finding.actual);
  const expected = microsToNumber(finding.expected);
  const impact = microsToNumber(finding.actual - finding.expected);
  const scale = scaleOf(finding, sums);
  const measure: Measure = { scale, impact };
  const newCost = moneyOf(newResources.cost);
  const { kind, provider, service, currency, startDate, endDate, peak } = finding;
  return {
    kind,
    provider,
    service,
    currency,
    startDate,
    endDate,
    actual,
    expected,
    impact,
    dayCount: finding.days.length,
    impactPercent: isChangeBase(expected) ? rounded((impact / expected) * 100, 2) : null,
    peak: { date: peak.date, cost: rounded(peak.cost, 6), expected: rounded(peak.expected, 6) },
    drivers: order.flatMap((dimension) => driversOf(dimension, sums, measure)),
    undivided: order.filter(
      (dimension) => new Set(sums.filter((each) => each.dimension === dimension).map(({ value }) => value)).size < 2,
    ),
    newResources: { count: newResources.count, cost: newCost, share: shareOf(newCost, impact) },
    usage: usageOf(sums, measure, finding),
  };
}

/** Returns the region that explains most of a difference; null without one. */
export function regionOf({ drivers }: Pick<AnomalyFacts, 'drivers'>): string | null {
  const first = drivers.find(({ dimension }) => dimension === 'region');
  return first !== undefined && first.share >= localShare ? first.value : null;
}

/** Minimum share of that region, in percent. */
const localShare = 80;

interface Measure {
  /** Ratio of the expected cost to the cost of the usual days. */
  readonly scale: number;
  readonly impact: number;
}

/** Returns the factor that scales usual costs to the expectation, so that changes add up to the whole difference: weekdays,
 *  trend and monthly charges are already part of the expectation. */
function scaleOf({ expected }: Finding, sums: readonly DriverSums[]): number {
  const usual = sums
    .filter(({ dimension }) => dimension === 'pricing')
    .reduce((sum, { usualCost }) => sum + Number(usualCost), 0);
  return usual > 0 ? microsToNumber(expected) / usual : 0;
}

function changeOf({ cost, usualCost }: DriverSums, { scale }: Measure): number {
  return rounded(Number(cost) - Number(usualCost) * scale, 6);
}

function driversOf(dimension: DriverDimension, sums: readonly DriverSums[], measure: Measure): Driver[] {
  const own = Map.groupBy(
    sums.filter((each) => each.dimension === dimension),
    ({ key }) => key,
  );
  const breakdowns = [...own.values()].map((parts) => largestOf(mergeByValue(parts), measure));
  // Of several virtual tags, those that explain most.
  return breakdowns
    .toSorted((a, b) => (b[0]?.share ?? 0) - (a[0]?.share ?? 0))
    .slice(0, mostTags)
    .flat();
}

function largestOf(sums: readonly DriverSums[], measure: Measure): Driver[] {
  return sums
    .map(({ dimension, key, value, ...each }) => {
      const change = changeOf({ dimension, value, ...each }, measure);
      const name = each.name === value ? '' : each.name;
      const of = key === undefined ? {} : { key };
      return { dimension, ...of, value, name, change, share: shareOf(change, measure.impact) };
    })
    .filter(({ value, share }) => value !== '' && Math.abs(share) >= leastShare)
    .sort((a, b) => b.change - a.change || (a.value < b.value ? -1 : 1))
    .slice(0, mostDrivers);
}

/** Merges entries of a meter, which can have several prices. */
function mergeByValue(sums: readonly DriverSums[]): DriverSums[] {
  return [...Map.groupBy(sums, ({ value }) => value).values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const total = (pick: (each: DriverSums) => string) =>
      String(own.reduce((sum, each) => sum + Number(pick(each)), 0));
    const cost = total((each) => each.cost);
    const usualCost = total((each) => each.usualCost);
    const counted = own.every(({ quantity, unit }) => quantity !== null && unit === first.unit);
    const quantity = counted ? total((each) => each.quantity ?? '0') : null;
    return [
      {
        ...first,
        cost,
        usualCost,
        quantity,
        usualQuantity: counted ? total((each) => each.usualQuantity ?? '0') : null,
      },
    ];
  });
}

function usageOf(sums: readonly DriverSums[], measure: Measure, finding: Finding): UsageChange | null {
  const [top] = mergeByValue(sums.filter(({ dimension }) => dimension === 'usage_type')).sort(
    (a, b) => changeOf(b, measure) - changeOf(a, measure),
  );
  if (top === undefined || top.value === '' || top.quantity === null || top.usualQuantity === null) return null;
  const quantity = Number(top.quantity) / Math.max(1, finding.days.length);
  const usualQuantity = Number(top.usualQuantity) / Math.max(1, finding.usualDays.length);
  if (!(quantity > 0)) return null;
  const price = Number(top.cost) / Number(top.quantity);
  const usualPrice = Number(top.usualQuantity) > 0 ? Number(top.usualCost) / Number(top.usualQuantity) : 0;
  return {
    usageType: top.value,
    unit: top.unit,
    quantity: significant(quantity),
    usualQuantity: significant(usualQuantity),
    quantityRatio: usualQuantity > 0 ? rounded(quantity / usualQuantity, 2) : null,
    priceRatio: usualPrice > 0 ? rounded(price / usualPrice, 2) : null,
  };
}

function shareOf(change: number, impact: number): number {
  return impact > 0 ? rounded((change / impact) * 100, 2) : 0;
}

function moneyOf(decimal: string): number {
  return amountToNumber(parseAmount(decimal));
}

function rounded(value: number, decimals: number): number {
  const unit = 10 ** decimals;
  return Math.round(value * unit) / unit || 0;
}

/** Rounds to four significant digits. */
function significant(value: number): number {
  return Number(value.toPrecision(4));
}
