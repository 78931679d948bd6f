import { amounts } from './bill/columns.ts';
import { money } from './bill/layout.ts';
import type { Duck } from './duck.ts';

// A charge over several days, such as a usage line of 16 to 31 May, is spread over them by duration. It is done on sums of
// equal charges with the same span, of which there are few, and in whole units of the last decimal place: the parts add up to
// the charge exactly.

/** Days up to the end of the charge, or of the billing month if that comes first, over which a charge is spread. */
const maxDays = 366;

/** Usage of a running month, which some bills date to the end of the month, lies in the days until today. */
const elapsed = `CASE WHEN ChargeCategory = 'Usage' THEN current_date + INTERVAL 1 DAY ELSE TIMESTAMP 'infinity' END`;

/** Replaces the sums of charges over several days (`span_start` and `span_end` are not null) by a row per day. Line items count
 *  on the first day.
 *  @param table sums by file, charge and day
 *  @param charges relation with `sig`, `period` and `ChargeCategory`
 *  @returns whether there were any: then a charge may have several rows of one day */
export async function spreadSpans(duck: Duck, table: string, charges: string): Promise<boolean> {
  if ((await duck.value(`SELECT 1 FROM ${table} WHERE span_end IS NOT NULL LIMIT 1`)) === null) return false;
  const elapsedUs = (until: string) => `(epoch_us(${until}) - epoch_us(first))`;
  const next = `least(last, date + INTERVAL 1 DAY)`;
  const columns = amounts.map((name) => `${part(name)} AS ${name}`);
  await duck.run(`INSERT INTO ${table} BY NAME
    WITH spans AS (
      SELECT s.*, least(span_end, greatest(day + INTERVAL 1 DAY, least(period + INTERVAL 1 MONTH, ${elapsed}))) AS last,
        greatest(span_start, last - INTERVAL ${maxDays} DAY) AS first
      FROM ${table} s JOIN ${charges} c USING (sig) WHERE span_end IS NOT NULL
    ), days AS (
      SELECT *, unnest(range(first::DATE::TIMESTAMP, last, INTERVAL 1 DAY)) AS date FROM spans
    ), parts AS (
      SELECT *, ${elapsedUs('last')} AS whole, ${elapsedUs('greatest(first, date)')} AS before, ${elapsedUs(next)} AS after FROM days
    )
    SELECT file_no, sig, date::DATE AS day, CASE WHEN before = 0 THEN rows ELSE 0 END AS rows,
      CASE WHEN before = 0 THEN x_LineItems ELSE 0 END AS x_LineItems,
      CASE WHEN before = 0 THEN x_StartHours ELSE 1 END AS x_StartHours, ${columns.join(', ')}
    FROM parts;
    DELETE FROM ${table} WHERE span_end IS NOT NULL`);
  return true;
}

/** SQL of the part of an amount between `before` and `after` units of `whole`, all integers, exact to the last of 12 places:
 *  parts that follow one another up to `whole` add up to the amount. */
export function part(name: string): string {
  const units = `replace(${name}::VARCHAR, '.', '')::HUGEINT`;
  const until = (time: string) => `(${units} // whole) * ${time} + (${units} % whole) * ${time} // whole`;
  const value = `(${until('after')} - (${until('before')}))`;
  const scale = '1000000000000';
  return `((${value} // ${scale})::DECIMAL(26,0) + (${value} % ${scale})::DECIMAL(12,0) * 0.000000000001)::${money}`;
}
