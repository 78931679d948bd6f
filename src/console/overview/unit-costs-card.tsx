import { useMe } from '../api/me.tsx';
import { useAgainWhen, useAnswer } from '../api/use-api.ts';
import { changeOf } from '../costs/table/rows.ts';
import { Card, Change } from '../parts/page/card.tsx';
import { TextLink } from '../parts/page/page.tsx';
import { UnitCostQuery, UnitMetricsQuery, type UnitMetric } from '../unit-costs/queries.ts';
import { addDays, addMonths, monthEnd, monthStart } from '../words/days.ts';
import { count, month, unitMoney } from '../words/format.ts';
import { ItemList } from './cards.tsx';

/** Maximum metrics shown. */
const most = 3;

interface Props {
  /** The last complete day. */
  readonly lastDay: string;
  readonly loaded: string | null;
}

/** Cost per unit of the last complete month; nothing without unit metrics. */
export function UnitCostsCard({ lastDay, loaded }: Props) {
  const { accountAccess } = useMe();
  const { data } = useAnswer(UnitMetricsQuery, { perPage: most }, { isLasting: true });
  const { data: metrics = [], pagination } = data?.unitMetrics ?? {};
  if (metrics.length === 0) return null;
  return (
    <Card
      title="Unit costs"
      note={`${pagination && pagination.total > most ? `${most} of ${pagination.total}` : month(lastMonth(lastDay))}${accountAccess === null ? '' : ', cost of your accounts'}`}
      actions={
        <TextLink href="/unit-costs" aria-label="All unit costs">
          All
        </TextLink>
      }
    >
      {metrics.map((metric) => (
        <MetricItem key={metric.id} metric={metric} lastDay={lastDay} loaded={loaded} />
      ))}
    </Card>
  );
}

/** First day of the last complete month. */
function lastMonth(lastDay: string): string {
  return addMonths(monthStart(addDays(lastDay, 1)), -1);
}

function MetricItem({ metric, lastDay, loaded }: Props & { readonly metric: UnitMetric }) {
  const { id, key, name, unit, direction } = metric;
  const variables = {
    metric: key,
    startDate: addMonths(lastMonth(lastDay), -1),
    endDate: monthEnd(lastMonth(lastDay)),
    granularity: 'MONTHLY',
  } as const;
  const answer = useAnswer(UnitCostQuery, variables, { isLasting: true });
  useAgainWhen(loaded, answer);
  const { points = [], currency = 'USD' } = answer.data?.unitCost ?? {};
  const [before, now] = points;
  const value = now?.costPerUnit ?? null;
  const was = before?.costPerUnit ?? null;
  return (
    <ItemList
      items={[
        {
          key: id,
          name,
          href: `/unit-costs/${id}`,
          below:
            now && (now.quantity === null ? `No values in ${month(now.date)}` : `Quantity: ${count(now.quantity)}`),
          figure:
            value === null ? (
              '–'
            ) : (
              <>
                {unitMoney(value, currency)} per {unit}{' '}
                {was !== null && (
                  <Change percent={changeOf(value, was)} isMoreGood={direction === 'HIGHER_IS_BETTER'} />
                )}
              </>
            ),
        },
      ]}
    />
  );
}
