import { filterOf } from '../../analysis/recommendations/input.ts';
import { completeThroughs } from '../../facts/costs/compose.ts';
import { type CostRequest, resolveQuestion, type View } from '../../facts/costs/question.ts';
import { prepareCosts } from '../../facts/costs/run.ts';
import { prepareCoverage } from '../../facts/coverage/run.ts';
import { resourceFilter } from '../../facts/inventory/input.ts';
import { lastCompleteDay } from '../../kit/time/compared-days.ts';
import type { Deps } from '../../kit/deps.ts';
import { parseProviders } from '../../facts/provider.ts';
import { AppError, arg, argItem, invalid } from '../../kit/errors/errors.ts';
import { addDays, addMonths, dayOf, firstDay, lastDay, monthOf, type DayRange } from '../../kit/time/period.ts';
import { type OrgScope, unknownAccount } from '../../tenancy/auth/scope.ts';
import { showbackQuestion } from './data/showback.ts';
import { argsOf, type Filters, filterSpecs, readFilters } from './filters.ts';
import type { ReportRef } from './generate.ts';
import type { ReportFormat, ReportType } from './kinds.ts';
import type { Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import { type Actor, writeAudit } from '../../tenancy/audit/store.ts';
import { accountsInScope, holdAccounts, insertReport, type NewReport, type Report } from './store.ts';

export { pageReports } from './store.ts';

/** Requested days, both inclusive; null for the default of the type. */
interface AskedDays {
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

/** Validates a report's parameters in the same way as the question or list it reports on.
 *  @returns the days covered; by default those of that question
 *  @throws {AppError} VALIDATION_ERROR naming the field or filter */
async function resolveReport(
  deps: Pick<Deps, 'pool' | 'clock' | 'engine'>,
  scope: OrgScope,
  report: AskedDays & { type: ReportType; filters: Filters },
): Promise<DayRange> {
  try {
    return await resolveDays(deps, scope, report);
  } catch (error) {
    // The question's parameters are filters here.
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
    throw invalid`${arg('filters')} have ${size} characters as JSON; at most ${mostFilterCharacters} are allowed`;
  const days = { startDate, endDate };
  const now = deps.clock.now();
  const today = dayOf(now);
  switch (type) {
    case 'cost_summary':
    case 'cost_by_service':
    case 'cost_by_account':
    case 'cost_by_tag':
      return costRange(deps, scope, { ...argsOf(type, filters), ...days, view: views[type] });
    case 'showback':
      return showbackRange(deps, scope, { ...showbackQuestion(filters), ...days });
    case 'coverage':
      return (await prepareCoverage(deps, scope, { ...argsOf(type, filters), ...days })).question.range;
    case 'inventory':
      resourceFilter(argsOf(type, filters));
      break;
    case 'recommendations':
      filterOf(argsOf(type, filters), now);
      break;
    case 'anomalies':
      parseProviders(argsOf(type, filters).provider);
      return costRange(deps, scope, { ...days, view: 'daily' });
    case 'invoices':
      argsOf(type, filters);
      return costRange(deps, scope, { ...days, view: 'daily' });
    case 'budgets':
      parseProviders(argsOf(type, filters).provider);
      break;
    default:
      return type satisfies never;
  }
  return resolveQuestion({ ...days, view: 'daily' }, today).range;
}

/** Resolves the days of a showback; without dates they are the last calendar month. */
async function showbackRange(
  deps: Pick<Deps, 'pool' | 'clock'>,
  scope: OrgScope,
  request: CostRequest,
): Promise<DayRange> {
  const month = addMonths(monthOf(dayOf(deps.clock.now())), -1);
  const isOpen = (request.startDate ?? request.endDate ?? null) === null;
  const asked = isOpen ? { ...request, startDate: firstDay(month), endDate: lastDay(month) } : request;
  return (await prepareCosts(deps, scope, asked)).question.range;
}

/** Resolves the days of a cost question; without dates they end with the last complete one. */
async function costRange(deps: Pick<Deps, 'pool' | 'clock'>, scope: OrgScope, request: CostRequest): Promise<DayRange> {
  const { question, accounts } = await prepareCosts(deps, scope, request);
  if ((request.startDate ?? request.endDate ?? null) !== null) return question.range;
  const { range, until } = question;
  return resolveQuestion(request, lastCompleteDay(completeThroughs(accounts, range), until) ?? until).range;
}

/** Retention of reports, in days. */
const keptDays = 30;
const msPerDay = 86_400_000;

/** Input of a report. */
export interface ReportInput extends AskedDays {
  readonly type: ReportType;
  readonly format: ReportFormat;
  readonly filters?: Filters | null;
  /** Whether the creator gets the file by email; default: true. A schedule has its own recipients. */
  readonly email?: boolean | null;
  /** The schedule that creates it. */
  readonly scheduleId?: string | null;
}

/** The owner of the report and their scope. */
interface ReportMaker {
  readonly userId: string;
  readonly scope: OrgScope;
}

/** Creates a report and queues the job that writes its file.
 *  @throws {AppError} VALIDATION_ERROR naming the field or filter */
export async function createReport(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'queue' | 'engine'>,
  maker: ReportMaker,
  actor: Actor,
  input: ReportInput,
): Promise<Report> {
  const planned = await planReport(deps, maker, input);
  const mailTo = input.email === false ? undefined : maker.userId;
  return deps.db.$transaction((db) => addReport(deps, db, actor, { planned, mailTo }));
}

/** Validates the parameters of a report and resolves its accounts. Writes nothing.
 *  @throws {AppError} VALIDATION_ERROR naming the field or filter */
export async function planReport(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'engine'>,
  { userId, scope }: ReportMaker,
  input: ReportInput,
): Promise<NewReport> {
  const given = input.filters ?? {};
  const asked = readFilters<(typeof filterSpecs)[ReportType]>(filterSpecs[input.type], given).account_id;
  const accountIds = await aboutAccounts(deps.db, scope, asked);
  // For creators with access to only some accounts, the report itself lists which.
  const filters = asked === null && accountIds !== null ? { ...given, account_id: accountIds } : given;
  const { type, format, scheduleId = null } = input;
  const range = await resolveReport(deps, scope, { ...input, filters });
  const now = deps.clock.now();
  return {
    type,
    format,
    filters,
    scheduleId,
    accountIds,
    startDate: range.start,
    endDate: addDays(range.end, -1),
    createdBy: userId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + keptDays * msPerDay),
  };
}

/** Inserts a planned report and queues the job that writes its file.
 *  @param db the caller's transaction
 *  @param to `mailTo`: the user who gets the file by email; `forValue`: the value whose recipients get it */
export async function addReport(
  deps: Pick<Deps, 'queue'>,
  db: Db,
  actor: Actor,
  { planned, ...to }: { readonly planned: NewReport } & Pick<ReportRef, 'mailTo' | 'forValue'>,
): Promise<Report> {
  const { organizationId } = actor;
  await holdAccounts(db, organizationId, planned.accountIds ?? []);
  const report = await insertReport(db, organizationId, planned);
  const { id, type, format, startDate, endDate, accountIds, scheduleId } = report;
  const details = {
    type,
    format,
    start_date: startDate,
    end_date: endDate,
    ...(scheduleId !== null && { schedule_id: scheduleId }),
  };
  const entry = { action: 'report_generated', resourceType: 'report', resourceId: id, details } as const;
  // One audit entry per account, so that readers with access to some accounts see only those.
  for (const accountId of accountIds ?? [null]) await writeAudit(db, actor, { ...entry, accountId });
  await deps.queue.add('generate_report', { organizationId, reportId: id, ...to }, { within: db });
  return report;
}

/** Returns the accounts that a report covers: the requested ones, or the creator's; null for all of the organization.
 *  @throws {AppError} VALIDATION_ERROR for an unknown account, and one outside the scope alike */
async function aboutAccounts(db: Db, scope: OrgScope, asked: readonly string[] | null): Promise<string[] | null> {
  if (asked === null) return scope.accountIds === null ? null : accountsInScope(db, scope, null);
  const known = new Set(await accountsInScope(db, scope, asked.filter(isUuid)));
  for (const [index, value] of asked.entries()) {
    if (known.has(value)) continue;
    throw unknownAccount(argItem('filters.account_id', { index, count: asked.length, value }));
  }
  return [...known];
}
