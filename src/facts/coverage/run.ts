import { lastCompleteDay } from '../../kit/time/compared-days.ts';
import { addDays, dayOf, type Day, type DayRange } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { AnswerCache } from '../../kit/answer-cache.ts';
import { Limiter } from '../../kit/process/limiter.ts';
import {
  readCaveats,
  prepare as prepareCosts,
  readLedger,
  type CostAccount,
  type CostDeps,
  type Prepared,
} from '../costs/ledger.ts';
import { valuesOf } from '../costs/query.ts';
import { resolveQuestion, type CostArgs, type CostQuestion } from '../costs/question.ts';
import { composeCoverage, composeDaily, type CoverageFacts } from './compose.ts';
import type { Coverage, CoverageDaily } from './graphql-types.ts';
import { currentRules } from './lines.ts';
import { readCoverage, type Reading } from './store.ts';

export { refreshCoverage, replaceFlagged } from './days-store.ts';

/** Dependencies of coverage answers. */
export type CoverageDeps = CostDeps;

/** Request parameters by their GraphQL names. */
export type CoverageArgs = Pick<CostArgs, 'startDate' | 'endDate' | 'accountId' | 'provider' | 'service' | 'region'>;

/** A resolved coverage question. */
export type PreparedCoverage = Prepared<CostQuestion>;

/** Length of the daily history, in days. */
const dailyDays = 90;
const defaultDays = 30;

/** Resolves a request for a range, by default the last 30 days with complete bills (later days would show too little
 *  coverage), and reads the versions it depends on.
 *  @throws {AppError} VALIDATION_ERROR for invalid parameters */
export function prepareCoverage(deps: CoverageDeps, scope: OrgScope, args: CoverageArgs): Promise<PreparedCoverage> {
  const hasDates = (args.startDate ?? args.endDate ?? null) !== null;
  return prepare(deps, scope, args, hasDates ? null : defaultDays);
}

/** Same as `prepareCoverage`, but for the last days with complete bills, ignoring the dates.
 *  @throws {AppError} VALIDATION_ERROR for invalid parameters */
export function prepareHistory(
  deps: CoverageDeps,
  scope: OrgScope,
  args: CoverageArgs,
  days = dailyDays,
): Promise<PreparedCoverage> {
  return prepare(deps, scope, args, days);
}

async function prepare(
  deps: CoverageDeps,
  scope: OrgScope,
  args: CoverageArgs,
  days: number | null,
): Promise<PreparedCoverage> {
  const today = dayOf(deps.clock.now());
  const ledger = await readLedger(deps.pool, scope);
  const asked = resolveQuestion({ ...args, view: 'daily', costMetric: 'effective' }, today);
  const { accounts } = prepareCosts(ledger, asked);
  const range = days === null ? asked.range : lastDays(days, accounts, today);
  const prepared = prepareCosts(ledger, { ...asked, range });
  return { ...prepared, key: `${prepared.key}-${currentRules}` };
}

/** Returns the last days up to the last one with complete bills; up to today without any. */
function lastDays(days: number, accounts: readonly CostAccount[], today: Day): DayRange {
  const last = lastCompleteDay(
    accounts.flatMap(({ completeThrough }) => completeThrough ?? []),
    today,
  );
  const end = addDays(last ?? today, 1);
  return { start: addDays(end, -days), end };
}

/** Each read holds a database connection for up to a second: one member's reads must leave most of them to other requests. */
const reads = new Limiter({ limit: 8, limitPerOwner: 2 });

/** Reads the inputs of an answer. A member's reads run at most two at a time. */
export async function readCoverageFacts(
  deps: CoverageDeps,
  { question: { range, query }, ledger, accounts }: PreparedCoverage,
  reading: Reading,
): Promise<CoverageFacts> {
  const slice = { ...ledger, accountIds: accounts.map(({ id }) => id) };
  const filter = {
    range,
    providers: valuesOf(query, 'provider'),
    services: valuesOf(query, 'service'),
    regions: valuesOf(query, 'region'),
  };
  const { scope } = ledger;
  const reader = { group: scope.organizationId, owner: scope.userId ?? '' };
  const [cells, caveats] = await Promise.all([
    accounts.length === 0 ? [] : reads.run(() => readCoverage(deps, { scope, slice, filter, reading }), reader),
    readCaveats(deps.pool, slice, query, range),
  ]);
  return { range, ledger, accounts, cells, ...caveats };
}

const splits = new AnswerCache<Coverage>();
const histories = new AnswerCache<CoverageDaily>();

/** Returns the split of spend and the coverage of eligible usage. */
export async function readSplit(deps: CoverageDeps, prepared: PreparedCoverage): Promise<Coverage> {
  return splits.get(deps.pool, prepared.key, async () =>
    composeCoverage(await readCoverageFacts(deps, prepared, { grouping: 'split' })),
  );
}

/** Returns the split of each day of the prepared range. */
export async function readDaily(deps: CoverageDeps, prepared: PreparedCoverage): Promise<CoverageDaily> {
  return histories.get(deps.pool, prepared.key, async () =>
    composeDaily(await readCoverageFacts(deps, prepared, { grouping: 'daily' })),
  );
}
