import { useEffect, useRef } from 'react';
import { useAnswer } from '../../api/use-answer.ts';
import { costsHref } from '../../costs/address.ts';
import { FigureCard } from '../../parts/figure-card.tsx';
import { days, wholeMoney } from '../../words/format.ts';
import { AccountSpend, type Account } from '../queries.ts';

/** What the account cost in the last 30 days, and the way to the whole of it. */
export function AccountSpendFigure({ account: { id, lastSyncedAt, dataTo } }: { readonly account: Account }) {
  const answer = useAnswer(AccountSpend, { accountId: [id] });
  const { again } = answer;
  const synced = useRef(lastSyncedAt);
  useEffect(() => {
    if (synced.current === lastSyncedAt) return;
    synced.current = lastSyncedAt;
    again();
  }, [lastSyncedAt, again]);
  // Before the first bills there is nothing to be told, which 0 is not.
  const costs = dataTo === null ? null : answer.data?.costsByAccount;
  return (
    <FigureCard
      label="Cost of the last 30 days"
      value={costs ? wholeMoney(costs.totalCost, costs.currency) : '–'}
      below={costs && days(costs.startDate, costs.endDate)}
      href={costsHref({ account: id })}
    />
  );
}
