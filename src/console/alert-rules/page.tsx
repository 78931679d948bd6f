import { IconBell } from '@tabler/icons-react';
import { useMay } from '../api/me.tsx';
import { OnSwitch } from '../parts/form/dialog.tsx';
import {
  byAccount,
  byProvider,
  byService,
  bySubAccount,
  byTagKey,
  onOrOff,
  useList,
} from '../parts/list/definition.tsx';
import { ListPage, NewButton } from '../parts/list/list.tsx';
import { TwoLines, type Column } from '../parts/list/table.tsx';
import { Empty } from '../parts/page/page.tsx';
import { ago, counted, moment } from '../words/format.ts';
import { AlertRulesQuery, UpdateAlertRule, type AlertRule, useSentence, type Condition } from './rule.ts';

const list = {
  csv: ['/alert-rules', 'alert-rules'],
  filters: {
    enabled: onOrOff('enabled', 'Rules shown'),
    accountId: byAccount,
    provider: byProvider,
    service: byService,
    subAccountId: bySubAccount,
    tagKey: byTagKey,
  },
} as const;

/** Alert rule list. */
export function AlertRulesPage() {
  const sentenceOf = useSentence();
  const mayWrite = useMay('alert_rules.write');
  const newButton = mayWrite && <NewButton href="/alert-rules/new">New alert rule</NewButton>;
  return (
    <ListPage
      views="ALERT_RULES"
      title="Alert rules"
      lead="Get notified when spend meets a condition, at most once per complete day."
      actions={newButton}
      list={useList(list, AlertRulesQuery)}
      columns={columnsOf(sentenceOf, mayWrite)}
      hrefOf={({ id }) => `/alert-rules/${id}`}
      noun={['alert rule']}
      empty={
        <Empty
          icon={IconBell}
          title="No alert rules yet"
          text="A rule sends notifications when a cost, its change or a unit cost is above or below a threshold."
          action={newButton}
        />
      }
    />
  );
}

function columnsOf(sentenceOf: (condition: Condition) => string, mayWrite: boolean): Column<AlertRule>[] {
  return [
    { title: 'Rule', sortBy: 'name', grow: true, cell: (row) => <TwoLines top={row.name} below={sentenceOf(row)} /> },
    {
      title: 'Recipients',
      hideOn: 'tablet',
      cell: ({ emails, channelIds }) =>
        [
          'Owner',
          emails.length > 0 && `${emails.length} more`,
          channelIds.length > 0 && counted(channelIds.length, 'channel'),
        ]
          .filter(Boolean)
          .join(', '),
    },
    {
      title: 'Last triggered',
      sortBy: 'last_triggered_at',
      hideOn: 'phone',
      cell: ({ lastTriggeredAt }) =>
        lastTriggeredAt === null ? 'Never' : <TwoLines top={ago(lastTriggeredAt)} below={moment(lastTriggeredAt)} />,
    },
    { title: 'Enabled', cell: (row) => <OnSwitch row={row} mutation={UpdateAlertRule} mayWrite={mayWrite} /> },
  ];
}
