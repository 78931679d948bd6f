import { IconCircleCheck } from '@tabler/icons-react';
import { useMay } from '../api/me.tsx';
import { useAccountNames, usePeople } from '../parts/choices/choices.tsx';
import {
  anyOf,
  byAccount,
  byAssignee,
  byProvider,
  byService,
  dayRange,
  useList,
  view,
} from '../parts/list/definition.tsx';
import { ListPage } from '../parts/list/list.tsx';
import { OwnMoney } from '../parts/list/own-money.tsx';
import { TwoLines, type Column } from '../parts/list/table.tsx';
import { StatusOf } from '../parts/page/card.tsx';
import { NoData } from '../parts/page/no-data.tsx';

import { Provider } from '../parts/page/provider.tsx';
import { days, signedMoney, signedPercent, words } from '../words/format.ts';
import { AnomalyBulk } from './actions.tsx';
import { AnomaliesQuery, type AnomalyRow } from './queries.ts';

const statuses = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED'] as const;

const list = {
  csv: ['/anomalies', 'anomalies'],
  sort: '-start_date',
  filters: {
    status: view('status', 'Status', [
      ...statuses.map((status) => ({ value: status.toLowerCase(), label: words(status), asks: [status] })),
      { value: 'all', label: 'All', asks: undefined },
    ]),
    severity: anyOf('severity', 'Severity', ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']),
    accountId: byAccount,
    provider: byProvider,
    service: byService,
    ...byAssignee(),
    ...dayRange(),
  },
} as const;

/** Anomaly list, newest first. */
export function AnomaliesPage() {
  const anomalies = useList(list, AnomaliesQuery);
  const { status } = anomalies.question;
  const accountName = useAccountNames();
  const personName = usePeople(anomalies.rows.map(({ assigneeId }) => assigneeId));
  const mayWrite = useMay('anomalies.write');
  const isMixed = status?.length !== 1;
  return (
    <ListPage
      views="ANOMALIES"
      title="Anomalies"
      lead="Unexpected cost increases, detected after each sync."
      list={anomalies}
      columns={anomalyColumns({ accountName, personName, isMixed })}
      bulk={mayWrite ? bulk : undefined}
      hrefOf={({ id }) => `/anomalies/${id}`}
      noun={['anomaly', 'anomalies']}
      empty={
        <NoData
          icon={IconCircleCheck}
          title={status ? `No ${status.map((one) => one.toLowerCase()).join(' or ')} anomalies` : 'No anomalies'}
          text={status?.[0] === 'OPEN' && 'Nothing needs your attention.'}
        />
      }
    />
  );
}

const bulk = {
  nameOf: ({ service: name, startDate, endDate }: AnomalyRow) => `${name}, ${days(startDate, endDate)}`,
  Actions: AnomalyBulk,
};

const service: Column<AnomalyRow> = { title: 'Service', grow: true, sortBy: 'service', cell: (row) => row.service };

const impact: Column<AnomalyRow> = {
  title: 'Impact',
  align: 'right',
  sortBy: 'impact',
  cell: (row) => (
    <TwoLines
      top={<OwnMoney row={row} name="impact" format={signedMoney} isStrong />}
      below={row.impactPercent === null ? 'no cost expected' : signedPercent(row.impactPercent)}
    />
  ),
};

const when: Column<AnomalyRow> = {
  title: 'Days',
  sortBy: 'start_date',
  hideOn: 'half',
  cell: (row) => days(row.startDate, row.endDate),
};

const severity: Column<AnomalyRow> = {
  title: 'Severity',
  sortBy: 'severity',
  cell: (row) => <StatusOf value={row.severity} />,
};

const kind: Column<AnomalyRow> = { title: 'Kind', hideOn: 'tablet', cell: (row) => words(row.kind) };

const status: Column<AnomalyRow> = { title: 'Status', hideOn: 'phone', cell: (row) => <StatusOf value={row.status} /> };

interface Options {
  accountName(id: string): string;
  personName(id: string | null): string | null;
  /** Whether the list mixes statuses. */
  readonly isMixed: boolean;
}

/** Columns of the anomaly list. */
function anomalyColumns({ accountName, personName, isMixed }: Options): Column<AnomalyRow>[] {
  const assignee: Column<AnomalyRow> = {
    title: 'Assignee',
    hideOn: 'tablet',
    cell: (row) => personName(row.assigneeId) ?? '–',
  };
  const account: Column<AnomalyRow> = {
    title: 'Account',
    hideOn: 'phone',
    cell: (row) => (
      <TwoLines
        top={accountName(row.accountId)}
        below={<Provider slug={row.provider} below={accountName(row.accountId)} more={row.region} />}
      />
    ),
  };
  return [service, impact, severity, when, account, kind, assignee, ...(isMixed ? [status] : [])];
}

/** Anomaly columns for the resource page, without the account. */
export const anomalyColumnsOfResource: readonly Column<AnomalyRow>[] = [service, impact, severity, when, kind, status];
