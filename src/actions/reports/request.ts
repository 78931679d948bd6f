import { filterOf } from '../../analysis/recommendations/input.ts';
import { resolveQuestion, type View } from '../../facts/costs/question.ts';
import { prepareCoverage } from '../../facts/coverage/run.ts';
import { resourceFilter } from '../../facts/inventory/input.ts';
import type { Deps } from '../../kit/deps.ts';
import { invalid } from '../../kit/errors.ts';
import { dayOf, type DayRange } from '../../kit/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { costArgs, coverageArgs, inventoryArgs, listFilters, recommendationArgs, type Filters } from './filters.ts';
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
  { type, filters, startDate = null, endDate = null }: AskedDays & { type: ReportType; filters: Filters },
): Promise<DayRange> {
  const size = JSON.stringify(filters).length;
  if (size > mostFilterCharacters)
    throw invalid(`filters come to ${size} characters of JSON; at most ${mostFilterCharacters} are taken`);
  const days = { startDate, endDate };
  const now = deps.clock.now();
  const today = dayOf(now);
  switch (type) {
    case 'cost_summary':
    case 'cost_by_service':
    case 'cost_by_account':
    case 'cost_by_tag':
      return resolveQuestion({ ...costArgs(type, filters), ...days, view: views[type] }, today).range;
    case 'coverage':
      return (await prepareCoverage(deps, scope, { ...coverageArgs(filters), ...days })).question.range;
    case 'inventory':
      resourceFilter(inventoryArgs(filters));
      break;
    case 'recommendations':
      filterOf(recommendationArgs(filters), now);
      break;
    case 'anomalies':
    case 'budgets':
      listFilters(type, filters);
      break;
    default:
      return type satisfies never;
  }
  return resolveQuestion({ ...days, view: 'daily' }, today).range;
}
