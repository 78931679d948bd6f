import { formatDay, formatMoney } from '../../../kit/format.ts';
import { formatRatio, formatShare } from './format.ts';
import type { AnomalyFacts, Driver } from './facts.ts';
import { meterNatureOf } from './meter-nature.ts';

/** Causes told at most. */
const most = 4;
/** Shares, in percent, from which one thing explains the difference, and below which many do. */
const dominant = 60;
const minor = 25;
/** What a price or a quantity may differ by, up or down, and have hardly changed. */
const tolerance = 1.15;
/** Share, in percent, from which one thing more than explains the difference: others cost less. */
export const moreThanAll = 115;

/** What may have made the difference, the likeliest first, each for a reason that is among the facts. */
export function likelyCauses(facts: AnomalyFacts): string[] {
  const causes = [
    ...fromPrice(facts),
    ...fromCommitments(facts),
    ...fromMeter(facts),
    ...fromNewResources(facts),
    ...fromResources(facts),
    ...fromKind(facts),
  ];
  return causes.slice(0, most);
}

/** The first driver of a dimension; null without one. */
export function topDriver({ drivers }: Pick<AnomalyFacts, 'drivers'>, dimension: Driver['dimension']): Driver | null {
  return drivers.find((driver) => driver.dimension === dimension) ?? null;
}

/** A driver as a reader knows it: by its name, or else its id. */
export function nameOf({ value, name, dimension }: Driver): string {
  return dimension === 'usage_type' ? value : name || value;
}

/** A price that rose, or an amount that did: which of the two is the first thing to know. */
function fromPrice({ usage }: AnomalyFacts): string[] {
  if (usage === null || usage.quantityRatio === null || usage.priceRatio === null) return [];
  const { quantityRatio, priceRatio, usageType } = usage;
  const price = `a unit of ${usageType} cost ${formatRatio(priceRatio)} as much as usual`;
  const quantity = `usage of ${usageType} was ${formatRatio(quantityRatio)} as high as usual`;
  if (priceRatio >= tolerance && quantityRatio >= tolerance)
    return [`More usage at a higher price: ${quantity}, and ${price}.`];
  if (priceRatio >= tolerance)
    return [
      `A higher price, not more usage: ${price}, while usage was ${isSame(quantityRatio) ? 'about the same' : 'lower'}. A discount, a commitment or a free allowance may have ended, or another pricing tier applies.`,
    ];
  if (quantityRatio >= tolerance)
    return [
      `More usage, not a higher price: ${quantity}, at ${isSame(priceRatio) ? 'about the same' : 'a lower'} price.`,
    ];
  return [];
}

function isSame(ratio: number): boolean {
  return ratio > 1 / tolerance && ratio < tolerance;
}

/** Commitments that ended move usage to on-demand prices; idle ones are paid for beside it. */
function fromCommitments({ drivers }: AnomalyFacts): string[] {
  const shareOf = (...values: string[]) =>
    drivers
      .filter(({ dimension, value }) => dimension === 'pricing' && values.includes(value))
      .reduce((sum, { share }) => sum + share, 0);
  const causes: string[] = [];
  if (shareOf('on_demand') >= dominant && shareOf('reserved', 'savings_plan') <= -minor)
    causes.push(
      'Usage that was covered by a reservation or savings plan is now billed on demand: a commitment has expired, or other usage consumes it.',
    );
  if (shareOf('on_demand') >= dominant && shareOf('spot') <= -minor)
    causes.push(
      'Usage that ran on spot capacity now runs on demand: spot capacity was reclaimed, or the fleet falls back to on-demand capacity.',
    );
  if (shareOf('unused_reservation', 'unused_savings_plan') >= minor)
    causes.push(
      'Reservations or savings plans were billed but not used: the resources that they covered were stopped, moved or resized.',
    );
  return causes;
}

function fromMeter(facts: AnomalyFacts): string[] {
  const meter = topDriver(facts, 'usage_type');
  const nature = meter && meter.share >= minor ? meterNatureOf(`${meter.value} ${meter.name}`, facts.service) : null;
  return nature === null ? [] : [nature.cause];
}

function fromNewResources({ newResources, kind, impact, currency }: AnomalyFacts): string[] {
  const { count, cost, share } = newResources;
  if (count === 0 || share < minor || kind === 'new_service') return [];
  if (share >= moreThanAll)
    return [
      `Resources were replaced by more or more expensive ones: resources that cost nothing before cost ${formatMoney(cost, currency)}, all others ${formatMoney(cost - impact, currency)} less than expected.`,
    ];
  const those =
    count === 1
      ? 'One resource that cost nothing before accounts'
      : `${count.toLocaleString('en-US')} resources that cost nothing before account`;
  return [
    `${those} for ${formatShare(share)} of the difference: a launch, a test that was left running, or automation that creates too many resources.`,
  ];
}

function fromResources(facts: AnomalyFacts): string[] {
  // Of a service with one resource all is in that one.
  if (facts.undivided.includes('resource')) return [];
  const top = topDriver(facts, 'resource');
  if (top !== null && top.share >= dominant) {
    const change = `A change in the workload of ${nameOf(top)}`;
    if (top.share >= moreThanAll)
      return [
        `${change}: it alone cost ${formatMoney(top.change, facts.currency)} more than expected, the rest of the service less.`,
      ];
    const rest = top.share > 200 - moreThanAll ? '; the rest of the service costs about as much as usual' : '';
    return [`${change}: it alone accounts for ${formatShare(top.share)} of the difference${rest}.`];
  }
  const isSpread = top === null || top.share < minor;
  return isSpread && facts.kind !== 'new_service' && facts.newResources.share < minor
    ? [
        'Something that affects many resources at once, such as more traffic, a larger fleet or a new configuration: no single resource stands out.',
      ]
    : [];
}

function fromKind({ kind, startDate }: AnomalyFacts): string[] {
  switch (kind) {
    case 'spike':
      return [
        'A temporary job, test or load: the cost has returned to its usual level, or has not stayed high long enough to be a new level.',
      ];
    case 'step':
      return [
        `A deployment or configuration change on or shortly before ${formatDay(startDate)}: the cost has stayed higher for at least a week.`,
      ];
    case 'leak':
      return [
        'Something that accumulates, such as logs, snapshots, old versions or instances that are never stopped: the cost has risen slowly and steadily.',
      ];
    case 'new_service':
      return [
        'The service is used for the first time, or again after a long time: a trial, a new feature that went live, or misused access.',
      ];
    default:
      return kind satisfies never;
  }
}
