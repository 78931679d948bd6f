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
  const price = `a unit of ${usageType} cost ${formatRatio(priceRatio)} what it usually does`;
  const quantity = `${formatRatio(quantityRatio)} as much of ${usageType} was used as usual`;
  if (priceRatio >= tolerance && quantityRatio >= tolerance)
    return [`More usage, and a higher price: ${quantity}, and ${price}.`];
  if (priceRatio >= tolerance)
    return [
      `A higher price, not more usage: ${price}, while ${isSame(quantityRatio) ? 'about as much' : 'less'} was used. A discount, a commitment or a free allowance may have ended, or another tier applies.`,
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
      'Usage that a reservation or savings plan covered before is now paid on demand: a commitment has expired, or other usage takes it.',
    );
  if (shareOf('on_demand') >= dominant && shareOf('spot') <= -minor)
    causes.push(
      'Usage that ran on spot capacity before now runs on demand: spot capacity was reclaimed, or the fleet falls back to on-demand.',
    );
  if (shareOf('unused_reservation', 'unused_savings_plan') >= minor)
    causes.push(
      'Reservations or savings plans that are paid for were not used: what they covered was stopped, moved or resized.',
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
      `Resources that were replaced by more or dearer ones: what cost nothing before cost ${formatMoney(cost, currency)}, all else ${formatMoney(cost - impact, currency)} less than was to be expected.`,
    ];
  const those =
    count === 1
      ? 'One resource that cost nothing before makes'
      : `${count.toLocaleString('en-US')} resources that cost nothing before make`;
  return [
    `${those} up ${formatShare(share)} of the difference: a launch, a test that was left running, or automation that creates too much.`,
  ];
}

function fromResources(facts: AnomalyFacts): string[] {
  // Of a service with one resource all is in that one.
  if (facts.undivided.includes('resource')) return [];
  const top = topDriver(facts, 'resource');
  if (top !== null && top.share >= dominant) {
    const change = `A change in what ${nameOf(top)} does or serves`;
    if (top.share >= moreThanAll)
      return [
        `${change}: it alone cost ${formatMoney(top.change, facts.currency)} more than was to be expected, the rest of the service less.`,
      ];
    const rest = top.share > 200 - moreThanAll ? ', the rest of the service costs about what it usually does' : '';
    return [`${change}: it alone makes up ${formatShare(top.share)} of the difference${rest}.`];
  }
  const isSpread = top === null || top.share < minor;
  return isSpread && facts.kind !== 'new_service' && facts.newResources.share < minor
    ? [
        'Something that concerns many resources at once, such as more traffic, a larger fleet or a new configuration: no single resource stands out.',
      ]
    : [];
}

function fromKind({ kind, startDate }: AnomalyFacts): string[] {
  switch (kind) {
    case 'spike':
      return [
        'A job, a test or a load that ended again: the cost came back, or has not lasted long enough yet to be a new level.',
      ];
    case 'step':
      return [
        `A deployment or a change of configuration on or shortly before ${formatDay(startDate)}: the cost stayed higher for a week at least.`,
      ];
    case 'leak':
      return [
        'Something that accumulates, such as logs, snapshots, old versions or instances that are never stopped: the cost has risen slowly and steadily.',
      ];
    case 'new_service':
      return [
        'The service is used for the first time, or again after a long time: somebody tries it out, a new feature went live, or access is misused.',
      ];
    default:
      return kind satisfies never;
  }
}
