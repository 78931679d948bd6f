import { sumOf } from '../../micros.ts';

/** A day of a service's cost, or the first day of a week and what the whole week cost; null where a day is not known. */
export interface Point {
  readonly date: string;
  readonly cost: number | null;
  readonly expected_cost: number | null;
}

/** Nine weeks: all of an anomaly of three weeks, with what is kept around it. */
const mostDays = 63;

const week = 7;

/** A series short enough to read: of a long one its weeks, counted from its first day. The last may be shorter. */
export function readable(days: readonly Point[]): { series_granularity: 'daily' | 'weekly'; series: Point[] } {
  if (days.length <= mostDays) return { series_granularity: 'daily', series: [...days] };
  const weeks = Array.from({ length: Math.ceil(days.length / week) }, (_, at) =>
    days.slice(at * week, (at + 1) * week),
  );
  return { series_granularity: 'weekly', series: weeks.flatMap(weekOf) };
}

function weekOf(days: readonly Point[]): Point[] {
  const [first] = days;
  if (!first) return [];
  return [
    {
      date: first.date,
      cost: known(days.map(({ cost }) => cost)),
      expected_cost: known(days.map((each) => each.expected_cost)),
    },
  ];
}

function known(money: readonly (number | null)[]): number | null {
  const all = money.filter((one) => one !== null);
  return all.length < money.length ? null : sumOf(all);
}
