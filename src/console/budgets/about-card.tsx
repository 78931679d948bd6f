import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { usePeople } from '../parts/people.ts';
import { useScopeWords } from '../parts/scope.tsx';
import { day, moment, plainMoney } from '../words/format.ts';
import { costBases } from './cost-bases.ts';
import type { BudgetDetails } from './queries.ts';

/** What a budget is about and whom it tells. */
export function AboutCard({ budget }: { readonly budget: BudgetDetails }) {
  const personOf = usePeople();
  const scopeWords = useScopeWords();
  const owner = personOf(budget.createdById);
  return (
    <Card title="About this budget">
      <Facts
        facts={[
          ['Amount', `${plainMoney(budget.amount, budget.currency)} each calendar month (UTC)`],
          ['Scope', scopeWords(budget)],
          ['Cost basis', costBases[budget.costMetric].label],
          ['Owner', owner],
          ['Tells', ['Its owner', ...budget.emails].join(', ')],
          ['Chat', budget.slack ? 'Through the webhook of its owner' : 'No'],
          ['Created', day(budget.createdAt.slice(0, 10))],
          ['Changed', moment(budget.updatedAt)],
        ]}
      />
    </Card>
  );
}
