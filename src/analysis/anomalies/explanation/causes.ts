import { formatDay, formatMoney } from '../../../kit/text/format.ts';
import { formatRatio, formatShare } from './format.ts';
import type { AnomalyFacts, Driver } from './facts.ts';

/** Maximum number of causes. */
const most = 4;
/** Shares in percent: at or above `dominant` one thing explains the difference, below `minor` many do. */
const dominant = 60;
const minor = 25;
/** Factor by which a price or quantity can differ, up or down, and still count as unchanged. */
const tolerance = 1.15;
/** Share in percent above which one thing more than explains the difference: others cost less. */
export const moreThanAll = 115;

/** Returns likely causes of the difference, likeliest first, each backed by the facts. */
export function likelyCauses(facts: AnomalyFacts): string[] {
  const shift = shiftOf(facts);
  const usage = [
    ...fromPrice(facts),
    ...(isDearer(facts) ? [] : fromMeter(facts)),
    ...fromNewResources(facts),
    ...fromResources(facts),
  ];
  const causes = [...(shift ? [shift.cause] : []), ...(shift?.isWhole ? [] : usage), ...fromKind(facts)];
  return causes.slice(0, most);
}

/** Returns the top driver of a dimension; null without one. */
export function topDriver({ drivers }: Pick<AnomalyFacts, 'drivers'>, dimension: Driver['dimension']): Driver | null {
  return drivers.find((driver) => driver.dimension === dimension) ?? null;
}

/** Returns a driver's display name, or else its id. */
export function nameOf({ value, name, dimension }: Driver): string {
  return dimension === 'usage_type' ? value : name || value;
}

/** Distinguishes a higher price from a higher quantity. */
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

/** Returns whether a higher price explains the difference, and not more usage. */
export function isDearer({ usage }: AnomalyFacts): boolean {
  if (!usage?.priceRatio || usage.quantityRatio === null) return false;
  return usage.priceRatio >= tolerance && usage.quantityRatio < tolerance;
}

/** Usage that moved to another way of pricing. */
export interface Shift {
  readonly cause: string;
  readonly step: string;
  /** Whether it explains the difference: the meters and resources that then cost more are those that it moved to. */
  readonly isWhole: boolean;
}

/** Returns how usage moved between commitments, spot capacity and on-demand prices; null if it did not. */
export function shiftOf({ drivers, startDate }: AnomalyFacts): Shift | null {
  const shareOf = (...values: string[]) =>
    drivers
      .filter(({ dimension, value }) => dimension === 'pricing' && values.includes(value))
      .reduce((sum, { share }) => sum + share, 0);
  const onDemand = shareOf('on_demand');
  if (onDemand >= dominant && shareOf('reserved', 'savings_plan') <= -minor)
    return {
      cause:
        'Usage that was covered by a reservation or savings plan is now billed on demand: a commitment has expired, or other usage consumes it.',
      step: `List the reservations and savings plans that ended on ${formatDay(startDate)} or shortly before, and decide whether to renew them.`,
      isWhole: true,
    };
  if (onDemand >= dominant && shareOf('spot') <= -minor)
    return {
      cause:
        'Usage that ran on spot capacity now runs on demand: spot capacity was reclaimed, or the fleet falls back to on-demand capacity.',
      step: 'Check the interruptions of spot capacity on these days, and allow the fleet more instance types and zones.',
      isWhole: true,
    };
  const unused = shareOf('unused_reservation', 'unused_savings_plan');
  if (unused < minor) return null;
  return {
    cause:
      'Reservations or savings plans were billed but not used: the resources that they covered were stopped, moved or resized.',
    step: 'Find the commitments with low utilization on these days, and move usage to them, or exchange or sell them.',
    isWhole: unused >= dominant,
  };
}

/** Returns the likely cause of growth in the top usage type. */
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
      `Resources were replaced by a larger number of resources or by more expensive ones: newly billed resources cost ${formatMoney(cost, currency)}, all others ${formatMoney(cost - impact, currency)} less than expected.`,
    ];
  const those =
    count === 1
      ? 'One newly billed resource accounts'
      : `${count.toLocaleString('en-US')} newly billed resources account`;
  return [
    `${those} for ${formatShare(share)} of the difference: a launch, a test that was left running, or automation that creates too many resources.`,
  ];
}

function fromResources(facts: AnomalyFacts): string[] {
  // If the service has a single resource, everything is in that one.
  if (facts.undivided.includes('resource')) return [];
  const top = topDriver(facts, 'resource');
  if (top !== null && top.share >= dominant) {
    const change = `A change in the workload of ${nameOf(top)}`;
    if (top.share >= moreThanAll)
      return [
        `${change}: this resource cost ${formatMoney(top.change, facts.currency)} more than expected, the rest of the service less.`,
      ];
    const rest = top.share > 200 - moreThanAll ? '; the rest of the service costs about as much as usual' : '';
    return [`${change}: this resource accounts for ${formatShare(top.share)} of the difference${rest}.`];
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
        'The service is used for the first time, or again after a long time: a trial, a new feature that went live, or unauthorized use.',
      ];
    default:
      return kind satisfies never;
  }
}

/** A kind of usage: why it grows, and what to do about it. */
export interface MeterNature {
  readonly cause: string;
  readonly step: string;
}

/** Kinds of usage, matched by words in usage types, charge descriptions and services of the large clouds, most specific
 *  first. */
const natures: readonly (MeterNature & { readonly words: RegExp })[] = [
  {
    words: /nat.?gateway|natgateway|cloud nat/i,
    cause:
      'More data through a NAT gateway: repeated downloads of images or packages, or traffic to storage and registries that could use a private endpoint.',
    step: 'Check the flow logs for the senders behind the NAT gateway, and create endpoints for storage and registries inside the network.',
  },
  {
    words:
      /data ?transfer|datatransfer|egress|out-bytes|in-bytes|regional-bytes|bandwidth|internet|inter.?(zone|region)/i,
    cause:
      'More data transferred: a backup or replication between regions, services that communicate across zones, or downloads from outside.',
    step: 'Find the largest senders in flow logs or access logs, and check whether the data needs to leave its zone or region.',
  },
  {
    words: /token|openai|bedrock|vertex ai|gemini|inference|cognitive/i,
    cause:
      'More calls to a model, or longer ones: a retry loop, larger prompts, a batch job, or a leaked or shared key.',
    step: 'Break down the model calls by key, application and model, limit retries and set a quota.',
  },
  {
    words: /bigquery|analysis|athena|scanned|query|redshift|synapse|dataprocessed/i,
    cause: 'More data scanned by queries: a dashboard that refreshes too often, or a query without a partition filter.',
    step: 'List the queries run on these days by bytes scanned, and limit the most expensive ones.',
  },
  {
    words: /cloudwatch|log analytics|cloud logging|ingest|logs|vended|monitor/i,
    cause: 'More logs or metrics: debug logging left on, an error that repeats, or a new source that sends too much.',
    step: 'Sort log groups by bytes ingested on these days, lower the log level of the largest ones and set a retention period.',
  },
  {
    words: /lambda|functions|invocation|gb-second|requests?\b|tier1|tier2|api ?call|queue|sqs|sns|pub.?sub|event/i,
    cause: 'More calls: a retry loop, a function that triggers itself through a queue or an event, or a crawler.',
    step: 'Compare calls and errors on these days with the days before, and look for messages that are processed repeatedly.',
  },
  {
    words: /snapshot|backup/i,
    cause: 'More snapshots or backups kept: a schedule without an expiry, or one that ran twice.',
    step: 'List snapshots and backups by age and owner, and set a retention period.',
  },
  {
    words: /gpu|p[345]d?n?\.|g[456]n?\.|\bnd\d|\bnc\d|a100|h100|accelerator/i,
    cause:
      'GPU capacity: a training job that did not end, a notebook left running, or, if its owner is unknown, mining with stolen credentials.',
    step: 'Find the owner of the GPU instances; without one, treat it as an incident and rotate the credentials that started them.',
  },
  {
    words: /storage|timedstorage|bytehrs|gb-mo|volume|disk|ebs|s3|blob/i,
    cause:
      'More data stored, or more of it in a more expensive class: an export or copy that is kept, accumulating versions, or a lifecycle rule that is turned off.',
    step: 'Check what was written on these days, and whether lifecycle rules still move or delete old data.',
  },
  {
    words: /boxusage|instance|vcpu|compute|hours|virtual machine|\bvm\b|core|fargate|cluster|node|ec2|container/i,
    cause: 'More or larger machines: scaling out, an environment that was not turned off, or a changed instance type.',
    step: 'Compare the number, types and owners of machines with the week before, and check the limits and schedules of autoscaling.',
  },
];

/** Returns the nature of a usage type, from its own words or else the service's; null if neither matches.
 *  @param meter the usage type with its description */
export function meterNatureOf(meter: string, service: string): MeterNature | null {
  return natures.find(({ words }) => words.test(meter)) ?? natures.find(({ words }) => words.test(service)) ?? null;
}
