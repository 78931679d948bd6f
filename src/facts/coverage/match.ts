import { createHash } from 'node:crypto';
import { programs } from './programs.ts';

/** Usage, as columns of the facts. */
export interface Usage {
  readonly x_Provider: string;
  readonly ServiceName: string;
  readonly ServiceCategory: string | null;
  readonly ServiceSubcategory: string | null;
  readonly SkuMeter: string | null;
  readonly ChargeDescription: string | null;
  readonly PricingUnit: string | null;
  readonly ConsumedUnit: string | null;
}

/** How commitments price the usage, and how it is measured. */
interface Match {
  /** The program that covers the usage or could; null: none; `unrecognized` if the bill does not show it. */
  readonly program: string | null;
  /** The part of the program that one commitment can apply to, such as an instance family; null: all of it. */
  readonly pool: string | null;
  /** The quantity that measures its hours. */
  readonly hours: 'consumed' | 'priced' | null;
}

const perHour = /(^|[^a-z])h(ou)?(rs?)?($|[^a-z])/i;

/** Hourly charges without a native meter that are not instances. */
const noInstance =
  /transfer|gateway|balanc|address|storage|snapshot|volume|disk|endpoint|request|spot|licen[cs]e|support|credit|serverless|capacity unit|proxy|marketplace/i;

/** Program of usage in a covered service whose meter is none of the provider's, and whose other columns do not show it either. */
export const unrecognized = 'unrecognized';

// FOCUS allows any words for the measured item as SkuMeter, such as `Compute Usage`. Providers' own exports have their native
// meters there, which the programs match.

/** Matches a usage type of AWS, such as `EU-BoxUsage:m5.large`. */
const awsMeter = /^(?=.*[A-Z])\w[\w./()]*[-:]\S*$/;
/** Matches all meters but those that are only words for computing: native ones of Azure and Google name a size or a region. */
const notPlain =
  /^(?!(?:on[- ]?demand |total )?(?:compute|v?cpus?|cores?|memory|ram|instances?|virtual machines?|vms?|machines?|databases?|servers?|nodes?)(?: (?:usage|hours?|time|instances?|runtime|compute))*$)/i;
/** FOCUS service categories of usage that no commitment covers, although it may be billed under a covered service. */
const uncovered =
  /^(?:storage|networking|security|identity|management|migration|integration|developer tools|media|web|mobile)/i;
/** Meters, descriptions and FOCUS service subcategories of instances. */
const instanceWords =
  /instance|virtual machine|\bvms?\b|compute|\bv?cpus?\b|\bcores?\b|\bnodes?\b|\bservers?\b|relational database|data warehouse|caching/i;

const expression = (source: string) => new RegExp(source, 'is');

const rules = programs.map(({ id, provider, service, meter, variant, except, byTheHour }) => ({
  id,
  provider,
  service: expression(service),
  meter: expression(meter),
  variant: variant === undefined ? null : expression(variant),
  except: except === undefined ? null : expression(except),
  byTheHour,
}));

type Rule = (typeof rules)[number];

/** Returns the first matching program. Bills without meters are matched by description, and those with meters other than the
 *  provider's by the columns of FOCUS. */
export function matchUsage(usage: Usage): Match {
  const { x_Provider: provider, ServiceName: service, SkuMeter: meter, ChargeDescription: description } = usage;
  const text = meter || description || '';
  const isHourly = (unit: string | null) => unit !== null && perHour.test(unit);
  const hours = isHourly(usage.ConsumedUnit) ? 'consumed' : isHourly(usage.PricingUnit) ? 'priced' : null;
  const isInstance = !meter && hours !== null && !noInstance.test(text);
  const own = rules.filter((each) => each.provider === provider && each.service.test(service));
  const candidates = own.filter((each) => !each.except?.test(text));
  const rule = candidates.find((each) => each.meter.test(text) || (each.byTheHour && isInstance));
  const isNative = !meter || (provider === 'aws' ? awsMeter : notPlain).test(meter);
  if (!rule)
    return { program: isNative ? null : programByColumns(usage, candidates[0], hours !== null), pool: null, hours };
  const parts = [rule.meter.exec(text)?.[1], rule.variant?.exec(`${service} ${description ?? ''}`)?.[1]];
  const pool = parts.filter((part) => part !== undefined).join(' ');
  return { program: rule.id, pool: pool.toLowerCase() || null, hours };
}

/** Returns the program of usage without a native meter; null if its columns show that none covers it. */
function programByColumns(usage: Usage, rule: Rule | undefined, isHourly: boolean): string | null {
  const { SkuMeter, ChargeDescription, ServiceCategory, ServiceSubcategory } = usage;
  const text = [SkuMeter, ChargeDescription, ServiceSubcategory].join(' ');
  if (!rule || uncovered.test(ServiceCategory ?? '') || noInstance.test(text)) return null;
  return rule.byTheHour && (isHourly || instanceWords.test(text)) ? rule.id : unrecognized;
}

/** Matches every service that a program covers. */
export const coveredServices = programs.map(({ service }) => service).join('|');

/** Matches every service whose pools depend on the description of a charge. */
export const describedServices = programs
  .flatMap(({ service, variant }) => (variant === undefined ? [] : service))
  .join('|');

/** Rules for usage without a native meter. */
const columnRules = [awsMeter, notPlain, uncovered, instanceWords, programByColumns].map(String);

/** Returns a digest that changes when the matching rules or their SQL change.
 *  @param sql the SQL that applies the rules */
export function digestOf(...sql: readonly string[]): string {
  const sources = rules.map((rule) => Object.values(rule).map(String));
  const parts = [
    JSON.stringify(sources),
    String(perHour),
    String(noInstance),
    ...columnRules,
    String(matchUsage),
    ...sql,
  ];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}
