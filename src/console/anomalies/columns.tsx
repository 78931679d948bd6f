import { signedMoney, days, signedPercent } from '../words/format.ts';
import { providerName, words } from '../words/names.ts';
import { StatusOf } from '../parts/page/status.tsx';
import { TwoLines, type Column } from '../parts/list/table.tsx';
import type { AnomalyRow } from './queries.ts';

const service: Column<AnomalyRow> = { title: 'Service', grow: true, sortBy: 'service', cell: (row) => row.service };

const impact: Column<AnomalyRow> = {
  title: 'Impact',
  align: 'right',
  sortBy: 'impact',
  cell: (row) => (
    <TwoLines
      top={<strong>{signedMoney(row.impact, row.currency)}</strong>}
      below={row.impactPercent === null ? 'nothing was expected' : signedPercent(row.impactPercent)}
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

/** What a list of anomalies tells of each: what it cost and where, how bad, when and how.
 *  @param isMixed whether they stand differently */
export function anomalyColumns(accountName: (id: string) => string, isMixed: boolean): Column<AnomalyRow>[] {
  const account: Column<AnomalyRow> = {
    title: 'Account',
    hideOn: 'phone',
    cell: (row) => (
      <TwoLines
        top={accountName(row.accountId)}
        below={[providerName(row.provider), row.region].filter(Boolean).join(' · ')}
      />
    ),
  };
  return [service, impact, severity, when, account, kind, ...(isMixed ? [status] : [])];
}

/** The same on the page of a resource, where the account goes without saying. */
export const anomalyColumnsOfResource: readonly Column<AnomalyRow>[] = [service, impact, severity, when, kind, status];
