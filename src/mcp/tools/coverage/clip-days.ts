import type { z } from 'zod';
import type { Days } from '../../input/period.ts';
import { sumOf } from '../../micros.ts';
import type { coverageDailyShape, daySplit } from './shapes.ts';

type DaySplit = z.output<typeof daySplit>;

/** Days as they are answered, and what they add up to. */
interface ClippedDays {
  readonly start_date: string;
  readonly end_date: string;
  readonly total_cost: number;
  readonly days: DaySplit[];
  /** Only where days that were asked for are missing. */
  readonly truncated?: true;
}

/** The days of an answer that were asked for; null where it has none of them.
 *  @param asked null: all of them */
export function clipDays(answer: z.output<typeof coverageDailyShape>, asked: Days | null): ClippedDays | null {
  const start = asked && asked.start_date > answer.start_date ? asked.start_date : answer.start_date;
  const end = asked && asked.end_date < answer.end_date ? asked.end_date : answer.end_date;
  if (start > end) return null;
  const days = answer.days.filter(({ date }) => start <= date && date <= end);
  const isCut = asked !== null && (asked.start_date < start || asked.end_date > end);
  return {
    start_date: start,
    end_date: end,
    total_cost: sumOf(days.flatMap((day) => [day.reserved, day.savings_plan, day.spot, day.on_demand, day.other])),
    days,
    ...(isCut ? { truncated: true } : {}),
  };
}
