import { z } from 'zod';
import { arg, fix, invalid } from '../../../kit/errors/errors.ts';
import { addMonths, dayOf, monthAt } from '../../../kit/time/period.ts';
import { explain } from '../faults.ts';
import { type DatasetRef, nameOf } from '../input.ts';
import { type Query, rowsOfQuery, type TextRow } from '../query.ts';
import type { GoogleSession } from '../session.ts';
import { linesOf } from './lines.ts';
import { isMissing, listExports, readTable, type TableState } from './table.ts';

// Google adds lines to an export as they arrive, for any invoice month: corrections, credits, late usage. Only partitions not
// known yet are queried for months with new lines; older ones do not change.

const part = z.object({
  /** Newest export time, in microseconds; the sum of costs if lines have none. */
  newest: z.string(),
  lineItems: z.number(),
});

const monthState = z.object({
  /** `2026-05` */
  month: z.string(),
  /** First and last partition with lines of the month, as days; null for a table without partitions. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  /** Lines of partitions before the cut, and since. */
  settled: part.nullable(),
  recent: part.nullable(),
});

const memoSchema = z.object({
  table: z.string(),
  createdAt: z.string(),
  version: z.string().nullable(),
  /** Time of the last query of all partitions, in milliseconds. */
  fullAt: z.number(),
  /** First day whose partition may still change. */
  cut: z.string(),
  months: z.array(monthState),
});

/** Lines of an invoice month in the table. */
export type MonthState = z.infer<typeof monthState>;

/** Memo of a table's months. */
export type MonthsMemo = z.infer<typeof memoSchema>;

/** Parses an earlier listing's memo; null if unusable. */
export function readMonthsMemo(memo: unknown): MonthsMemo | null {
  const parsed = memoSchema.safeParse(memo);
  return parsed.success ? parsed.data : null;
}

const dayMs = 86_400_000;
/** Days. An ingestion-time partition gets lines only on its day, but streams may lag, and days start at different times. */
const openDays = 3;
/** Before all exports. */
export const firstDay = '2000-01-01';
/** Milliseconds after which all partitions are queried again. */
const fullEveryMs = 7 * dayMs;
/** Google deletes lines of the FOCUS table after two years; months older than this keep what was read. */
const keptMonths = 22;

/** Returns the invoice months of a table, as the memo of the next listing. Runs no query if the table is unchanged.
 *  @param now in milliseconds
 *  @throws as `rowsOfQuery` */
export async function listMonths(
  session: GoogleSession,
  state: TableState,
  { memo, location, now }: { memo: MonthsMemo | null; location: string; now: number },
  signal: AbortSignal,
): Promise<MonthsMemo> {
  const known = memo !== null && memo.table === nameOf(state.ref) && memo.createdAt === state.createdAt ? memo : null;
  if (known !== null && state.version !== null && known.version === state.version) return known;
  const look = async (since: MonthsMemo | null): Promise<MonthsMemo> => {
    const cut = dayOf(new Date(now - openDays * dayMs));
    const query = monthsQuery(state, { location, cut, since: since?.cut ?? null });
    const months = mergeMonths(since?.months ?? [], await rowsOfQuery(session, query, signal));
    return {
      table: nameOf(state.ref),
      createdAt: state.createdAt,
      version: state.version,
      fullAt: since?.fullAt ?? now,
      cut,
      months: state.kind === 'focus' && known !== null ? withKept(months, known.months, now) : months,
    };
  };
  const isRecent = known !== null && now - known.fullAt < fullEveryMs;
  if (!isRecent || !isByArrival(state)) return look(null);
  const found = await look(known);
  // Rows were added to old partitions, so query all of them again.
  return state.rows !== null && rowsIn(found) < state.rows ? look(null) : found;
}

/** Returns whether the table is partitioned by arrival. A copy partitioned by usage time can get lines in any partition. */
function isByArrival(state: TableState): boolean {
  const { partition } = state;
  return partition === '_PARTITIONTIME' || (partition !== null && partition === linesOf(state).exportedAt);
}

function rowsIn({ months }: MonthsMemo): number {
  return months.reduce((sum, month) => sum + monthToken(month).lineItems, 0);
}

/** Returns the values that identify a month's content. */
export function monthToken({ settled, recent }: MonthState): { newest: string; lineItems: number } {
  const parts = [settled, recent].filter((each) => each !== null);
  const newest = parts.map((each) => each.newest).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return {
    newest: newest.at(-1) ?? '',
    lineItems: parts.reduce((sum, each) => sum + each.lineItems, 0),
  };
}

/** @param since first partition day to query; null: all */
function monthsQuery(
  state: TableState,
  { location, cut, since }: { location: string; cut: string; since: string | null },
): Query {
  const { month, exportedAt, sums } = linesOf(state);
  const { partition } = state;
  const day = partition === null ? null : `DATE(${partition})`;
  const newest = exportedAt === null ? `SUM(${sums['billed'] ?? '0'})` : `UNIX_MICROS(MAX(${exportedAt}))`;
  const columns = [
    `${month} AS month`,
    day === null ? `'no' AS is_recent` : `CASE WHEN ${day} < CAST(@cut AS DATE) THEN 'no' ELSE 'yes' END AS is_recent`,
    `CAST(${newest} AS STRING) AS newest`,
    'CAST(COUNT(*) AS STRING) AS line_items',
    `CAST(${day === null ? 'NULL' : `MIN(${day})`} AS STRING) AS first_day`,
    `CAST(${day === null ? 'NULL' : `MAX(${day})`} AS STRING) AS last_day`,
  ];
  // Lines that have just arrived have no partition yet. Some tables require a filter on the partition.
  const where = day === null ? '' : ` WHERE (${day} >= CAST(@since AS DATE) OR ${partition} IS NULL)`;
  // Groups by position: a column `month` of a view would take precedence over this alias.
  return {
    sql: `SELECT ${columns.join(', ')} FROM \`${nameOf(state.ref)}\`${where} GROUP BY ${day === null ? '1' : '1, 2'}`,
    params: day === null ? {} : { cut, since: since ?? firstDay },
    location,
  };
}

/** Merges query results into settled months; recent parts have been queried again. */
function mergeMonths(before: readonly MonthState[], rows: readonly TextRow[]): MonthState[] {
  const months = new Map<string, MonthState>(
    before.filter(({ settled }) => settled !== null).map((each) => [each.month, { ...each, recent: null }]),
  );
  for (const row of rows) {
    const month = row['month'];
    if (!month || !/^\d{4}-\d{2}$/.test(month)) continue;
    const empty: MonthState = { month, first: null, last: null, settled: null, recent: null };
    months.set(month, withRow(months.get(month) ?? empty, row));
  }
  return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
}

function withRow(state: MonthState, row: TextRow): MonthState {
  const found = { newest: row['newest'] ?? '', lineItems: Number(row['line_items'] ?? 0) };
  const days = [state.first, state.last, row['first_day'], row['last_day']].filter((day) => typeof day === 'string');
  const sorted = days.sort();
  const bounds = { first: sorted[0] ?? null, last: sorted.at(-1) ?? null };
  if (row['is_recent'] === 'yes') return { ...state, ...bounds, recent: found };
  const { settled } = state;
  if (settled === null) return { ...state, ...bounds, settled: found };
  const newest = settled.newest.length > found.newest.length || settled.newest > found.newest ? settled : found;
  return {
    ...state,
    ...bounds,
    settled: { newest: newest.newest, lineItems: settled.lineItems + found.lineItems },
  };
}

function withKept(months: readonly MonthState[], before: readonly MonthState[], now: number): MonthState[] {
  const oldest = addMonths(monthAt(new Date(now)), -keptMonths);
  const kept = before.filter(({ month }) => month < oldest);
  const keptNames = new Set(kept.map(({ month }) => month));
  return [...kept, ...months.filter(({ month }) => !keptNames.has(month))].sort((a, b) => (a.month < b.month ? -1 : 1));
}

/** Selection of an export in a dataset. */
interface ExportChoice {
  readonly dataset: DatasetRef;
  /** From the settings; null: the best one in the dataset. */
  readonly table: string | null;
  /** Table of the last listing, which avoids searching the dataset. */
  readonly lastTable: string | null;
  readonly location: string;
}

/** Finds the export and reads its metadata.
 *  @throws {AppError} VALIDATION_ERROR naming dataset, table, location or permission
 *  @throws {TryLater} */
export async function openTable(
  session: GoogleSession,
  choice: ExportChoice,
  signal: AbortSignal,
): Promise<TableState> {
  const { dataset, location } = choice;
  let table = choice.table ?? choice.lastTable;
  const place = () => ({ session, dataset, table, location });
  try {
    table ??= await bestTable(session, dataset, signal);
    const state = await readTable(session, { ...dataset, table }, signal).catch(async (error: unknown) => {
      // The export may have been recreated under another billing account.
      if (choice.table !== null || !isMissing(error)) throw error;
      table = await bestTable(session, dataset, signal);
      return readTable(session, { ...dataset, table }, signal);
    });
    checkLocation(state, location);
    return state;
  } catch (error) {
    throw explain(error, place());
  }
}

function checkLocation({ location, ref }: TableState, expected: string): void {
  if (location === '' || location.toLowerCase() === expected.toLowerCase()) return;
  throw invalid`${arg('settings.location', expected)} is not the location of dataset ${ref.project}.${ref.dataset}, which is in ${location}: BigQuery reads it only from there`;
}

async function bestTable(session: GoogleSession, dataset: DatasetRef, signal: AbortSignal): Promise<string> {
  const exports = await listExports(session, dataset, signal);
  const [first] = exports;
  const name = `${dataset.project}.${dataset.dataset}`;
  if (first === undefined)
    throw invalid`${arg('settings.dataset')} names BigQuery dataset ${name}, which has no billing export${fix}turn on the detailed usage cost export in Cloud Billing (its table appears within a day), or name the dataset of the export`;
  const alike = exports.filter(({ kind }) => kind === first.kind);
  if (alike.length > 1)
    throw invalid`${arg('settings.table')} is required because BigQuery dataset ${name} has exports of several billing accounts${fix}set it to one of ${alike.map(({ table }) => table).join(', ')}, and connect the others as separate accounts`;
  return first.table;
}
