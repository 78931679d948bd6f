import { isDearer, likelyCauses, meterNatureOf, moreThanAll, nameOf, shiftOf, topDriver } from './causes.ts';
import type { AnomalyFacts, Driver } from './facts.ts';
import { formatMoney, formatDay } from '../../../kit/text/format.ts';
import { formatShare, onDays } from './format.ts';

const most = 5;
/** Minimum share of a single place to look at, in percent. */
const dominant = 60;
const daysPerMonth = 30;

/** Each cloud's audit log of changes. */
const changeLogs: Readonly<Record<string, string>> = {
  aws: 'CloudTrail',
  azure: 'the Activity Log',
  gcp: 'Cloud Audit Logs',
};

/** Returns the recommended next steps, in order. The service performs none of them. */
function nextSteps(facts: AnomalyFacts): string[] {
  return [...whereToLook(facts), whatChanged(facts), ...bySort(facts), ...ifUnknown(facts), afterwards(facts)].slice(
    0,
    most,
  );
}

function whereToLook(facts: AnomalyFacts): string[] {
  const place = [topDriver(facts, 'region'), topDriver(facts, 'sub_account')]
    .filter((driver) => driver !== null && driver.share >= dominant)
    .flatMap((driver) => (driver ? [nameOf(driver)] : []))
    .join(', ');
  const resource = topDriver(facts, 'resource');
  if (resource !== null && resource.share >= 25)
    return [
      `Check ${nameOf(resource)}${place ? ` (${place})` : ''}: its owner, its metrics on these days, and its workload.`,
    ];
  return place ? [`Check ${facts.service} in ${place}.`] : [];
}

function whatChanged({ kind, provider, startDate, service }: AnomalyFacts): string {
  const log = changeLogs[provider];
  const when =
    kind === 'leak' ? `in the weeks before ${formatDay(startDate)}` : `on ${formatDay(startDate)} and the day before`;
  return `Check deployments and changes that affect ${service} ${when}${log ? `, in ${log} and in your own releases` : ''}.`;
}

function bySort(facts: AnomalyFacts): string[] {
  const shift = shiftOf(facts);
  if (shift) return [shift.step];
  if (isDearer(facts))
    return [
      'Compare the prices on the bill with those of the month before, and look for discounts or free allowances that ended.',
    ];
  const meter = topDriver(facts, 'usage_type');
  const nature = meter === null ? null : meterNatureOf(`${meter.value} ${meter.name}`, facts.service);
  return nature === null ? [] : [nature.step];
}

/** Returns the step for new services and resources, which may be unauthorized use; none for others. */
function ifUnknown(facts: AnomalyFacts): string[] {
  const { kind, newResources } = facts;
  const { share } = newResources;
  if (shiftOf(facts)?.isWhole) return [];
  const isNew = kind === 'new_service' || (share >= dominant && share < moreThanAll);
  return isNew
    ? [
        'Find the owner of the new usage. Without one, treat it as an incident: stop the usage and rotate the credentials behind it.',
      ]
    : [];
}

function afterwards({ kind, impact, dayCount, currency }: AnomalyFacts): string {
  if (kind === 'spike')
    return 'Acknowledge the anomaly when the cause is known, and resolve it when the cause is fixed.';
  const month = formatMoney((impact / Math.max(1, dayCount)) * daysPerMonth, currency);
  return `If the increase is intended, acknowledge it and raise the budget: at this level, it costs about ${month} more in 30 days.`;
}

/** An explanation in words. */
export interface Prose {
  readonly summary: string;
  readonly likelyCauses: readonly string[];
  readonly nextSteps: readonly string[];
}

/** Writes an explanation by rules, for use without a model or when it fails. */
export function composeProse(facts: AnomalyFacts): Prose {
  return {
    summary: [happened(facts), ...concentrated(facts)].join(' '),
    likelyCauses: likelyCauses(facts),
    nextSteps: nextSteps(facts),
  };
}

function happened(facts: AnomalyFacts): string {
  const { service, currency, startDate, endDate, actual, expected, impact, impactPercent, kind } = facts;
  const when = onDays(startDate, endDate);
  const cost = formatMoney(actual, currency);
  if (kind === 'new_service')
    return `${service}, which had cost almost nothing for at least 30 days, cost ${cost} ${when}.`;
  const beyond = impactPercent === null ? '' : ` (${formatShare(impactPercent)})`;
  const more = `${formatMoney(impact, currency)}${beyond} more than the expected ${formatMoney(expected, currency)}`;
  switch (kind) {
    case 'spike':
      return `${service} cost ${cost} ${when}, ${more}.`;
    case 'step':
      return `${service} rose to a new level: ${when} it cost ${cost}, ${more}.`;
    case 'leak':
      return `${service} has risen slowly for weeks: ${when} it cost ${cost}, ${more} based on its earlier level.`;
    default:
      return kind satisfies never;
  }
}

/** Describes where the difference is: from the region down to the meter, as far as a single one explains most of it. */
function concentrated(facts: AnomalyFacts): string[] {
  const places = (['region', 'sub_account', 'resource', 'usage_type'] as const).flatMap((dimension) => {
    const driver = topDriver(facts, dimension);
    return driver !== null && driver.share >= 50 && !facts.undivided.includes(dimension) ? [driver] : [];
  });
  const divided = (['region', 'resource', 'usage_type'] as const).filter((each) => !facts.undivided.includes(each));
  if (places.length === 0 && divided.length === 0) return [];
  if (places.length === 0)
    return [
      `The difference is spread out: no ${alternatives(divided.map((each) => nouns[each]))} accounts for half of it.`,
    ];
  const parts = places.map((driver) => `${described(driver)} (${formatShare(driver.share)})`);
  const last = parts.pop() ?? '';
  const isOffset = places.some(({ share }) => share >= 100.5);
  return [
    `Most of the difference is in ${parts.length > 0 ? `${parts.join(', ')} and ${last}` : last}.`,
    ...(isOffset ? ['Shares above 100% are offset by decreases elsewhere.'] : []),
  ];
}

function alternatives(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words.join('');
}

const nouns = {
  region: 'region',
  sub_account: 'account',
  virtual_tag: 'virtual tag',
  resource: 'resource',
  usage_type: 'usage type',
  pricing: 'pricing',
};

function described(driver: Driver): string {
  return `${nouns[driver.dimension]} ${nameOf(driver)}`;
}

export type ExplanationSource = 'model' | 'composed';

/** Why a cost was higher, with the supporting figures. */
export interface Explanation extends Prose {
  readonly drivers: readonly (Driver & { readonly key: string | null })[];
  readonly source: ExplanationSource;
}

/** Returns the explanation of an anomaly: the model's, if it has one about these facts, otherwise composed on the fly, so
 *  that users need not wait for a model. */
export function explanationOf({ facts, prose }: { facts: AnomalyFacts; prose: Prose | null }): Explanation {
  const drivers = facts.drivers.map((driver) => ({ ...driver, key: driver.key ?? null }));
  return prose === null
    ? { ...composeProse(facts), drivers, source: 'composed' }
    : { ...prose, drivers, source: 'model' };
}
