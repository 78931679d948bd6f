import { Button, Switch } from '@mantine/core';
import { IconBell, IconPlus } from '@tabler/icons-react';
import { useEffect, useMemo } from 'react';
import { Link } from 'wouter';
import { useMay } from '../api/me.tsx';
import { sortValue } from '../api/sort.ts';
import { useAct } from '../api/use-act.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useAccountChoices, useCostChoices } from '../parts/choices.ts';
import { CsvButton, queryOf } from '../parts/csv-button.tsx';
import { failed } from '../parts/done.ts';
import { Empty } from '../parts/empty.tsx';
import { ChoiceFilter, FilterBar } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { OneOf } from '../parts/one-of.tsx';
import { Page } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { TwoLines, type Column } from '../parts/table.tsx';
import { pageOf, someOf, useUrlState, type UrlState } from '../parts/url-state.ts';
import { ago, moment } from '../words/format.ts';
import { AlertRulesQuery, UpdateAlertRule, type AlertRule } from './queries.ts';
import { useSentence, type Condition } from './sentence.ts';

const filters = ['enabled', 'account', 'provider', 'service'];
const states = [
  { value: 'all', label: 'All' },
  { value: 'true', label: 'On' },
  { value: 'false', label: 'Off' },
];

/** Every alert rule. */
export function AlertRulesPage() {
  const state = useUrlState();
  const sentenceOf = useSentence();
  const mayWrite = useMay('alert_rules.write');
  const asked = state.one('enabled');
  const answer = useAnswer(AlertRulesQuery, {
    enabled: asked === 'true' ? true : asked === 'false' ? false : undefined,
    accountId: someOf(state, 'account'),
    provider: someOf(state, 'provider'),
    service: someOf(state, 'service'),
    sortBy: sortValue(state.one('sort')),
    page: pageOf(state),
  });
  const columns = useMemo(() => columnsOf(sentenceOf, mayWrite), [sentenceOf, mayWrite]);
  return (
    <Page
      title="Alert rules"
      lead="Conditions on spend. People are told once for each complete day on which one holds."
      actions={<Actions state={state} mayWrite={mayWrite} />}
    >
      <Filters state={state} />
      <ListCard
        label="Alert rules"
        of={answer}
        page={({ alertRules }) => alertRules}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/alert-rules/${id}`}
        state={state}
        sort={state.one('sort')}
        noun={['alert rule']}
        filters={filters}
        empty={
          <Empty
            icon={IconBell}
            title="No alert rules yet"
            text="A rule tells people when the cost of a day, a month or a week goes beyond what you expect."
            action={mayWrite && <NewButton />}
          />
        }
      />
    </Page>
  );
}

function Filters({ state }: { readonly state: UrlState }) {
  const accounts = useAccountChoices();
  const { providers, services } = useCostChoices();
  return (
    <FilterBar state={state} keys={filters}>
      <OneOf state={state} name="enabled" label="On or off" choices={states} />
      <ChoiceFilter state={state} name="account" label="Account" choices={accounts} />
      <ChoiceFilter state={state} name="provider" label="Provider" choices={providers} />
      <ChoiceFilter state={state} name="service" label="Service" choices={services} />
    </FilterBar>
  );
}

function Actions({ state, mayWrite }: { readonly state: UrlState; readonly mayWrite: boolean }) {
  const enabled = state.one('enabled');
  const query = queryOf({
    enabled: enabled === 'true' || enabled === 'false' ? enabled : null,
    account_id: state.all('account'),
    provider: state.all('provider'),
    service: state.all('service'),
    sort_by: state.one('sort'),
  });
  return (
    <>
      <CsvButton path={`/alert-rules${query}`} name="alert-rules" />
      {mayWrite && <NewButton />}
    </>
  );
}

function NewButton() {
  return (
    <Button component={Link} href="/alert-rules/new" leftSection={<IconPlus size={15} aria-hidden />}>
      New alert rule
    </Button>
  );
}

function columnsOf(sentenceOf: (condition: Condition) => string, mayWrite: boolean): Column<AlertRule>[] {
  return [
    {
      key: 'name',
      title: 'Rule',
      sortBy: 'name',
      grow: true,
      cell: (row) => <TwoLines top={row.name} below={sentenceOf(row)} />,
    },
    {
      key: 'tells',
      title: 'Tells',
      hideOn: 'tablet',
      cell: ({ emails, slack }) =>
        ['Owner', emails.length > 0 && `${emails.length} more`, slack && 'chat'].filter(Boolean).join(', '),
    },
    {
      key: 'triggered',
      title: 'Last triggered',
      sortBy: 'last_triggered_at',
      hideOn: 'phone',
      cell: ({ lastTriggeredAt }) =>
        lastTriggeredAt === null ? 'Never' : <TwoLines top={ago(lastTriggeredAt)} below={moment(lastTriggeredAt)} />,
    },
    {
      key: 'enabled',
      title: 'On',
      cell: (row) => (mayWrite ? <OnSwitch rule={row} /> : <OnOff isOn={row.enabled} />),
    },
  ];
}

function OnOff({ isOn }: { readonly isOn: boolean }) {
  return <Status value={isOn ? 'ON' : 'OFF'} tone={isOn ? 'good' : 'quiet'} />;
}

/** Turns a rule on or off at once. */
function OnSwitch({ rule: { id, name, enabled } }: { readonly rule: AlertRule }) {
  const { act, refusal } = useAct(UpdateAlertRule);
  useEffect(() => {
    if (refusal) failed(`${name} was not changed: ${refusal.message}`);
  }, [refusal, name]);
  return (
    <Switch
      aria-label={`${name} is on`}
      checked={enabled}
      onChange={(event) => void act({ id, input: { enabled: event.currentTarget.checked } })}
    />
  );
}
