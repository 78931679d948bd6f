import { Group } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { dayFaults } from '../parts/address-faults.ts';
import { BadAddress } from '../parts/bad-address.tsx';
import { useAccountChoices, useCostChoices } from '../parts/choices.ts';
import { CsvButton, queryOf } from '../parts/csv-button.tsx';
import { DayRangePicker } from '../parts/day-range.tsx';
import { Empty } from '../parts/empty.tsx';
import { ChoiceFilter, FilterBar } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { OneOf } from '../parts/one-of.tsx';
import { Page } from '../parts/page.tsx';
import { useAccountNames } from '../parts/scope.tsx';
import { knownOf, pageOf, someOf, useUrlState, type UrlState } from '../parts/url-state.ts';
import { words } from '../words/names.ts';
import { anomalyColumns } from './columns.tsx';
import { AnomaliesQuery } from './queries.ts';

const statuses = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED'] as const;
const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
const filters = ['severity', 'account', 'provider', 'service', 'from', 'to'];

const views = [...statuses, 'ALL'].map((status) => ({ value: status.toLowerCase(), label: words(status) }));
const severityChoices = severities.map((value) => ({ value, label: words(value) }));

/** What the address asks for; the open ones without a status. */
function questionOf(state: UrlState) {
  const severity = knownOf(state, 'severity', severities);
  const status = knownOf(state, 'status', statuses);
  const isAll = state.all('status').includes('all');
  return {
    status: isAll ? undefined : status.length > 0 ? status : ['OPEN' as const],
    severity: severity.length > 0 ? severity : undefined,
    accountId: someOf(state, 'account'),
    provider: someOf(state, 'provider'),
    service: someOf(state, 'service'),
    startDate: state.one('from') ?? undefined,
    endDate: state.one('to') ?? undefined,
  };
}

/** Every anomaly that matters, the dearest first. */
export function AnomaliesPage() {
  const state = useUrlState();
  const question = questionOf(state);
  const sort = state.one('sort') ?? '-impact';
  const faults = dayFaults({ from: state.one('from'), to: state.one('to') }, Infinity);
  const isGood = faults.length === 0;
  const answer = useAnswer(
    AnomaliesQuery,
    { ...question, sortBy: sortValue(sort), page: pageOf(state), perPage: 25 },
    { pause: !isGood },
  );
  const accountName = useAccountNames();
  const isMixed = question.status?.length !== 1;
  const columns = useMemo(() => anomalyColumns(accountName, isMixed), [accountName, isMixed]);
  return (
    <Page
      title="Anomalies"
      lead="Usage that cost more than the days before let expect. Found anew after each sync."
      actions={isGood && <CsvButton path={`/anomalies${csvQuery(question, sort)}`} name="anomalies" />}
    >
      {isGood ? (
        <>
          <Filters state={state} />
          <ListCard
            label="Anomalies"
            of={answer}
            page={(data) => data.anomalies}
            columns={columns}
            keyOf={(row) => row.id}
            hrefOf={(row) => `/anomalies/${row.id}`}
            state={state}
            sort={sort}
            noun={['anomaly', 'anomalies']}
            filters={filters}
            empty={<NoAnomalies status={question.status} />}
          />
        </>
      ) : (
        <BadAddress state={state} faults={faults} what="anomalies" />
      )}
    </Page>
  );
}

function csvQuery(question: ReturnType<typeof questionOf>, sort: string) {
  const { status, severity, accountId, provider, service, ...days } = question;
  return queryOf({
    status: status?.map((value) => value.toLowerCase()),
    severity: severity?.map((value) => value.toLowerCase()),
    account_id: accountId,
    provider,
    service,
    start_date: days.startDate,
    end_date: days.endDate,
    sort_by: sort,
  });
}

function Filters({ state }: { readonly state: UrlState }) {
  const accounts = useAccountChoices();
  const { services, providers } = useCostChoices();
  const range = { from: state.one('from') ?? '', to: state.one('to') ?? '' };
  return (
    <Group gap="xs">
      <OneOf state={state} name="status" label="Status" choices={views} />
      <FilterBar state={state} keys={filters}>
        <ChoiceFilter state={state} name="severity" label="Severity" choices={severityChoices} isClosed />
        <ChoiceFilter state={state} name="account" label="Account" choices={accounts} />
        <ChoiceFilter state={state} name="provider" label="Provider" choices={providers} />
        <ChoiceFilter state={state} name="service" label="Service" choices={services} />
        <DayRangePicker value={range} onChange={({ from, to }) => state.set({ from, to })} />
      </FilterBar>
    </Group>
  );
}

function NoAnomalies({ status }: Pick<ReturnType<typeof questionOf>, 'status'>) {
  const title = status ? `No ${status.map((one) => one.toLowerCase()).join(' or ')} anomalies` : 'No anomalies';
  return (
    <Empty icon={IconCircleCheck} title={title} text={status?.[0] === 'OPEN' && 'Nothing waits to be looked into.'} />
  );
}
