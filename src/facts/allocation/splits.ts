import { Decimal } from 'decimal.js';
import { z } from 'zod';
import type { Db } from '../../kit/db.ts';
import { arg, fix, invalid, mention, operation } from '../../kit/errors/errors.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { nameRule, parseName } from '../../tenancy/login/input.ts';
import { keepMetrics } from '../metrics/store.ts';
import { allocationLimits, parseValue, valueRule, type AllocationRule } from './rules.ts';

/** Methods of splitting a shared cost among its targets: in equal parts, in proportion to their direct costs of the month, by
 *  fixed percentages, or in proportion to the values of a unit metric in the month. */
const splitMethods = ['even', 'proportional', 'fixed', 'metric'] as const;

const splitSchema = z.object({
  name: z.string(),
  /** Values whose costs are shared. */
  sourceValues: z.array(z.string()).readonly(),
  method: z.enum(splitMethods),
  /** Values that receive them; empty: every value with cost in the month that is not a source of a split. */
  targets: z.array(z.string()).readonly(),
  /** For `fixed`: a share for each target. */
  shares: z.array(z.object({ value: z.string(), percent: z.string() })).readonly(),
  /** For `metric`: id of the unit metric. */
  metricId: z.string().nullable().default(null),
});

/** A split of shared costs: see `split-costs.ts`. */
export type Split = Readonly<z.output<typeof splitSchema>>;

/** Parses the splits of a stored virtual tag.
 *  @throws {ZodError} if they are invalid: only validated splits are stored */
export function storedSplits(stored: unknown): Split[] {
  return z.array(splitSchema).parse(stored);
}

/** Input of a split. */
export interface SplitInput {
  readonly name: string;
  readonly sourceValues: readonly string[];
  readonly method: Split['method'];
  readonly targets?: readonly string[] | null;
  readonly shares?: readonly { readonly value: string; readonly percent: number }[] | null;
  readonly metricId?: string | null;
}

const mostSplits = 20;

/** Bounds of splits, for the API documents. */
export const splitsRule = { maxItems: mostSplits } as const;
export const splitNameRule = nameRule;
export const splitValuesRule = { maxItems: allocationLimits.values, items: valueRule } as const;
export const sourceValuesRule = { ...splitValuesRule, minItems: 1 } as const;

/** Parses splits.
 *  @throws {AppError} VALIDATION_ERROR naming the split and the field */
export function parseSplits(splits: readonly SplitInput[]): Split[] {
  if (splits.length > mostSplits)
    throw invalid`${arg('splits')} takes at most ${mostSplits} splits, not ${splits.length}`;
  const parsed = splits.map((input, index) => parseSplit(input, `splits[${index}]`));
  const sources = new Map<string, number>();
  parsed.forEach((split, index) => {
    for (const [at, value] of split.sourceValues.entries()) {
      const other = sources.get(value);
      if (other !== undefined)
        throw invalid`${arg(`splits[${index}].source_values[${at}]`, value)} is already split by splits[${other}]${fix}name each value once`;
      sources.set(value, index);
    }
  });
  refuseCycles(parsed, sources);
  return parsed;
}

function parseSplit({ method, ...input }: SplitInput, at: string): Split {
  const name = parseName(input.name, `${at}.name`);
  if (input.sourceValues.length === 0)
    throw invalid`${arg(`${at}.source_values`)} must contain at least one value: its cost is split`;
  const sourceValues = parseValues(input.sourceValues, `${at}.source_values`);
  const targets = parseValues(input.targets ?? [], `${at}.targets`);
  const shares = input.shares ?? [];
  const metricId = parseMetricId(method, input.metricId ?? null, `${at}.metric_id`);
  if (method !== 'fixed') {
    if (shares.length > 0)
      throw invalid`${arg(`${at}.shares`)} must be empty unless ${mention(`${at}.method`)} is fixed`;
    return { name, sourceValues, method, targets, shares: [], metricId };
  }
  if (targets.length > 0)
    throw invalid`${arg(`${at}.targets`)} must be empty with the method fixed${fix}name the targets in ${mention(`${at}.shares`)}`;
  const parsed = shares.map(({ value, percent }, index) => ({
    value: parseValue(value, `${at}.shares[${index}].value`),
    percent: parsePercent(percent, `${at}.shares[${index}].percent`),
  }));
  const values = parseValues(
    parsed.map(({ value }) => value),
    `${at}.shares`,
  );
  const sum = Decimal.sum(0, ...parsed.map(({ percent }) => percent));
  if (!sum.equals(100)) throw invalid`${arg(`${at}.shares`)} must add up to 100 percent, not ${sum.toFixed()}`;
  return { name, sourceValues, method, targets: values, shares: parsed, metricId };
}

/** Parses the unit metric of a split. Whether it exists is checked with the database: see `requireMetrics`. */
function parseMetricId(method: Split['method'], metricId: string | null, at: string): string | null {
  if (method === 'metric' && metricId === null)
    throw invalid`${arg(at)} is required with the method metric${fix}use an id from ${operation('GET /metrics')}`;
  if (method !== 'metric' && metricId !== null)
    throw invalid`${arg(at)} must be absent unless ${mention(at.replace(/metric_id$/, 'method'))} is metric`;
  return metricId;
}

/** Returns the distinct ids of the unit metrics of splits. */
export function metricIdsOf(splits: readonly Pick<Split, 'metricId'>[]): string[] {
  return [...new Set(splits.flatMap(({ metricId }) => metricId ?? []))];
}

/** Checks that the unit metrics of splits exist, and keeps them until the transaction ends.
 *  @throws {AppError} VALIDATION_ERROR naming the split */
export async function requireMetrics(db: Db, scope: OrgScope, splits: readonly Split[]): Promise<void> {
  const known = await keepMetrics(db, scope, metricIdsOf(splits));
  splits.forEach(({ metricId }, index) => {
    if (metricId !== null && !known.has(metricId))
      throw invalid`${arg(`splits[${index}].metric_id`, metricId)} is not a unit metric of the organization${fix}use an id from ${operation('GET /metrics')}`;
  });
}

function parseValues(values: readonly string[], at: string): string[] {
  if (values.length > allocationLimits.values)
    throw invalid`${arg(at)} takes at most ${allocationLimits.values} values, not ${values.length}`;
  const parsed = values.map((value, index) => parseValue(value, `${at}[${index}]`));
  parsed.forEach((value, index) => {
    if (parsed.indexOf(value) < index) throw invalid`${arg(`${at}[${index}]`, value)} is given twice`;
  });
  return parsed;
}

function parsePercent(percent: number, at: string): string {
  const exact = new Decimal(percent);
  if (exact.lte(0) || exact.gt(100) || exact.decimalPlaces() > 4)
    throw invalid`${arg(at, percent)} must be above 0 and at most 100, with at most 4 decimals`;
  return exact.toFixed();
}

/** Rejects splits that form a cycle. A split without targets passes nothing to a source. */
function refuseCycles(splits: readonly Split[], sources: ReadonlyMap<string, number>): void {
  const done = new Set<number>();
  const visit = (index: number, path: readonly number[]): void => {
    if (path.includes(index)) {
      const names = [...path.slice(path.indexOf(index)), index].map((each) => splits[each]?.name ?? '');
      throw invalid`${arg(`splits[${index}].targets`)} form a cycle: ${names.join(' → ')}${fix}remove one of the targets`;
    }
    if (done.has(index)) return;
    for (const target of splits[index]?.targets ?? []) {
      const next = sources.get(target);
      if (next !== undefined) visit(next, [...path, index]);
    }
    done.add(index);
  };
  splits.forEach((_, index) => visit(index, []));
}

/** Checks that rules give the values that splits name. Values derived from dimensions are not known in advance.
 *  @throws {AppError} VALIDATION_ERROR naming the split and the value */
export function checkSplitValues(
  splits: readonly Split[],
  { rules, defaultValue }: { readonly rules: readonly AllocationRule[]; readonly defaultValue: string },
): void {
  if (rules.some(({ valueFrom }) => valueFrom !== null)) return;
  const known = new Set([defaultValue, ...rules.flatMap(({ value }) => value ?? [])]);
  splits.forEach(({ sourceValues, targets, method }, index) => {
    const fields = { source_values: sourceValues, [method === 'fixed' ? 'shares' : 'targets']: targets };
    for (const [field, values] of Object.entries(fields))
      values.forEach((value, at) => {
        if (!known.has(value))
          throw invalid`${arg(`splits[${index}].${field}[${at}]`, value)} is not a value of any rule${fix}add a rule for it, or use one of ${[...known].slice(0, 20).join(', ')}`;
      });
  });
}
