import { amounts } from './bill/columns.ts';
import { money } from './bill/layout.ts';
import type { Duck } from './duck.ts';
import { inParts } from './parts.ts';

// A charge over several days, such as a usage line of 16 to 31 May, is spread over them by duration. It is done on sums of
// equal charges with the same span, of which there are few, and in whole units of the last decimal place: the parts add up to
// the charge exactly. It depends on the file only, not on the day of the sync: an unchanged file never has to be read again.

/** Days up to the end of the charge, or of the billing month if that comes first, over which a charge is spread. */
const maxDays = 366;

/** The sums of a reading. */
interface Sums {
  /** Sums by file, charge and day. */
  readonly table: string;
  /** SQL list of the reading's files. */
  readonly files: string;
  /** Relation with `sig` and `period` of its charges. */
  readonly charges: string;
}

/** Replaces the sums of charges over several days (`span_start` and `span_end` are not null) with a row per day. Line items count
 *  on the first day.
 *  @returns whether there were any: then a charge may have several rows of one day */
export async function spreadSpans(
  duck: Pick<Duck, 'run' | 'value'>,
  { table, files, charges }: Sums,
): Promise<boolean> {
  const own = `file_no IN (${files})`;
  const isSpan = `${own} AND span_end IS NOT NULL`;
  if ((await duck.value(`SELECT 1 FROM ${table} WHERE ${isSpan} LIMIT 1`)) === null) return false;
  await inParts(
    (part) => duck.run(`INSERT INTO ${table} BY NAME ${daysOf({ table, charges }, `${isSpan} AND ${part('sig')}`)}`),
    // Only the rows of days have a start without an end.
    () => duck.run(`DELETE FROM ${table} WHERE ${own} AND span_start IS NOT NULL AND span_end IS NULL`),
  );
  await duck.run(`DELETE FROM ${table} WHERE ${isSpan}`);
  return true;
}

function daysOf({ table, charges }: Omit<Sums, 'files'>, where: string): string {
  const elapsedUs = (until: string) => `(epoch_us(${until}) - epoch_us(first))`;
  const next = `least(last, date + INTERVAL 1 DAY)`;
  const columns = amounts.map((name) => `${partOf(name)} AS ${name}`);
  return `WITH spans AS (
      SELECT s.*, least(span_end, greatest(day + INTERVAL 1 DAY, period + INTERVAL 1 MONTH)) AS last,
        greatest(span_start, last - INTERVAL ${maxDays} DAY) AS first
      FROM ${table} s JOIN ${charges} c USING (sig) WHERE ${where}
    ), days AS (
      SELECT *, unnest(range(first::DATE::TIMESTAMP, last, INTERVAL 1 DAY)) AS date FROM spans
    ), parts AS (
      SELECT *, ${elapsedUs('last')} AS whole, ${elapsedUs('greatest(first, date)')} AS before, ${elapsedUs(next)} AS after FROM days
    )
    SELECT file_no, sig, date::DATE AS day, CASE WHEN before = 0 THEN rows ELSE 0 END AS rows, span_start,
      CASE WHEN before = 0 THEN x_LineItems ELSE 0 END AS x_LineItems,
      CASE WHEN before = 0 THEN x_StartHours ELSE 1 END AS x_StartHours, ${columns.join(', ')}
    FROM parts`;
}

/** SQL of the part of an amount between `before` and `after` units of `whole`, all integers, exact to the last of 12 places:
 *  parts that follow one another up to `whole` add up to the amount. */
export function partOf(name: string): string {
  const units = `replace(${name}::VARCHAR, '.', '')::HUGEINT`;
  const until = (time: string) => `(${units} // whole) * ${time} + (${units} % whole) * ${time} // whole`;
  const value = `(${until('after')} - (${until('before')}))`;
  const scale = '1000000000000';
  return `((${value} // ${scale})::DECIMAL(26,0) + (${value} % ${scale})::DECIMAL(12,0) * 0.000000000001)::${money}`;
}
