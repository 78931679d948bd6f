import type { Columns, RowCheck } from './layout.ts';
import { amountText, firstMonth, instantText, lastMonth, money, textOf } from './sql-values.ts';

/** A check of one column; none where the file does not have it.
 *  @param bad SQL that is true of a bad value, over the value's text
 *  @param name what the file's owner calls the column, where it is not `column` */
export function checkColumn(
  columns: Columns,
  column: string,
  { bad, expected, name = column }: { bad(text: string): string; expected: string; name?: string | undefined },
): RowCheck[] {
  if (!columns.has(column.toLowerCase())) return [];
  const value = textOf(columns, [column]);
  return [{ column: name, bad: bad(value), value, expected }];
}

/** That a column is a decimal number. */
export function checkNumber(columns: Columns, column: string, nullable: boolean, name?: string): RowCheck[] {
  return checkColumn(columns, column, {
    bad: (text) => `${nullable ? `${text} IS NOT NULL AND ` : ''}try_cast(${amountText(text)} AS ${money}) IS NULL`,
    expected: `a decimal number${nullable ? '' : ', not empty'}`,
    name,
  });
}

/** That a column is a time that bills can have. */
export function checkInstant(columns: Columns, column: string, name?: string): RowCheck[] {
  return checkColumn(columns, column, {
    bad: (text) => `coalesce(${instantText(text)} NOT BETWEEN '${firstMonth}' AND '${lastMonth}', true)`,
    expected: 'a date and time in ISO 8601, such as 2026-05-01T00:00:00Z',
    name,
  });
}

/** That a column is an ISO 4217 code. */
export function checkCurrency(columns: Columns, column: string, name?: string): RowCheck[] {
  return checkColumn(columns, column, {
    bad: (text) => `coalesce(NOT regexp_matches(${text}, '^[A-Za-z]{3}$'), true)`,
    expected: 'an ISO 4217 currency code of three letters',
    name,
  });
}

/** That a column holds nothing that PostgreSQL could not. */
export function checkText(columns: Columns, column: string, name?: string): RowCheck[] {
  return checkColumn(columns, column, {
    bad: (text) => `coalesce(contains(${text}, chr(0)), false)`,
    expected: 'text: it holds a NUL character',
    name,
  });
}
