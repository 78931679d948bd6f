import { SimpleGrid, Stack, Alert, Button, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle, IconPlugConnectedX } from '@tabler/icons-react';
import { useParams } from 'wouter';
import { useMay } from '../../api/me.tsx';
import { useAgainWhen, useAnswer } from '../../api/use-api.ts';
import { costsHref } from '../../costs/address.ts';
import { Act } from '../../parts/form/menu.tsx';
import { lastDays } from '../../parts/list/day-range.tsx';
import { useUrlState } from '../../parts/list/url-state.ts';
import { Card, type Fact, Facts, FigureCard, Status } from '../../parts/page/card.tsx';
import { Copy } from '../../parts/page/copy.tsx';
import { usePolling, RecordPage } from '../../parts/page/page.tsx';
import { Provider } from '../../parts/page/provider.tsx';
import { lastCompleteDay } from '../../../kit/time/compared-days.ts';
import type { Day } from '../../../kit/time/period.ts';
import { today } from '../../words/days.ts';
import { providerName } from '../../../kit/text/provider-name.ts';
import { ago, counted, day, days, moment, wholeMoney } from '../../words/format.ts';
import { FilesCard, filesId } from '../files/card.tsx';
import { type Account, AccountDetail, isSyncing, placeOf, syncedAt, syncSign, unsyncedText } from '../queries.ts';
import { SampleBadge } from '../sample/sample.tsx';
import { editOf, EditSource } from '../source/connect-page.tsx';
import { itemsOf, valuesOf, wayOf } from '../source/values.ts';
import { AccountActions } from './actions.tsx';
import { HistoryCard } from './history.tsx';
import { SyncCard, remedyOf } from './sync.tsx';
import { CostsByAccount } from '../../costs/totals.ts';
import { notIncluded } from '../../costs/unknown-change.ts';

/** Account page: billing data, sync status, connection and actions. */
export function AccountPage() {
  const { id = '' } = useParams<{ id: string }>();
  const mayWrite = useMay('accounts.write');
  const state = useUrlState();
  const answer = useAnswer(AccountDetail, { id });
  usePolling(answer, ({ account }) => account !== null && isSyncing(account), 2000);
  const account = answer.data?.account ?? null;
  const edit = mayWrite && account ? editOf(state.one('edit'), account) : null;
  if (account && edit) return <EditSource account={account} edit={edit} />;
  return (
    <RecordPage
      of={answer}
      record={(data) => data.account}
      noun="account"
      crumbs={[['Accounts', '/accounts']]}
      reads={['edit', 'page', 'syncs']}
      titleOf={({ name }) => name}
      leadOf={(found) => (
        <span style={{ overflowWrap: 'anywhere' }}>
          {providerName(found.provider)} · {placeOf(found)} {found.sample && <SampleBadge />}
        </span>
      )}
      actionsOf={(found) => <AccountActions account={found} mayWrite={mayWrite} />}
    >
      {(found) => <AccountWhole account={found} mayWrite={mayWrite} onChange={answer.again} />}
    </RecordPage>
  );
}

interface Props {
  readonly account: Account;
  readonly mayWrite: boolean;
  /** Called after a change that starts a sync. */
  onChange(): void;
}

/** Full content of the account page. */
function AccountWhole({ account, mayWrite, onChange }: Props) {
  const { dataTo, settings, status } = account;
  const files = settings.source === 'UPLOADS' && (
    <FilesCard key="files" account={account} mayWrite={mayWrite} onChange={onChange} />
  );
  const others = [
    <Figures key="figures" account={account} />,
    status === 'CONNECTED' && <SyncCard key="sync" account={account} mayWrite={mayWrite} />,
    <HistoryCard key="history" account={account} />,
  ];
  return (
    <Stack gap="md">
      <Notes account={account} mayWrite={mayWrite} />
      {/* Before the first bill, files come first. The keys keep the card and its running uploads when it moves. */}
      {dataTo === null ? [files, ...others] : [...others, files]}
      <ConnectionCard account={account} />
    </Stack>
  );
}

/** The account's cost and bills in figures. */
function Figures({ account }: { readonly account: Account }) {
  const { completeThrough, dataFrom, dataTo, status } = account;
  const synced = syncedAt(account);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
      <AccountSpendFigure account={account} />
      <FigureCard
        label="Complete through"
        value={completeThrough ? day(completeThrough) : '–'}
        below={completeThrough ? 'Later days may still change' : 'Available after the first sync'}
      />
      <FigureCard
        label="Bills"
        value={dataFrom && dataTo ? counted(monthsOf(dataFrom, dataTo), 'month') : 'None yet'}
        below={dataFrom && dataTo && days(dataFrom, dataTo)}
      />
      <FigureCard
        label="Last successful sync"
        value={synced ? ago(synced) : unsyncedText(account)}
        below={status === 'DISCONNECTED' ? <Status value={status} tone="quiet" /> : synced && moment(synced)}
      />
    </SimpleGrid>
  );
}

/** Number of calendar months that a date range touches. */
function monthsOf(from: string, to: string): number {
  const month = (of: string) => Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7));
  return month(to) - month(from) + 1;
}

/** Cost of the account in the last 30 days, with a link to the explorer. */
function AccountSpendFigure({ account }: { readonly account: Account }) {
  const { id, dataTo, completeThrough } = account;
  const last = lastCompleteDay(completeThrough === null ? [] : [completeThrough as Day], today() as Day);
  const { from: startDate, to: endDate } = lastDays(30, last ?? today());
  const answer = useAnswer(CostsByAccount, { accountId: [id], startDate, endDate });
  useAgainWhen(syncSign(account), answer);
  // Before the first bill the cost is unknown, not 0.
  const costs = dataTo === null ? null : answer.data?.costsByAccount;
  return (
    <FigureCard
      label="Last 30 days"
      value={costs ? wholeMoney(costs.totalCost, costs.currency) : '–'}
      below={costs && [days(costs.startDate, costs.endDate), notIncluded(costs)].filter(Boolean).join(' · ')}
      href={costsHref({ account: id, from: startDate, to: endDate })}
    />
  );
}

/** Connection details: provider, billing data location, and when the credentials were last set. */
function ConnectionCard({ account }: { readonly account: Account }) {
  const { provider, externalId, sample, settings, createdAt, currency } = account;
  const way = wayOf(provider, settings);
  return (
    <Card title="Connection">
      <Facts
        facts={[
          ['Provider', <Provider key="provider" slug={provider} />],
          ['Read from', sample ? 'Sample data' : way.label],
          ...(settings.source === 'UPLOADS' ? [] : [idFact(externalId)]),
          ...settingFacts(account),
          ['Currency', currency],
          ['Credentials', credentialsText(account)],
          ['Connected', moment(createdAt)],
        ]}
      />
    </Card>
  );
}

function idFact(externalId: string): Fact {
  return [
    'Provider ID',
    <span key="id">
      {externalId} <Copy value={externalId} label="Copy the ID" />
    </span>,
  ];
}

function settingFacts({ provider, settings }: Account): Fact[] {
  const values = valuesOf(settings);
  return wayOf(provider, settings)
    .fields.filter(({ part, name }) => part === 'settings' && values[name])
    .map(({ name, label, kind }) => [label, kind === 'list' ? itemsOf(values, name).join(', ') : values[name]]);
}

function credentialsText({ provider, settings, status, credentialsUpdatedAt: at }: Account): string {
  if (wayOf(provider, settings).credentials.length === 0) return 'None needed';
  if (status === 'DISCONNECTED') return 'Deleted';
  return at ? `Stored encrypted, last set ${moment(at)}` : 'None stored';
}

interface NotesProps {
  readonly account: Account;
  readonly mayWrite: boolean;
}

/** Alerts that qualify the account's figures: disconnected, sync failed, data missing. */
export function Notes({ account, mayWrite }: NotesProps) {
  const { status, lastSyncError, syncWarnings } = account;
  return (
    <>
      {status === 'DISCONNECTED' && <Disconnected account={account} mayWrite={mayWrite} />}
      {status === 'CONNECTED' && lastSyncError && !isSyncing(account) && (
        <Failed account={account} mayWrite={mayWrite} />
      )}
      {syncWarnings.length > 0 && (
        <Alert color="yellow" title="Warnings from the last sync" icon={<IconInfoCircle size={18} aria-hidden />}>
          <List size="sm" spacing={4}>
            {syncWarnings.map((warning) => (
              <List.Item key={warning} style={{ overflowWrap: 'anywhere' }}>
                {warning}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}

function Failed({ account, mayWrite }: NotesProps) {
  const { provider, settings, syncStatus, lastSyncError } = account;
  const state = useUrlState();
  const way = wayOf(provider, settings);
  const edits = [
    ...(way.credentials.length > 0 ? [['credentials', 'Replace credentials'] as const] : []),
    ...(way.key === 'uploads' ? [] : [['settings', 'Change settings'] as const]),
  ];
  return (
    <Alert
      color="red"
      title={syncStatus === 'FAILED' ? 'The last sync failed' : 'The previous sync failed'}
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {lastSyncError}
      </Text>
      <Text size="sm" mt={6}>
        {mayWrite ? remedyOf(account) : 'Ask an Admin to fix this. Data loaded so far is kept.'}
      </Text>
      {mayWrite && (
        <Group gap="xs" mt={10}>
          {edits.map(([edit, label]) => (
            <Act label={label} key={edit} href={state.with({ edit })} size="compact-sm" />
          ))}
          {way.key === 'uploads' && (
            <Button component="a" href={`#${filesId}`} variant="default" size="compact-sm">
              Go to the files
            </Button>
          )}
        </Group>
      )}
    </Alert>
  );
}

function Disconnected({ account, mayWrite }: NotesProps) {
  const state = useUrlState();
  return (
    <Alert color="gray" title="This account is disconnected" icon={<IconPlugConnectedX size={18} aria-hidden />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {account.dataTo ? 'Its past costs are kept. ' : ''}It is no longer synced, and its credentials were deleted.
        </Text>
        {mayWrite && !account.sample && (
          <Act label="Reconnect" href={state.with({ edit: 'reconnect' })} size="compact-sm" />
        )}
      </Group>
    </Alert>
  );
}
