import { factColumns } from './codebook.ts';
import { addDays, addMonths, firstDay, monthOf, type Day } from '../kit/time/period.ts';
import type { OrgScope } from '../tenancy/auth/scope.ts';

/** A fact file referenced by a billing month. */
export interface FactFile {
  /** Path in the fact store: `<account>/<YYYY-MM>/<digest>-<load>-day-0.parquet`. */
  readonly key: string;
  readonly grain: 'day' | 'month';
  readonly rows: number;
  readonly bytes: number;
  /** Types of the decimal columns; the codebook's if an older version wrote the file without recording them. */
  readonly decimals: string;
  /** Version of its columns (`factVersion`); 1 if it was written before versions were recorded. */
  readonly version: number;
}

/** Range of facts to read. */
export interface FactRange {
  /** Accounts; those outside the scope are ignored. Null: all in the scope. */
  readonly accountIds: readonly string[] | null;
  /** First charge day; null: no start. */
  readonly start: Day | null;
  /** Day after the last; null: no end. */
  readonly end: Day | null;
  /** `day`: one row per charge and day. `month`: month files for whole calendar months, days at both ends of the range; for
   *  sums that need no daily detail. */
  readonly grain: 'day' | 'month';
  /** First day of the only billing month to read; absent: all. */
  readonly period?: Day;
}

/** The files for one read, as of one moment, and the accounts whose rows count. Only `openFacts` creates it, so that no query
 *  reads a file outside the caller's scope. */
export class FactSet {
  readonly organizationId: string;
  readonly accountIds: readonly string[];
  readonly parts: readonly FactPart[];
  /** The requesting member; null for jobs. The engine is fair between members. */
  readonly userId: string | null;

  /** @internal for `openFacts` */
  constructor(
    { organizationId, userId }: Pick<OrgScope, 'organizationId' | 'userId'>,
    accountIds: readonly string[],
    parts: readonly FactPart[],
  ) {
    this.organizationId = organizationId;
    this.userId = userId;
    this.accountIds = accountIds;
    this.parts = parts;
  }

  /** Combines facts of non-overlapping ranges of one organization. */
  union(other: FactSet): FactSet {
    if (other.organizationId !== this.organizationId) throw new Error('Fact sets of two organizations');
    const accountIds = [...new Set([...this.accountIds, ...other.accountIds])];
    return new FactSet(this, accountIds, [...this.parts, ...other.parts]);
  }
}

/** Files of one grain and the half-open range of charge days to read from them; null: unbounded. */
export interface FactPart {
  readonly files: readonly FactFile[];
  readonly start: Day | null;
  readonly end: Day | null;
}

/** Where `openFacts` reads from: a pool, or the connection of a snapshot or transaction. */
export interface Reader {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

interface LoadedPeriod {
  readonly account_id: string;
  readonly data_from: Day;
  readonly data_to: Day;
  readonly facts: readonly (Omit<FactFile, 'decimals' | 'version'> & Partial<FactFile>)[];
}

const widest = factColumns
  .filter(({ type }) => type === 'DECIMAL(38,12)')
  .map(({ type }) => type)
  .join(' ');

/** Selects the files for a range, in one statement.
 *  @param scope limits the files to its organization and accounts */
export async function openFacts(reader: Reader, scope: OrgScope, range: FactRange): Promise<FactSet> {
  const { rows } = await reader.query(
    `/* openFacts */ SELECT account_id, data_from::text, data_to::text, facts FROM billing_periods
     WHERE organization_id = $1 AND ($2::uuid[] IS NULL OR account_id = ANY($2)) AND ($3::uuid[] IS NULL OR account_id = ANY($3))
       AND ($4::date IS NULL OR data_to >= $4) AND ($5::date IS NULL OR data_from < $5) AND ($6::date IS NULL OR period = $6) ORDER BY period, account_id`,
    [scope.organizationId, scope.accountIds, range.accountIds, range.start, range.end, range.period ?? null],
  );
  const periods = rows as LoadedPeriod[];
  const accountIds = [...new Set(periods.map((period) => period.account_id))];
  const parts = partsOf(range, periods).map(({ grain, start, end }) => {
    const inside = periods.filter(
      ({ data_from: from, data_to: to }) => (!start || to >= start) && (!end || from < end),
    );
    const files = inside.flatMap(({ facts }) => facts.filter((file) => file.grain === grain));
    return {
      files: files.map((file) => ({ decimals: widest, version: 1, ...file })),
      // If the range covers all days of the files, skip the day filter.
      start: start && inside.some(({ data_from: from }) => from < start) ? start : null,
      end: end && inside.some(({ data_to: to }) => to >= end) ? end : null,
    };
  });
  return new FactSet(
    scope,
    accountIds,
    parts.filter(({ files }) => files.length > 0),
  );
}

interface Stretch {
  readonly grain: FactFile['grain'];
  readonly start: Day | null;
  readonly end: Day | null;
}

/** Splits a range into whole months and the days at its ends. An end beyond the data needs no days. */
function partsOf(range: FactRange, periods: readonly LoadedPeriod[]): Stretch[] {
  if (range.grain === 'day') return [range];
  const { start: first, end: after } = range;
  const start = first && periods.some(({ data_from: from }) => from < first) ? first : null;
  const end = after && periods.some(({ data_to: to }) => to >= after) ? after : null;
  const firstWhole = start && firstDay(addMonths(monthOf(addDays(start, -1)), 1));
  const afterWhole = end && firstDay(monthOf(end));
  if (firstWhole && afterWhole && firstWhole >= afterWhole) return [{ grain: 'day', start, end }];
  return [
    ...(start && start !== firstWhole ? [{ grain: 'day' as const, start, end: firstWhole }] : []),
    { grain: 'month', start: firstWhole, end: afterWhole },
    ...(end && end !== afterWhole ? [{ grain: 'day' as const, start: afterWhole, end }] : []),
  ];
}
