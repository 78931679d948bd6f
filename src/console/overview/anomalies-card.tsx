import { Anchor } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Card } from '../parts/card.tsx';
import { Empty } from '../parts/empty.tsx';
import { StatusOf } from '../parts/status.tsx';
import { days, signedMoney } from '../words/format.ts';
import { providerName } from '../words/names.ts';
import { ItemList } from './item-list.tsx';
import type { Findings } from './queries.ts';

/** Open anomalies, those that cost most first. */
export function AnomaliesCard({ anomalies }: Pick<Findings, 'anomalies'>) {
  const { data = [], pagination } = anomalies ?? {};
  return (
    <Card
      title="Open anomalies"
      note={
        pagination && pagination.total > data.length ? `the ${data.length} largest of ${pagination.total}` : undefined
      }
      actions={
        <Anchor component={Link} href="/anomalies" size="sm" aria-label="All anomalies">
          All
        </Anchor>
      }
    >
      {data.length === 0 ? (
        <Empty
          icon={IconCircleCheck}
          title="No anomaly is open"
          text="After every sync the days are compared with what was to be expected."
        />
      ) : (
        <ItemList
          items={data.map((one) => ({
            key: one.id,
            name: one.service,
            href: `/anomalies/${one.id}`,
            badge: <StatusOf value={one.severity} />,
            below: [days(one.startDate, one.endDate), providerName(one.provider), one.region]
              .filter(Boolean)
              .join(' · '),
            figure: signedMoney(one.impact, one.currency),
          }))}
        />
      )}
    </Card>
  );
}
