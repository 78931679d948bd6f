import { nameOf } from '../identifiers.ts';
import { linesOf } from './lines.ts';
import { firstDay, type MonthState, monthToken } from './months.ts';
import type { Query } from '../query.ts';
import type { TableState } from './table.ts';

/** After all exports. */
const lastDay = '2200-01-01';

/** The query that adds the lines of an invoice month up by day and everything that tells them apart. It sees the lines that
 *  the listing saw: those that came later are left out. */
export function chargesQuery(state: TableState, month: MonthState, location: string): Query {
  const { keys, sums, unreadable, month: invoiceMonth, exportedAt } = linesOf(state);
  const { newest } = monthToken(month);
  const { partition } = state;
  const conditions = [
    `${invoiceMonth} = @month`,
    ...(partition !== null
      ? [`(DATE(${partition}) BETWEEN CAST(@first AS DATE) AND CAST(@last AS DATE) OR ${partition} IS NULL)`]
      : []),
    ...(exportedAt !== null && newest !== ''
      ? [`(${exportedAt} <= TIMESTAMP_MICROS(CAST(@newest AS INT64)) OR ${exportedAt} IS NULL)`]
      : []),
  ];
  const inner = Object.entries({ ...keys, ...sums }).map(([name, sql]) => `${sql} AS ${name}`);
  const outer = [
    ...Object.keys(keys),
    ...Object.keys(sums).map((name) => `CAST(SUM(${name}) AS STRING) AS ${name}`),
    'CAST(SUM(unreadable) AS STRING) AS unreadable',
    'CAST(COUNT(*) AS STRING) AS line_items',
  ];
  const sql = `WITH charges AS (
  SELECT ${inner.join(',\n    ')},
    CASE WHEN ${unreadable} THEN 1 ELSE 0 END AS unreadable
  FROM \`${nameOf(state.ref)}\` WHERE ${conditions.join(' AND ')}
)
SELECT ${outer.join(', ')} FROM charges GROUP BY ${Object.keys(keys).join(', ')}`;
  const isUsed = (name: string) => new RegExp(`@${name}\\b`).test(sql);
  const params = Object.entries({
    month: month.month,
    first: month.first ?? firstDay,
    last: month.last ?? lastDay,
    newest,
  });
  return {
    sql,
    params: Object.fromEntries(params.filter(([name]) => isUsed(name))),
    location,
  };
}

/** The query that tells where the credits of a FOCUS table stand: sums over lines that have some. */
export function creditsQuery(state: TableState, location: string): Query {
  const { sums } = linesOf(state);
  const { partition } = state;
  const where = partition === null ? '' : ` WHERE (DATE(${partition}) >= CAST(@first AS DATE) OR ${partition} IS NULL)`;
  const inner = ['billed', 'effective', 'contracted', 'credits'].map((name) => `${sums[name] ?? '0'} AS ${name}`);
  const outer = ['billed', 'effective', 'contracted', 'credits'].map(
    (name) => `CAST(SUM(${name}) AS STRING) AS ${name}`,
  );
  return {
    sql: `WITH charges AS (SELECT ${inner.join(', ')} FROM \`${nameOf(state.ref)}\`${where})
SELECT ${outer.join(', ')} FROM charges WHERE credits <> 0`,
    params: where === '' ? {} : { first: firstDay },
    location,
  };
}
