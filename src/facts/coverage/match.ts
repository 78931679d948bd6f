import { createHash } from 'node:crypto';
import { programs } from './programs.ts';

/** Usage, as columns of the facts. */
export interface Usage {
  readonly x_Provider: string;
  readonly ServiceName: string;
  readonly SkuMeter: string | null;
  readonly ChargeDescription: string | null;
  readonly PricingUnit: string | null;
  readonly ConsumedUnit: string | null;
}

/** How commitments price the usage, and how it is measured. */
interface Match {
  /** The program that covers the usage or could; null: none. */
  readonly program: string | null;
  /** The part of the program that one commitment can apply to, such as an instance family; null: all of it. */
  readonly pool: string | null;
  /** The quantity that measures its hours. */
  readonly hours: 'consumed' | 'priced' | null;
}

const perHour = /(^|[^a-z])h(ou)?(rs?)?($|[^a-z])/i;

/** Hourly charges without a meter that are not instances. */
const noInstance =
  /transfer|gateway|balanc|address|storage|snapshot|volume|disk|endpoint|request|spot|licen[cs]e|support|credit|serverless|capacity unit|proxy|marketplace/i;

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

/** Returns the first matching program. Bills without meters are matched by description. */
export function matchUsage(usage: Usage): Match {
  const { x_Provider: provider, ServiceName: service, SkuMeter: meter, ChargeDescription: description } = usage;
  const text = meter || description || '';
  const isHourly = (unit: string | null) => unit !== null && perHour.test(unit);
  const hours = isHourly(usage.ConsumedUnit) ? 'consumed' : isHourly(usage.PricingUnit) ? 'priced' : null;
  const isInstance = !meter && hours !== null && !noInstance.test(text);
  const rule = rules.find(
    (each) =>
      each.provider === provider &&
      each.service.test(service) &&
      !each.except?.test(text) &&
      (each.meter.test(text) || (each.byTheHour && isInstance)),
  );
  if (!rule) return { program: null, pool: null, hours };
  const parts = [rule.meter.exec(text)?.[1], rule.variant?.exec(`${service} ${description ?? ''}`)?.[1]];
  const pool = parts.filter((part) => part !== undefined).join(' ');
  return { program: rule.id, pool: pool.toLowerCase() || null, hours };
}

/** Matches every service that a program covers. */
export const coveredServices = programs.map(({ service }) => service).join('|');

/** Matches every service whose pools depend on the description of a charge. */
export const describedServices = programs
  .flatMap(({ service, variant }) => (variant === undefined ? [] : service))
  .join('|');

/** Returns a digest that changes when the matching rules or their SQL change.
 *  @param sql the SQL that applies the rules */
export function digestOf(...sql: readonly string[]): string {
  const sources = rules.map((rule) => Object.values(rule).map(String));
  const parts = [JSON.stringify(sources), String(perHour), String(noInstance), String(matchUsage), ...sql];
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}
