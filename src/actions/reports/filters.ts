import { arg, argChoice, choice, fix, invalid, mention, not } from '../../kit/errors/errors.ts';
import type { BudgetPeriod } from '../../analysis/budgets/period.ts';
import { blank, filledRule } from '../../kit/errors/refusals.ts';
import type { CostMetric } from '../../facts/costs/query.ts';
import type { ChargeCategory, Granularity } from '../../facts/costs/question.ts';
import { camelOf } from '../../kit/text/case.ts';
import type { ReportType } from './kinds.ts';

/** Parses the value of one filter, strictly.
 *  @param at its name, for messages
 *  @throws {AppError} VALIDATION_ERROR naming the filter */
type FilterReader<Value> = (value: unknown, at: string) => Value;

/** The filters of a question, by REST name. */
type FilterSpec = Readonly<Record<string, FilterReader<unknown>>>;

/** Parsed filters of a spec; null if absent. */
type FiltersOf<Spec extends FilterSpec> = { readonly [Name in keyof Spec]: ReturnType<Spec[Name]> | null };

/** Bounds of a text: longer than any name that clouds and users give. */
export const textRule = { ...filledRule, maxLength: 1_000 } as const;
/** Bounds of a list. */
export const listRule = { minItems: 1, maxItems: 1_000 } as const;

/** Parses a text. */
const text: FilterReader<string> = (value, at) => {
  const filled = anyText(value, at);
  if (filled.trim() === '') throw blank(arg(at, filled));
  return filled;
};

const anyText: FilterReader<string> = (value, at) => {
  if (typeof value !== 'string') throw invalid`${arg(at, not(kindOf(value), null))} must be a string`;
  if (value.length > textRule.maxLength)
    throw invalid`${arg(at)} has ${value.length} characters; at most ${textRule.maxLength} are allowed`;
  return value;
};

/** Parses a string or a list of strings. */
const texts: FilterReader<readonly string[]> = listOf(text);

/** Same as `texts`, but each can be empty: clouds allow tags without a value. */
const tagValues: FilterReader<readonly string[]> = listOf(anyText);

/** Parses a boolean. */
const flag: FilterReader<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw invalid`${arg(at, not(kindOf(value), null))} must be true or false`;
  return value;
};

/** Parses a number. */
const number: FilterReader<number> = (value, at) => {
  if (typeof value !== 'number') throw invalid`${arg(at, not(kindOf(value), null))} must be a number`;
  return value;
};

/** Parses one of a set of words. */
function oneOf<Word extends string>(words: readonly Word[]): FilterReader<Word> {
  return (value, at) => {
    const known = words.find((word) => word === value);
    if (known !== undefined) return known;
    const given = typeof value === 'string' ? argChoice(at, value) : arg(at, not(kindOf(value), null));
    throw invalid`${given} must be one of ${choice(at, ...words)}`;
  };
}

/** Parses a value or a non-empty list. */
function listOf<Value>(read: FilterReader<Value>): FilterReader<readonly Value[]> {
  return (value, at) => {
    if (!Array.isArray(value)) return [read(value, at)];
    if (value.length === 0) throw invalid`${arg(at)} must contain at least one value, or be omitted`;
    if (value.length > listRule.maxItems)
      throw invalid`${arg(at)} has ${value.length} values; at most ${listRule.maxItems} are allowed`;
    return value.map((item: unknown, index) => read(item, `${at}[${index}]`));
  };
}

/** Parses the filters of a spec; null is the same as absent.
 *  @throws {AppError} VALIDATION_ERROR naming an unknown or invalid filter */
export function readFilters<Spec extends FilterSpec>(
  spec: Spec,
  filters: Readonly<Record<string, unknown>>,
): FiltersOf<Spec> {
  for (const name of Object.keys(filters)) {
    if (!Object.hasOwn(spec, name))
      throw invalid`${arg(`filters.${name.slice(0, 80)}`)} is not a filter of this report${fix}use ${mention(...Object.keys(spec).map((known) => `filters.${known}`))}`;
  }
  const entries = Object.entries(spec).map(([name, read]) => {
    const value = filters[name] ?? null;
    return [name, value === null ? null : read(value, `filters.${name}`)];
  });
  // Each entry was returned by its own reader.
  return Object.fromEntries(entries) as FiltersOf<Spec>;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const chargeCategories = [
  'usage',
  'purchase',
  'tax',
  'credit',
  'adjustment',
] as const satisfies readonly ChargeCategory[];
const costMetrics = ['effective', 'billed', 'list', 'contracted'] as const satisfies readonly CostMetric[];
const granularities = ['daily', 'monthly'] as const satisfies readonly Granularity[];
const recommendationStatuses = ['open', 'in_progress', 'applied', 'archived'] as const;
const anomalyStatuses = ['open', 'acknowledged', 'resolved'] as const;
const severities = ['low', 'medium', 'high', 'critical'] as const;
const invoiceStatuses = ['matched', 'different', 'provisional', 'missing'] as const;
const budgetStatuses = ['ok', 'warning', 'exceeded'] as const;
const budgetPeriods = ['monthly', 'quarterly', 'yearly'] as const satisfies readonly BudgetPeriod[];

const ofCosts = {
  account_id: texts,
  provider: texts,
  service: texts,
  region: texts,
  sub_account_id: texts,
  charge_category: listOf(oneOf(chargeCategories)),
  tag_key: text,
  tag_value: tagValues,
  untagged: flag,
  cost_metric: oneOf(costMetrics),
} as const;

/** The filters of each report type: those of the question or list it reports on. */
export const filterSpecs = {
  cost_summary: { ...ofCosts, granularity: oneOf(granularities) },
  cost_by_service: ofCosts,
  cost_by_account: ofCosts,
  cost_by_tag: ofCosts,
  showback: {
    account_id: texts,
    provider: texts,
    service: texts,
    region: texts,
    sub_account_id: texts,
    tag_key: text,
    tag_value: texts,
    cost_metric: oneOf(costMetrics),
  },
  inventory: {
    account_id: texts,
    provider: texts,
    resource_type: texts,
    service: texts,
    region: texts,
    tag_key: text,
    tag_value: tagValues,
    search: text,
    include_gone: flag,
  },
  recommendations: {
    account_id: texts,
    provider: texts,
    type: texts,
    status: listOf(oneOf(recommendationStatuses)),
    min_savings: number,
    include_snoozed: flag,
  },
  anomalies: {
    account_id: texts,
    provider: texts,
    service: texts,
    status: listOf(oneOf(anomalyStatuses)),
    severity: listOf(oneOf(severities)),
  },
  budgets: {
    account_id: texts,
    provider: texts,
    service: texts,
    sub_account_id: texts,
    tag_key: text,
    tag_value: tagValues,
    period: listOf(oneOf(budgetPeriods)),
    status: listOf(oneOf(budgetStatuses)),
  },
  coverage: { account_id: texts, provider: texts, service: texts, region: texts },
  invoices: { account_id: texts, status: listOf(oneOf(invoiceStatuses)), issuer: texts },
} as const satisfies Record<ReportType, FilterSpec & { readonly account_id: typeof texts }>;

/** The statuses of all listed objects. */
export const reportStatuses = [
  ...new Set([...recommendationStatuses, ...anomalyStatuses, ...budgetStatuses, ...invoiceStatuses]),
];

const allFilters = {
  ...filterSpecs.cost_summary,
  ...filterSpecs.inventory,
  ...filterSpecs.recommendations,
  ...filterSpecs.anomalies,
  ...filterSpecs.budgets,
  ...filterSpecs.invoices,
  status: listOf(oneOf(reportStatuses)),
} as const satisfies Record<FilterName, unknown>;

type FilterName = { [Type in ReportType]: keyof (typeof filterSpecs)[Type] }[ReportType];

/** Filters as stored with a report: validated, but unconverted. */
export type Filters = Readonly<Record<string, unknown>>;

/** The stored filters of any report; null if absent. */
export type StoredFilters = FiltersOf<typeof allFilters>;

/** Parses the filters column of a report or schedule. */
export function storedFilters(filters: unknown): StoredFilters {
  return readFilters(allFilters, isObject(filters) ? filters : {});
}

function isObject(value: unknown): value is Filters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Filters by the argument names of the query that the report runs. */
type Args<Filter> = { readonly [Name in keyof Filter as Name extends string ? CamelCase<Name> : never]: Filter[Name] };
type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** Converts a report's filters to the arguments of the question or list that it reports on, without dates.
 *  @throws {AppError} VALIDATION_ERROR naming the filter */
export function argsOf<Type extends ReportType>(
  type: Type,
  filters: Filters,
): Args<FiltersOf<(typeof filterSpecs)[Type]>> {
  const entries = Object.entries(readFilters<(typeof filterSpecs)[Type]>(filterSpecs[type], filters));
  return Object.fromEntries(entries.map(([name, value]) => [camelOf(name), value])) as ReturnType<typeof argsOf<Type>>;
}
