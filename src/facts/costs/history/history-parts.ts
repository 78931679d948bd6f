import { sumAmounts, type Amount } from '../../../kit/money.ts';
import { compare } from '../../../kit/sort.ts';
import {
  addDays,
  addMonths,
  earlierDay,
  firstDay,
  laterDay,
  monthOf,
  type Day,
  type DayRange,
} from '../../../kit/time/period.ts';
import { amountsBy, convertedOf, type CostCell } from '../cells.ts';
import type { CostAccount, Ledger } from '../ledger.ts';
import { filterOf, withoutFilters, type CostQuery } from '../query.ts';
import { readCells, type ScopedSlice } from '../reading/read.ts';
import type { ExactDeps } from './exact.ts';
import { comparedDays, type AccountDays } from './history-links.ts';

/** Costs by day, and the part of them that accounts have whose bills begin inside the history. */
export interface Costs {
  readonly costs: ReadonlyMap<Day, Amount>;
  readonly late: readonly AccountDays[];
}

/** Number of services with a part of their own. */
const mostServices = 11;
/** Newest days that decide which services these are: a quarter. */
const rankedDays = 91;

/** Returns the services with the highest costs at the end of a history, highest first. */
export async function largestServices(
  deps: ExactDeps,
  slice: ScopedSlice,
  { query, range }: { readonly query: CostQuery; readonly range: DayRange },
): Promise<string[]> {
  const newest = { start: laterDay(range.start, addDays(range.end, -rankedDays)), end: range.end };
  const cells = await readCells(deps, slice, { ...query, range: newest, bucket: 'none', dimensions: ['service'] });
  const costs = [...amountsBy(convertedOf(cells), ({ keys }) => keys[0] ?? null)].filter(([, cost]) => cost > 0n);
  costs.sort(([a, costA], [b, costB]) => compare(costB, costA) || compare(a, b));
  return costs.slice(0, mostServices).map(([service]) => service);
}

/** Reads the daily costs of each of some services. */
export async function readServices(
  deps: ExactDeps,
  slice: ScopedSlice,
  query: CostQuery,
  services: readonly string[],
): Promise<CostCell[]> {
  const { include, exclude } = withoutFilters(query, 'service');
  const filters = { include: [...include, filterOf('service', services)], exclude };
  return convertedOf(await readCells(deps, slice, { ...query, ...filters, dimensions: ['service'] }));
}

/** Costs of accounts whose bills begin inside a history. */
export interface LateCosts {
  readonly all: readonly AccountDays[];
  ofServices(service: string): AccountDays[];
}

/** Reads the first days of late accounts, as many as links need and up to the end of the month. Runs one query per start
 *  day: a single query over all accounts and days would return a hundred times as many rows. */
export async function readLateCosts(
  deps: ExactDeps,
  { ledger, query, used }: { ledger: Ledger; query: CostQuery; used: readonly CostAccount[] },
  { start, end }: DayRange,
): Promise<LateCosts> {
  const late = used.filter(({ dataFrom }) => dataFrom !== null && dataFrom > start && dataFrom < end);
  const cells: CostCell[] = [];
  for (const [dataFrom, accounts] of Map.groupBy(late, (account) => account.dataFrom ?? end)) {
    const monthEnd = firstDay(addMonths(monthOf(dataFrom), 1));
    const range = { start: dataFrom, end: earlierDay(end, laterDay(monthEnd, addDays(dataFrom, comparedDays))) };
    const slice = { ...ledger, accountIds: accounts.map(({ id }) => id) };
    cells.push(...convertedOf(await readCells(deps, slice, { ...query, range, dimensions: ['account', 'service'] })));
  }
  const daysOf = (own: readonly CostCell[]) => {
    const byAccount = Map.groupBy(own, ({ keys }) => keys[0]);
    return late.map(({ id, dataFrom }) => ({
      dataFrom: dataFrom ?? end,
      costs: amountsBy(byAccount.get(id) ?? [], ({ period }) => period),
    }));
  };
  return { all: daysOf(cells), ofServices: (service) => daysOf(cells.filter(({ keys }) => keys[1] === service)) };
}

/** Divides costs into those of each service and those of all others, if these have any. */
export function partsOf(
  whole: Costs,
  names: readonly string[],
  { services, late }: { readonly services: readonly CostCell[]; readonly late: LateCosts['ofServices'] },
): (Costs & { readonly service: string | null })[] {
  const byService = Map.groupBy(services, ({ keys }) => keys[0]);
  const parts = names.map((service) => ({
    service,
    costs: amountsBy(byService.get(service) ?? [], ({ period }) => period),
    late: late(service),
  }));
  const costs = without(
    whole.costs,
    parts.map((part) => part.costs),
  );
  if (![...costs.values()].some((cost) => cost !== 0n)) return parts;
  const others = whole.late.map(({ dataFrom, costs: all }, at) => ({
    dataFrom,
    costs: without(
      all,
      parts.map((part) => part.late[at]?.costs ?? new Map()),
    ),
  }));
  return [...parts, { service: null, costs, late: others }];
}

function without(whole: ReadonlyMap<Day, Amount>, parts: readonly ReadonlyMap<Day, Amount>[]): Map<Day, Amount> {
  return new Map([...whole].map(([day, cost]) => [day, cost - sumAmounts(parts.map((part) => part.get(day) ?? 0n))]));
}
