import { Prisma } from '../../../../prisma/generated/client/client.ts';
import { grainCodes, rollups } from '../../../engine/codebook.ts';
import type { AnswerPlan } from '../../../engine/engine.ts';
import { openFacts } from '../../../engine/fact-set.ts';
import type { Deps } from '../../../kit/deps.ts';
import { addDays, firstDay, monthOf, type DayRange } from '../../../kit/time/period.ts';
import { Limiter } from '../../../kit/process/limiter.ts';
import { nameMatches } from '../../../kit/text/service-aliases.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { unconvertedOf, type CostCell } from '../cells.ts';
import type { FactBasis, ForeignRate } from './fact-sql.ts';
import { readSubAccountNames } from './labels.ts';
import {
  joinsManyRows,
  planReading,
  smallestRollup,
  tagKeysOf,
  virtualKeysOf,
  type FactSpan,
  type Span,
} from './planner.ts';
import type { CostQuery } from '../query.ts';
import { rankCells, sumsOfAll, type RankBy, type RankedCosts, type Ranking } from './ranking.ts';
import { rankFacts, readFactCells, type FactSource, type RankingSources } from './facts.ts';
import { readRollups, readTagRollups, type TaggedSlice } from './rollups.ts';
import { inSnapshot, ownership, run, type LedgerSlice, type Reader } from './sql.ts';
import { readTagBasis } from './tag-basis.ts';
import type { Ledger } from '../ledger.ts';
import { holdsIn, monthlyRates } from '../../currencies.ts';

/** Dependencies of reads. */
export type ReadDeps = Pick<Deps, 'pool' | 'engine'>;

/** The ledger to read, with the caller's scope. */
export interface ScopedSlice extends TaggedSlice {
  readonly scope: OrgScope;
}

/** Reads of rollups can hold a database connection for a second: those of one member must leave most to other requests. */
const reads = new Limiter({ limit: 8, limitPerOwner: 2 });

function limited<Result>({ scope }: ScopedSlice, read: () => Promise<Result>): Promise<Result> {
  return reads.run(read, { group: scope.organizationId, owner: scope.userId ?? '' });
}

/** Reads the exact cells of a query, in the ledger's currency, from the smallest source that holds them. */
export async function readCells(
  { pool, engine }: ReadDeps,
  slice: ScopedSlice,
  query: CostQuery,
  signal?: AbortSignal,
): Promise<CostCell[]> {
  if (slice.accountIds.length === 0) return [];
  const read = (reader: Reader) => open(reader, slice, query);
  const needsOneMoment =
    joinsManyRows(query) ||
    planReading(query, smallestRollup(query, slice.virtualTags)).some(({ from }) => from === 'facts');
  const opened = await limited(slice, () => (needsOneMoment ? inSnapshot(pool, read) : read(pool)));
  engine.countAnswer(planOf([opened]));
  if (opened.facts === null) return [...opened.cells];
  return [...opened.cells, ...(await readFactCells(engine, opened.facts, query, signal))];
}

/** Reads the top groups of a query and the totals of all groups. */
export async function readRanking(
  deps: ReadDeps,
  ledger: Ledger & ScopedSlice,
  { query, ranking }: { readonly query: CostQuery; readonly ranking: Ranking },
  signal?: AbortSignal,
): Promise<RankedCosts> {
  const previous: CostQuery | null =
    ranking.previous === null ? null : { ...query, range: ranking.previous, bucket: 'none' };
  const by = await rankBy(deps, ledger, query, ranking);
  const ranked = await rank(deps, ledger, { query, previous, ranking, by }, signal);
  // Without dimensions there is always exactly one row.
  if (query.dimensions.length > 0 || ranked.rows.length > 0) return ranked;
  const nothing = { keys: [], cost: 0n, previous: 0n, quantity: null, unit: null, points: new Map() };
  return { ...ranked, rows: [nothing], rowCount: 1, matchCount: 1 };
}

interface RankingTask {
  readonly query: CostQuery;
  /** The same query for the comparison range. */
  readonly previous: CostQuery | null;
  readonly ranking: Ranking;
  readonly by: RankBy;
}

async function rank(
  { pool, engine }: ReadDeps,
  ledger: Ledger & ScopedSlice,
  { query, previous, ranking, by }: RankingTask,
  signal: AbortSignal | undefined,
): Promise<RankedCosts> {
  if (ledger.accountIds.length === 0) return rankCells([], [], by);
  const cellsOf = async (opened: Opened, asked: CostQuery) => [
    ...opened.cells,
    ...(opened.facts ? await readFactCells(engine, opened.facts, asked, signal) : []),
  ];
  const undivided: CostQuery = { ...query, dimensions: [] };
  const undividedBefore = previous && { ...previous, dimensions: [] };
  const openAll = async (reader: Reader) => {
    const opened = {
      current: await open(reader, ledger, query),
      before: previous && (await open(reader, ledger, previous)),
    };
    return { ...opened, facts: await openRanking(reader, ledger, { query, undivided, undividedBefore, ...opened }) };
  };
  const { current, before, facts } = await limited(ledger, () => inSnapshot(pool, openAll));
  engine.countAnswer(planOf([current, before]));
  if (facts === null)
    return rankCells(await cellsOf(current, query), previous && before ? await cellsOf(before, previous) : [], by);
  const inQuestion = ledger.accounts.filter(({ id }) => ledger.accountIds.includes(id));
  const accountNames = new Map(inQuestion.map(({ id, name }) => [id, name]));
  const [whole, wholeBefore, ranked] = await Promise.all([
    facts.undivided && cellsOf(facts.undivided, undivided),
    facts.undividedBefore && undividedBefore && cellsOf(facts.undividedBefore, undividedBefore),
    rankFacts(engine, facts, { query, ranking: { ...ranking, ...by, accountNames } }, signal),
  ]);
  return {
    ...ranked,
    ...(whole && sumsOfAll(whole)),
    ...(wholeBefore && { previousUnconverted: unconvertedOf(wholeBefore) }),
  };
}

interface OpenedRanking extends RankingSources {
  /** The query without dimensions; null if the groups add up to the totals. They do not with points, because some rows are not
   *  displayed; with tag keys, because charges with several must count once; and with costs without an exchange rate, which
   *  are in no group. */
  readonly undivided: Opened | null;
  /** The comparison range without dimensions; null if all its costs have an exchange rate. */
  readonly undividedBefore: Opened | null;
}

/** Opens a ranking inside the engine.
 *  @returns null if part of the query was read from rollups */
async function openRanking(
  reader: Reader,
  slice: ScopedSlice,
  {
    query,
    undivided,
    undividedBefore,
    current,
    before,
  }: Record<'query' | 'undivided', CostQuery> & {
    undividedBefore: CostQuery | null;
    current: Opened;
    before: Opened | null;
  },
): Promise<OpenedRanking | null> {
  if (!isFactsAlone(current) || (before && !isFactsAlone(before))) return null;
  // Rows are ranked by sums of whole months, even if their points are daily.
  const months =
    query.bucket === 'day'
      ? await openSource(reader, slice, { ...query, bucket: 'none' }, [{ from: 'facts', ...query.range }])
      : current.facts;
  const isAll = query.bucket === 'none' && months.rates.length === 0 && query.dimensions[0] !== 'tag';
  return {
    current: current.facts,
    compared: before ? joined(months, before.facts) : months,
    undivided: isAll ? null : await open(reader, slice, undivided),
    undividedBefore:
      undividedBefore && before?.facts.rates.some(({ rate }) => rate === null)
        ? await open(reader, slice, undividedBefore)
        : null,
  };
}

/** Returns the options that rank rows as the engine does. */
export async function rankBy(
  { pool }: Pick<ReadDeps, 'pool'>,
  ledger: Ledger & ScopedSlice,
  { dimensions }: CostQuery,
  { sort, limit, search }: Ranking,
): Promise<RankBy> {
  const accounts = new Map(ledger.accounts.map(({ id, name }) => [id, name]));
  const subAccounts = new Map<string, string[]>();
  if (search !== null && dimensions[0] === 'sub_account') {
    const byCode = await readSubAccountNames(pool, ledger, (_account, _provider, id) => id);
    for (const [code, name] of byCode) subAccounts.set(code, [...(subAccounts.get(code) ?? []), name]);
  }
  const textsOf = (key: string) => [
    key,
    ...(dimensions[0] === 'account' ? [accounts.get(key) ?? ''] : (subAccounts.get(key) ?? [])),
  ];
  return {
    sort,
    limit,
    matches: ([key = null]) =>
      search === null ||
      (dimensions[0] === 'service' && key !== null && nameMatches(key, search)) ||
      textsOf(key ?? '').some((text) => text.toLowerCase().includes(search)),
    namesOf: (keys) =>
      keys.map((key, at) => {
        const name = dimensions[at] === 'account' && key !== null ? accounts.get(key) : key;
        // Absent values sort last, as in the engine's SQL.
        return (name ?? '\uffff').toLowerCase();
      }),
  };
}

/** Cells read in a snapshot, and the facts still to be read as of that snapshot. */
interface Opened {
  readonly cells: readonly CostCell[];
  readonly facts: FactSource | null;
  /** Whether part of the query was read from rollups. */
  readonly usedRollups: boolean;
}

function planOf(opened: readonly (Opened | null)[]): AnswerPlan {
  if (opened.every((one) => one === null || one.facts === null)) return 'rollups';
  return opened.some((one) => one?.usedRollups) ? 'both' : 'facts';
}

function isFactsAlone(opened: Opened): opened is Opened & { facts: FactSource } {
  return opened.facts !== null && !opened.usedRollups;
}

async function open(reader: Reader, slice: ScopedSlice, query: CostQuery): Promise<Opened> {
  const rollup = smallestRollup(query, slice.virtualTags);
  const spans = planReading(query, rollup);
  const fromRollups = spans.filter((span) => span.from === 'rollups');
  if (rollup === null) return openSpans(reader, slice, query, { cells: [], spans });
  const read = tagKeysOf(query).length + virtualKeysOf(query).length > 0 ? readTagRollups : readRollups;
  const cells = await read(reader, slice, query, fromRollups);
  if (cells === null) return openSpans(reader, slice, query, { cells: [], spans: planReading(query, null) });
  return openSpans(reader, slice, query, { cells, spans });
}

async function openSpans(
  reader: Reader,
  slice: ScopedSlice,
  query: CostQuery,
  { cells, spans }: { cells: readonly CostCell[]; spans: readonly Span[] },
): Promise<Opened> {
  const fromFacts = spans.filter((span) => span.from === 'facts');
  const usedRollups = fromFacts.length < spans.length;
  if (fromFacts.length === 0) return { cells, facts: null, usedRollups };
  return { cells, facts: await openSource(reader, slice, query, fromFacts), usedRollups };
}

/** Selects the fact files of spans and reads what their SQL depends on. */
export async function openSource(
  reader: Reader,
  slice: ScopedSlice,
  query: CostQuery,
  spans: readonly FactSpan[],
): Promise<FactSource> {
  const grain = query.bucket === 'day' ? 'day' : 'month';
  const [first, ...others] = spans.map(
    ({ start, end }) => ({ accountIds: slice.accountIds, start, end, grain }) as const,
  );
  if (first === undefined) throw new Error('There are no days to read from the facts');
  let set = await openFacts(reader, slice.scope, first);
  for (const other of others) set = set.union(await openFacts(reader, slice.scope, other));
  return {
    set,
    currency: slice.currency,
    rates: await readForeignRates(reader, slice, query.range),
    ...(await readTagBasis(reader, slice, query)),
  };
}

function joined(current: FactSource, before: FactSource): FactSource {
  const rates = new Map([...before.rates, ...current.rates].map((rate) => [`${rate.currency} ${rate.month}`, rate]));
  return { ...current, set: before.set.union(current.set), rates: [...rates.values()] };
}

/** Reads the currencies in a range other than the answer's, with their rates. */
async function readForeignRates(reader: Reader, slice: LedgerSlice, range: DayRange): Promise<FactBasis['rates']> {
  return run<ForeignRate & Record<string, unknown>>(
    reader,
    Prisma.sql`/* costs: rates */ WITH known AS (
  SELECT DISTINCT currency FROM cost_rollups WHERE ${ownership(slice)} AND rollup = ${rollups.total.code} AND grain = ${grainCodes.month}
  AND date >= ${firstDay(monthOf(range.start))} AND date < ${range.end} AND currency <> ${slice.currency}
)
SELECT known.currency, to_char(months.month, 'YYYY-MM-DD') AS month, rates.rate::text AS rate
FROM known CROSS JOIN (SELECT generate_series(${firstDay(monthOf(range.start))}::timestamp, ${addDays(range.end, -1)}::timestamp, '1 month')::date AS month) AS months
LEFT JOIN ${monthlyRates(slice.organizationId)} AS rates
  ON rates.currency = known.currency AND rates.to_currency = ${slice.currency} AND ${holdsIn('rates', 'months.month')}`,
  );
}
