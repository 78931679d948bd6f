import type { Deps } from '../../kit/deps.ts';
import type { Day } from '../../kit/period.ts';
import type { Lane } from '../../kit/threads.ts';
import { forecastMonthOf } from '../forecast/run.ts';
import { questionOf, type Opened } from './spend.ts';

/** What will have been spent on what a budget is about when the running month is over, in the budget's currency, rounded to 6
 *  decimals. Null where there is nothing to forecast it from.
 *  @param lane who waits for it */
export async function forecastOf(
  deps: Pick<Deps, 'pool' | 'engine'>,
  { budget, ledger }: Pick<Opened, 'budget' | 'ledger'>,
  today: Day,
  lane: Lane = 'request',
): Promise<number | null> {
  return (await forecastMonthOf(deps, ledger, { ...questionOf(budget), today, lane })).forecast;
}
