import type { ResultOf } from '../api/graphql.ts';
import { useAnswer } from '../api/use-api.ts';
import { today } from '../words/days.ts';
import { LastCompleteDay } from './queries.ts';

/** The last day of ranges such as "Last 30 days": the last complete one of the bills, or today if that is unknown. */
export function lastDayOf(data: ResultOf<typeof LastCompleteDay> | null): string {
  return data?.costsDaily?.lastCompleteDay ?? today();
}

/** Returns the last day of ranges such as "Last 30 days" for all accounts; null until it has loaded. */
export function useLastDay(): string | null {
  const { data, refusal } = useAnswer(LastCompleteDay, {}, { isLasting: true });
  return data || refusal ? lastDayOf(data) : null;
}
