import { Switch } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useEffect, useMemo } from 'react';
import { useMay } from '../api/me.tsx';
import { useAct } from '../api/use-api.ts';
import { failed } from '../parts/form/done.ts';
import { byAccount, byProvider, byService, onOrOff, useList } from '../parts/list/definition.tsx';
import { ListPage, NewButton } from '../parts/list/list.tsx';
import { TwoLines, type Column } from '../parts/list/table.tsx';
import { Empty } from '../parts/page/shown.tsx';
import { Status } from '../parts/page/status.tsx';
import { ago, moment } from '../words/format.ts';
import { AlertRulesQuery, UpdateAlertRule, type AlertRule } from './queries.ts';
import { useSentence, type Condition } from './rule.ts';

const list = {
  csv: ['/alert-rules', 'alert-rules'],
  filters: {
    enabled: onOrOff('enabled', 'On or off'),
    accountId: byAccount,
    provider: byProvider,
    service: byService,
  },
} as const;

/** Every alert rule. */
export function AlertRulesPage() {
  const sentenceOf = useSentence();
  const mayWrite = useMay('alert_rules.write');
  const columns = useMemo(() => columnsOf(sentenceOf, mayWrite), [sentenceOf, mayWrite]);
  const newButton = mayWrite && <NewButton href="/alert-rules/new">New alert rule</NewButton>;
  return (
    <ListPage
      title="Alert rules"
      lead="Get notified when spend meets a condition. Rules are evaluated once for each complete day."
      actions={newButton}
      list={useList(list, AlertRulesQuery)}
      columns={columns}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => `/alert-rules/${id}`}
      noun={['alert rule']}
      empty={
        <Empty
          icon={IconBell}
          title="No alert rules yet"
          text="A rule notifies people when the cost of a day, a week or a month exceeds what you expect."
          action={newButton}
        />
      }
    />
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
