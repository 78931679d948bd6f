import { arg, argChoice, choice, fix, invalid, mention, not } from '../../kit/errors.ts';
import { blank, filledRule } from '../../kit/refusals.ts';
import type { CostMetric } from '../../facts/costs/query.ts';
import type { ChargeCategory, CostArgs, Granularity } from '../../facts/costs/question.ts';
import type { CoverageArgs } from '../../facts/coverage/run.ts';
import type { ResourceRequest } from '../../facts/inventory/input.ts';
import type { FilterInput } from '../../analysis/recommendations/input.ts';
import type { ReportType } from './kinds.ts';

/** Reads the value of one filter, strictly.
 *  @param at its name, for messages
 *  @throws {AppError} VALIDATION_ERROR naming the filter */
type FilterReader<Value> = (value: unknown, at: string) => Value;

/** The filters that a question takes, by their REST names. */
type FilterSpec = Readonly<Record<string, FilterReader<unknown>>>;

/** What filters of a spec come to; null where one was left out. */
type FiltersOf<Spec extends FilterSpec> = { readonly [Name in keyof Spec]: ReturnType<Spec[Name]> | null };

/** Bounds of a text: longer than every name that a cloud or a person gives. */
export const textRule = { ...filledRule, maxLength: 1_000 } as const;
/** Bounds of a list. */
export const listRule = { minItems: 1, maxItems: 1_000 } as const;

/** One text. */
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

/** One text, or a list of them. */
const texts: FilterReader<readonly string[]> = listOf(text);

/** As `texts`, of which each may be empty: clouds let a tag be without a value. */
const tagValues: FilterReader<readonly string[]> = listOf(anyText);

/** True or false. */
const flag: FilterReader<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw invalid`${arg(at, not(kindOf(value), null))} must be true or false`;
  return value;
};

/** A number. */
const number: FilterReader<number> = (value, at) => {
  if (typeof value !== 'number') throw invalid`${arg(at, not(kindOf(value), null))} must be a number`;
  return value;
};

/** One of some words. */
function oneOf<Word extends string>(words: readonly Word[]): FilterReader<Word> {
  return (value, at) => {
    const known = words.find((word) => word === value);
    if (known !== undefined) return known;
    const given = typeof value === 'string' ? argChoice(at, value) : arg(at, not(kindOf(value), null));
    throw invalid`${given} must be one of ${choice(at, ...words)}`;
  };
}

/** A value, or a list of at least one. */
function listOf<Value>(read: FilterReader<Value>): FilterReader<readonly Value[]> {
  return (value, at) => {
    if (!Array.isArray(value)) return [read(value, at)];
    if (value.length === 0) throw invalid`${arg(at)} must contain at least one value, or be left out`;
    if (value.length > listRule.maxItems)
      throw invalid`${arg(at)} has ${value.length} values; at most ${listRule.maxItems} are allowed`;
    return value.map((item: unknown, index) => read(item, `${at}[${index}]`));
  };
}

/** Reads the filters of a spec; null says the same as leaving one out.
 *  @throws {AppError} VALIDATION_ERROR naming the filter that is not known, or whose value is none */
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
  // Each entry is what its reader made.
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
const budgetStatuses = ['ok', 'warning', 'exceeded'] as const;

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

/** The filters of each type: those of the question or list that it is a report of. */
export const filterSpecs = {
  cost_summary: { ...ofCosts, granularity: oneOf(granularities) },
  cost_by_service: ofCosts,
  cost_by_account: ofCosts,
  cost_by_tag: ofCosts,
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
    status: listOf(oneOf(budgetStatuses)),
  },
  coverage: { account_id: texts, provider: texts, service: texts, region: texts },
} as const satisfies Record<ReportType, FilterSpec & { readonly account_id: typeof texts }>;

/** The statuses of what reports list. */
export const reportStatuses = [...new Set([...recommendationStatuses, ...anomalyStatuses, ...budgetStatuses])];

const allFilters = {
  ...filterSpecs.cost_summary,
  ...filterSpecs.inventory,
  ...filterSpecs.recommendations,
  ...filterSpecs.anomalies,
  status: listOf(oneOf(reportStatuses)),
} as const satisfies Record<FilterName, unknown>;

type FilterName = { [Type in ReportType]: keyof (typeof filterSpecs)[Type] }[ReportType];

/** The filters as a report keeps them: as they came, and strictly checked. */
export type Filters = Readonly<Record<string, unknown>>;

/** The filters of any report, as they are kept; null where one was left out. */
export type StoredFilters = FiltersOf<typeof allFilters>;

/** Reads the filters of a report or schedule from their column. */
export function storedFilters(filters: unknown): StoredFilters {
  return readFilters(allFilters, isObject(filters) ? filters : {});
}

function isObject(value: unknown): value is Filters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The filters of an anomaly or budget report, by their names. */
export function listFilters<Type extends 'anomalies' | 'budgets'>(
  type: Type,
  filters: Filters,
): FiltersOf<(typeof filterSpecs)[Type]> {
  return readFilters<(typeof filterSpecs)[Type]>(filterSpecs[type], filters);
}

/** The cost question that a report's filters ask; days are not among them.
 *  @throws {AppError} VALIDATION_ERROR naming the filter */
export function costArgs(
  type: 'cost_summary' | 'cost_by_service' | 'cost_by_account' | 'cost_by_tag',
  filters: Filters,
): CostArgs & { granularity: Granularity | null } {
  const read = readFilters(filterSpecs[type], filters);
  return {
    accountId: read.account_id,
    provider: read.provider,
    service: read.service,
    region: read.region,
    subAccountId: read.sub_account_id,
    chargeCategory: read.charge_category,
    tagKey: read.tag_key,
    tagValue: read.tag_value,
    untagged: read.untagged,
    costMetric: read.cost_metric,
    granularity: 'granularity' in read ? read.granularity : null,
  };
}

/** The resources that a report's filters name.
 *  @throws {AppError} VALIDATION_ERROR naming the filter */
export function inventoryArgs(filters: Filters): ResourceRequest {
  const read = readFilters(filterSpecs.inventory, filters);
  return {
    accountId: read.account_id,
    provider: read.provider,
    resourceType: read.resource_type,
    service: read.service,
    region: read.region,
    tagKey: read.tag_key,
    tagValue: read.tag_value,
    search: read.search,
    includeGone: read.include_gone,
  };
}

/** The recommendations that a report's filters name.
 *  @throws {AppError} VALIDATION_ERROR naming the filter */
export function recommendationArgs(filters: Filters): FilterInput {
  const read = readFilters(filterSpecs.recommendations, filters);
  return {
    accountId: read.account_id,
    provider: read.provider,
    type: read.type,
    status: read.status,
    minSavings: read.min_savings,
    includeSnoozed: read.include_snoozed,
  };
}

/** The coverage question that a report's filters ask; days are not among them.
 *  @throws {AppError} VALIDATION_ERROR naming the filter */
export function coverageArgs(filters: Filters): CoverageArgs {
  const read = readFilters(filterSpecs.coverage, filters);
  return { accountId: read.account_id, provider: read.provider, service: read.service, region: read.region };
}
