import { filterOf } from '../../analysis/recommendations/input.ts';
import { completeThrough } from '../../facts/costs/compose.ts';
import { resolveQuestion, type CostRequest, type View } from '../../facts/costs/question.ts';
import { prepareCosts } from '../../facts/costs/run.ts';
import { prepareCoverage } from '../../facts/coverage/run.ts';
import { resourceFilter } from '../../facts/inventory/input.ts';
import { lastCompleteDay } from '../../kit/compared-days.ts';
import type { Deps } from '../../kit/deps.ts';
import { parseProviders } from '../../facts/provider.ts';
import { AppError, arg, invalid } from '../../kit/errors.ts';
import { dayOf, type DayRange } from '../../kit/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import {
  costArgs,
  coverageArgs,
  filterSpecs,
  inventoryArgs,
  listFilters,
  recommendationArgs,
  type Filters,
} from './filters.ts';
import type { ReportType } from './kinds.ts';

/** Days as a client gives them, both inclusive; null for the default of the type. */
export interface AskedDays {
  readonly startDate?: string | null;
  readonly endDate?: string | null;
}

const views = {
  cost_summary: 'summary',
  cost_by_service: 'by-service',
  cost_by_account: 'by-account',
  cost_by_tag: 'by-tag',
} as const satisfies Partial<Record<ReportType, View>>;

const mostFilterCharacters = 50_000;

/** Checks what a report is to be about, just as the question or list that it is of does.
 *  @returns the days that it is about; by default those of that question
 *  @throws {AppError} VALIDATION_ERROR naming the field or filter */
export async function resolveReport(
  deps: Pick<Deps, 'pool' | 'clock' | 'engine'>,
  scope: OrgScope,
  report: AskedDays & { type: ReportType; filters: Filters },
): Promise<DayRange> {
  try {
    return await resolveDays(deps, scope, report);
  } catch (error) {
    // The question names its parameters, which are filters here.
    throw error instanceof AppError ? error.within('filters', Object.keys(filterSpecs[report.type])) : error;
  }
}

async function resolveDays(
  deps: Pick<Deps, 'pool' | 'clock' | 'engine'>,
  scope: OrgScope,
  { type, filters, startDate = null, endDate = null }: AskedDays & { type: ReportType; filters: Filters },
): Promise<DayRange> {
  const size = JSON.stringify(filters).length;
  if (size > mostFilterCharacters)
    throw invalid`${arg('filters')} come to ${size} characters of JSON; at most ${mostFilterCharacters} are allowed`;
  const days = { startDate, endDate };
  const now = deps.clock.now();
  const today = dayOf(now);
  switch (type) {
    case 'cost_summary':
    case 'cost_by_service':
    case 'cost_by_account':
    case 'cost_by_tag':
      return costRange(deps, scope, { ...costArgs(type, filters), ...days, view: views[type] });
    case 'coverage':
      return (await prepareCoverage(deps, scope, { ...coverageArgs(filters), ...days })).question.range;
    case 'inventory':
      resourceFilter(inventoryArgs(filters));
      break;
    case 'recommendations':
      filterOf(recommendationArgs(filters), now);
      break;
    case 'anomalies':
      parseProviders(listFilters(type, filters).provider);
      return costRange(deps, scope, { ...days, view: 'daily' });
    case 'budgets':
      parseProviders(listFilters(type, filters).provider);
      break;
    default:
      return type satisfies never;
  }
  return resolveQuestion({ ...days, view: 'daily' }, today).range;
}

/** The days of a question about costs; without dates they end with the last complete one. */
async function costRange(deps: Pick<Deps, 'pool' | 'clock'>, scope: OrgScope, request: CostRequest): Promise<DayRange> {
  const { question, accounts } = await prepareCosts(deps, scope, request);
  if ((request.startDate ?? request.endDate ?? null) !== null) return question.range;
  const today = dayOf(deps.clock.now());
  return resolveQuestion(request, lastCompleteDay(completeThrough(accounts, question.range), today)).range;
}
