import { Text } from '@mantine/core';
import { anomalyColumnsOfResource } from '../anomalies/columns.tsx';
import { AnomaliesQuery } from '../anomalies/queries.ts';
import { useAnswer } from '../api/use-api.ts';
import { Card } from '../parts/page/card.tsx';
import { Shown } from '../parts/page/shown.tsx';
import { DataTable } from '../parts/list/table.tsx';
import { recommendationColumnsOfResource } from '../recommendations/columns.tsx';
import { RecommendationsQuery } from '../recommendations/queries.ts';

/** Recommendations for a resource in any status. */
export function ResourceRecommendations({ resourceId }: { readonly resourceId: string }) {
  const answer = useAnswer(RecommendationsQuery, {
    resourceId,
    includeSnoozed: true,
    sortBy: 'ESTIMATED_MONTHLY_SAVINGS_DESC',
    perPage: 100,
  });
  return (
    <Shown of={answer} height={120}>
      {({ recommendations }) =>
        recommendations && recommendations.data.length > 0 ? (
          <Card title="Recommendations" flush>
            <DataTable
              label="Recommendations about this resource"
              rows={recommendations.data}
              columns={recommendationColumnsOfResource}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `/recommendations/${id}`}
            />
          </Card>
        ) : (
          <Nothing title="Recommendations" text="No recommendations for this resource." />
        )
      }
    </Shown>
  );
}

/** Anomalies that name a resource among their drivers. */
export function ResourceAnomalies({ resourceId }: { readonly resourceId: string }) {
  const answer = useAnswer(AnomaliesQuery, { resourceId, perPage: 100 });
  return (
    <Shown of={answer} height={120}>
      {({ anomalies }) =>
        anomalies && anomalies.data.length > 0 ? (
          <Card title="Anomalies" note="Related to this resource" flush>
            <DataTable
              label="Anomalies related to this resource"
              rows={anomalies.data}
              columns={anomalyColumnsOfResource}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `/anomalies/${id}`}
            />
          </Card>
        ) : (
          <Nothing title="Anomalies" text="No anomalies are related to this resource." />
        )
      }
    </Shown>
  );
}

function Nothing({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Card title={title}>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </Card>
  );
}
