import type { Amount } from '../../kit/money.ts';
import { addDays, daysIn, type Day, type DayRange } from '../../kit/time/period.ts';
import { isCovered, type CoverageCell, type CoverageFacts } from '../../facts/coverage/compose.ts';
import type { CoveredUsage } from './plan.ts';
import { programOf, type Program } from '../../facts/coverage/programs.ts';
import { hoursPerDay, type DayDemand } from './quantile.ts';

type Account = CoverageFacts['accounts'][number];

/** Usage that can share one commitment, with its history. Numbers are in the answer's currency. */
export interface Pool {
  readonly account: Account;
  readonly program: Program;
  readonly services: readonly string[];
  /** Null: all regions. */
  readonly region: string | null;
  readonly family: string | null;
  /** For each day of the history: usage that is on demand or will be when commitments end, and usage that stays covered. */
  readonly days: readonly DayDemand[];
  /** On-demand cost over all days: usage that stays covered, usage covered by an expiring commitment, and usage on demand. */
  readonly covered: number;
  readonly expiring: number;
  readonly onDemand: number;
  /** The part that is expected to end; excluded from `days`. */
  readonly flagged: number;
  /** The program's covered usage in this account: amortized and on-demand cost. */
  readonly observed: CoveredUsage;
}

/** Groups cells of eligible usage into pools, lazily: one per account and program; for regional programs also per region and
 *  family. Covered usage outside all programs is in no pool.
 *  @param range the days read; an account's history is the part of it with complete bills
 *  @param flagged the part of the on-demand usage that is expected to end; nothing is left out without it */
export function* poolsOf(
  cells: readonly CoverageCell[],
  accounts: readonly Account[],
  range: DayRange,
  flagged: readonly CoverageCell[] = [],
): Generator<Pool> {
  const byAccount = new Map(accounts.map((account) => [account.id, account]));
  const observed = Map.groupBy(cells, (cell) => JSON.stringify([cell.accountId, cell.program]));
  const groups = Map.groupBy(cells, (cell) => JSON.stringify(keyOf(cell)));
  const endings = Map.groupBy(flagged, (cell) => JSON.stringify(keyOf(cell)));
  for (const [key, members] of groups) {
    const [first] = members;
    const account = byAccount.get(first?.accountId ?? '');
    const program = programOf(first?.program ?? '');
    if (!first || !account || !program) continue;
    const own = observed.get(JSON.stringify([first.accountId, first.program])) ?? [];
    const ending = endings.get(key) ?? [];
    yield poolOf(members, { account, program, history: historyOf(account, range), own, ending });
  }
}

/** Returns the part of a range with complete bills of an account. */
function historyOf(account: Account, range: DayRange): DayRange {
  const { dataFrom, completeThrough } = account;
  if (dataFrom === null || completeThrough === null) return { start: range.start, end: range.start };
  const end = addDays(completeThrough, 1);
  return {
    start: dataFrom > range.start ? dataFrom : range.start,
    end: end < range.end ? end : range.end,
  };
}

/** Converts an amount to whole units, for statistics: no longer exact. */
export function numberOf(amount: Amount): number {
  return Number(amount) / 1e24;
}

function keyOf({ accountId, program, region, pool }: CoverageCell): readonly (string | null)[] {
  const isRegional = programOf(program ?? '')?.isRegional ?? false;
  return isRegional ? [accountId, program, region, pool] : [accountId, program];
}

interface PoolContext {
  readonly account: Account;
  readonly program: Program;
  readonly history: DayRange;
  /** The account's cells of the program, in all regions and pools. */
  readonly own: readonly CoverageCell[];
  /** The part of the pool that will end. */
  readonly ending: readonly CoverageCell[];
}

function poolOf(members: readonly CoverageCell[], { account, program, history, own, ending }: PoolContext): Pool {
  const isInHistory = ({ date }: CoverageCell) => date !== null && date >= history.start && date < history.end;
  const inHistory = members.filter(isInHistory);
  const flagged = ending.filter(isInHistory);
  const kind = program.kind === 'reserved' ? 3 : 4;
  const same = own.filter(({ pricingKind }) => pricingKind === kind);
  const [first] = members;
  return {
    account,
    program,
    services: [...new Set(inHistory.map(({ service }) => service ?? ''))].sort(),
    region: program.isRegional ? (first?.region ?? null) : null,
    family: program.isRegional ? first?.pool || null : null,
    days: daysOf([...inHistory, ...flagged.map(negative)], history),
    covered: total(inHistory.filter(staysCovered)),
    expiring: total(inHistory.filter((cell) => isCovered(cell) && cell.isExpiring)),
    onDemand: total(inHistory.filter((cell) => !isCovered(cell))),
    flagged: total(flagged),
    observed: { effective: sum(same, ({ effective }) => effective), equivalent: total(same) },
  };
}

/** Returns the cell that cancels out a cell. */
function negative(cell: CoverageCell): CoverageCell {
  return {
    ...cell,
    effective: -cell.effective,
    equivalent: -cell.equivalent,
    steady: -cell.steady,
    hourly: cell.hourly?.map((hour) => -hour) ?? null,
    uneven: -cell.uneven,
  };
}

function daysOf(cells: readonly CoverageCell[], history: DayRange): DayDemand[] {
  const byDay = Map.groupBy(cells, (cell): Day | null => cell.date);
  return daysIn(history).map((date) => {
    const ofDay = byDay.get(date) ?? [];
    const demanded = ofDay.filter((cell) => !staysCovered(cell));
    const covered = ofDay.filter(staysCovered);
    return {
      cost: total(demanded),
      steady: steadyOf(demanded),
      hourly: hourlyOf(demanded),
      uneven: sum(demanded, ({ uneven }) => uneven),
      coveredUnsteady: total(covered) - steadyOf(covered) - hourlyOf(covered).reduce((so, hour) => so + hour, 0),
    };
  });
}

function staysCovered(cell: CoverageCell): boolean {
  return isCovered(cell) && !cell.isExpiring;
}

function steadyOf(cells: readonly CoverageCell[]): number {
  return sum(cells, ({ steady }) => steady);
}

/** Sums cost with hourly data by hour of the day. */
function hourlyOf(cells: readonly CoverageCell[]): number[] {
  return Array.from({ length: hoursPerDay }, (_, hour) =>
    cells.reduce((so, { hourly }) => so + (hourly?.[hour] ?? 0), 0),
  );
}

function total(cells: readonly CoverageCell[]): number {
  return sum(cells, ({ equivalent }) => equivalent);
}

function sum(cells: readonly CoverageCell[], amountOf: (cell: CoverageCell) => Amount): number {
  return cells.reduce((so, cell) => so + numberOf(amountOf(cell)), 0);
}
