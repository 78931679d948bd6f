import { useAnswer } from '../api/use-api.ts';
import { today } from '../words/days.ts';
import { lastCompleteDay } from './period.ts';
import { CompleteThrough } from './queries.ts';

/** The last day of ranges such as "Last 30 days": the last complete one of the bills, or today if that is unknown. Null until it
 *  has loaded. */
export function useLastDay(): string | null {
  const { data, refusal } = useAnswer(CompleteThrough, {}, { isLasting: true });
  if (refusal) return today();
  return data && lastCompleteDay(data.costsDaily?.completeThrough ?? null);
}
