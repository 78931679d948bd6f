import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { counted, days, percent } from '../words/format.ts';
import type { Plan } from './queries.ts';

/** What the planner goes by. */
export function MethodCard({ plan: { parameters, startDate, endDate } }: { readonly plan: Plan }) {
  const { historyDays, minimumHistoryDays, usageChangePercent, expiringWithinDays, assumedDailySwingPercent } =
    parameters;
  return (
    <Card title="How it is planned">
      <Facts
        facts={[
          ['Days looked at', `${days(startDate, endDate)}: ${historyDays} days up to each account’s last complete one`],
          ['Least history', `Accounts with fewer than ${counted(minimumHistoryDays, 'day')} are left out`],
          ['Ending commitments', `Those that end within ${counted(expiringWithinDays, 'day')} are taken as ended`],
          [
            'Daily swing',
            `Where a bill has days but no hours, usage is taken to swing by ${percent(assumedDailySwingPercent)} around its mean`,
          ],
          ['Less and more usage', `${percent(usageChangePercent)} below and above what it was`],
          [
            'Observed discount',
            'From what your own covered usage cost. A documented one is what the provider publishes, rounded down',
          ],
          ['Break-even', 'Months of use that pay for the whole term. If usage ends later than that, nothing is lost'],
          [
            'Alternatives',
            'The rows of a plan are for the same usage: one of them can be bought, and their savings do not add up',
          ],
        ]}
      />
    </Card>
  );
}
