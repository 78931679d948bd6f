import { queryOf } from '../parts/csv-button.tsx';
import { coloured } from '../charts/colours.ts';
import { tagKeyIn } from './dimensions.ts';
import { mostRows, tableSort } from './queries.ts';
import { filterKey, type Question } from './question.ts';

/** The REST path of the table as CSV; of a table of days, that of its bars. */
export function tableCsv(question: Question): string {
  const { groups, granularity, compare } = question;
  if (groups[0] === 'day') return pathOf(question, { granularity });
  const sort = tableSort(question);
  return pathOf(question, {
    group_by: groups.filter((one) => one !== undefined),
    compare,
    limit: mostRows,
    sort_by: sort,
  });
}

/** The REST path of the chart as CSV, a line for each bar and group. */
export function seriesCsv(question: Question): string {
  const { groups, granularity } = question;
  const [first] = groups;
  return pathOf(question, { granularity, ...(first !== 'day' && { group_by: [first], limit: coloured }) });
}

/** The REST path of the charges themselves, with FOCUS columns. */
export function focusPath(question: Question, format: 'focus_csv' | 'focus_parquet'): string {
  return `/costs/export${queryOf({ ...rangeOf(question), ...filtersOf(question), format })}`;
}

function pathOf(question: Question, more: Parameters<typeof queryOf>[0]): string {
  return `/costs${queryOf({ ...rangeOf(question), cost_metric: question.metric, ...filtersOf(question), ...more })}`;
}

function rangeOf({ range }: Question) {
  return { start_date: range.from, end_date: range.to };
}

/** Filters as REST spells them: those of tags share a parameter. */
function filtersOf({ filters }: Question): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (const filter of filters) {
    const tag = tagKeyIn(filter.dimension);
    const key = tag === null ? filterKey(filter) : filter.isExcluded ? 'exclude_tag' : 'tag';
    const values = filter.values.map((value) => (tag === null ? value : `${tag.replaceAll(':', '\\:')}:${value}`));
    (query[key] ??= []).push(...values);
  }
  return query;
}
