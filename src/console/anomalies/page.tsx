import { IconCircleCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useAccountNames } from '../parts/choices/scope.tsx';
import { anyOf, byAccount, byProvider, byService, dayRange, useList, view } from '../parts/list/definition.tsx';
import { ListPage } from '../parts/list/list.tsx';
import { Empty } from '../parts/page/shown.tsx';
import { words } from '../words/names.ts';
import { anomalyColumns } from './columns.tsx';
import { AnomaliesQuery } from './queries.ts';

const statuses = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED'] as const;

const list = {
  csv: ['/anomalies', 'anomalies'],
  sort: '-impact',
  filters: {
    status: view('status', 'Status', [
      ...statuses.map((status) => ({ value: status.toLowerCase(), label: words(status), asks: [status] })),
      { value: 'all', label: 'All', asks: undefined },
    ]),
    severity: anyOf('severity', 'Severity', ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']),
    accountId: byAccount,
    provider: byProvider,
    service: byService,
    ...dayRange(),
  },
} as const;

/** Every anomaly that matters, the most expensive first. */
export function AnomaliesPage() {
  const anomalies = useList(list, AnomaliesQuery);
  const { status } = anomalies.question;
  const accountName = useAccountNames();
  const isMixed = status?.length !== 1;
  const columns = useMemo(() => anomalyColumns(accountName, isMixed), [accountName, isMixed]);
  return (
    <ListPage
      title="Anomalies"
      lead="Unexpected cost increases, detected after each sync."
      list={anomalies}
      columns={columns}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/anomalies/${id}`}
      noun={['anomaly', 'anomalies']}
      empty={
        <Empty
          icon={IconCircleCheck}
          title={status ? `No ${status.map((one) => one.toLowerCase()).join(' or ')} anomalies` : 'No anomalies'}
          text={status?.[0] === 'OPEN' && 'Nothing needs your attention.'}
        />
      }
    />
  );
}
