import { Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCircle, IconCircleCheck, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Act, Muted } from '../parts/form/menu.tsx';
import { remedyOf, SyncProgress } from '../accounts/detail/sync.tsx';
import { isSyncing, type AccountRow } from '../accounts/queries.ts';
import { LoadSample, useSampleOffer } from '../accounts/sample/sample.tsx';
import { useMay, useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { useKept } from '../parts/kept.ts';
import { Card, StatusOf } from '../parts/page/card.tsx';
import { NotConnected } from '../parts/page/no-data.tsx';
import { TextLink } from '../parts/page/page.tsx';
import classes from './overview.module.css';
import { ChecklistQuery } from './queries.ts';

interface Props {
  /** Connected and disconnected accounts. */
  readonly accounts: readonly AccountRow[];
}

interface Task {
  readonly title: string;
  /** Page of the task. */
  readonly href: string;
  readonly isDone: boolean;
}

interface Tasks {
  readonly tasks: readonly Task[];
  readonly isKnown: boolean;
  /** Whether the caller sees any budget; true until known. */
  readonly hasBudgets: boolean;
}

/** Tasks after the first costs, without those that the user has no permission for. */
export function useTasks(): Tasks {
  const { accountAccess } = useMe();
  const mayBudget = useMay('budgets.write');
  const mayChannel = useMay('channels.write') && accountAccess === null;
  const { data } = useAnswer(ChecklistQuery, { channels: mayChannel }, { isLasting: true });
  const { pagination: ofBudgets } = data?.budgets ?? {};
  const { pagination: ofChannels } = data?.channels ?? {};
  const tasks: Task[] = [];
  if (mayBudget) tasks.push({ title: 'Create a budget', href: '/budgets/new', isDone: (ofBudgets?.total ?? 0) > 0 });
  if (mayChannel)
    tasks.push({ title: 'Add a channel', href: '/settings/channels?new=1', isDone: (ofChannels?.total ?? 0) > 0 });
  return { tasks, isKnown: data !== null, hasBudgets: ofBudgets?.total !== 0 };
}

/** Benefit of each task. */
const reasons: Readonly<Record<string, string>> = {
  'Create a budget': 'Get alerted before you overspend.',
  'Add a channel': 'Send alerts and reports to Slack, Teams or a webhook.',
};

/** Steps to the first costs, budget and channel, for an organization without costs. Users who cannot connect an account see who
 *  can. */
export function FirstSteps({ accounts }: Props) {
  const mayConnect = useMay('accounts.write');
  const { tasks } = useTasks();
  if (!mayConnect && accounts.length === 0) {
    return (
      <Card>
        <NotConnected />
      </Card>
    );
  }
  const isConnected = accounts.length > 0;
  return (
    <Card title="Get started">
      <ol className="plain ruled">
        <Step number={1} title="Connect an account" isDone={isConnected} isNow={!isConnected}>
          {isConnected ? <Muted>{accounts.map(({ name }) => name).join(', ')}</Muted> : <Connect />}
        </Step>
        <Step number={2} title="The first sync loads its bills" isNow={isConnected}>
          {isConnected ? (
            <Syncs accounts={accounts} />
          ) : (
            <Muted>
              It starts automatically, with the newest month. It loads all months that the provider has kept.
            </Muted>
          )}
        </Step>
        {tasks.map(({ title, href, isDone }, index) => (
          <Step
            key={title}
            number={index + 3}
            title={isDone ? title : <Link href={href}>{title}</Link>}
            isDone={isDone}
          >
            <Muted>{reasons[title]}</Muted>
          </Step>
        ))}
      </ol>
    </Card>
  );
}

/** Steps of "Get started" in one line, for Admins of an organization with costs, until all are done or hidden in this browser. */
export function Checklist() {
  const { organization } = useMe();
  const mayConnect = useMay('accounts.write');
  const [isHidden, setHidden] = useKept(`checklist-hidden.${organization.id}`, false);
  const { tasks, isKnown } = useTasks();
  if (!mayConnect || isHidden || !isKnown || tasks.every(({ isDone }) => isDone)) return null;
  const steps = [
    { title: 'Connect an account', href: '/accounts', isDone: true },
    { title: 'Load the first bills', href: '/accounts', isDone: true },
    ...tasks,
  ];
  return (
    <Card
      title="Get started"
      note={`${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`}
      actions={<Act label="Hide" size="compact-sm" variant="subtle" onClick={() => setHidden(true)} />}
    >
      <ol className={`plain ${classes.tasks}`}>
        {steps.map(({ title, href, isDone }) => (
          <li key={title} className={classes.task}>
            {isDone ? (
              <IconCircleCheck size={18} color="var(--good)" aria-hidden />
            ) : (
              <IconCircle size={18} aria-hidden />
            )}
            {isDone ? <Muted>{title}</Muted> : <TextLink href={href}>{title}</TextLink>}
            {isDone && <VisuallyHidden> (done)</VisuallyHidden>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: ReactNode;
  readonly isDone?: boolean;
  readonly isNow?: boolean;
  readonly children: ReactNode;
}

function Step({ number, title, isDone = false, isNow = false, children }: StepProps) {
  return (
    <li className={`${classes.step} ${isNow ? classes.now : ''}`} aria-current={isNow ? 'step' : undefined}>
      <span className={classes.number} aria-hidden>
        {isDone ? <IconCheck size={16} /> : number}
      </span>
      <Stack gap={6}>
        <Title order={3} size="h5">
          {title}
          {isDone && <VisuallyHidden> (done)</VisuallyHidden>}
        </Title>
        {children}
      </Stack>
    </li>
  );
}

function Connect() {
  const hasOffer = useSampleOffer();
  return (
    <>
      <Muted maw={620}>
        AWS, Azure, Google Cloud, or a FOCUS export from any provider. Costkeep has read-only access and changes nothing
        in your clouds.
      </Muted>
      <Group gap="xs">
        <Act label="Connect an account" Icon={IconPlus} primary href="/accounts/connect" />
        {hasOffer && <LoadSample />}
      </Group>
    </>
  );
}

function Syncs({ accounts }: Props) {
  return (
    <Stack gap="sm" maw={520}>
      {accounts.map((account) => (
        <Stack key={account.id} gap={4}>
          <Text size="sm">
            <Link href={`/accounts/${account.id}`}>{account.name}</Link> <StatusOf value={account.syncStatus} />
          </Text>
          {isSyncing(account) ? <SyncProgress account={account} /> : <Ended account={account} />}
        </Stack>
      ))}
    </Stack>
  );
}

/** First sync that loaded no data. */
function Ended({ account }: { readonly account: AccountRow }) {
  const { id, syncStatus, lastSyncError, settings } = account;
  if (syncStatus !== 'FAILED') {
    if (settings.source === 'UPLOADS') return <TextLink href={`/accounts/${id}`}>Upload bill files</TextLink>;
    return (
      <Muted>
        {syncStatus === 'SUCCEEDED' ? 'No bills found yet. The next sync checks again.' : 'No sync is running.'}
      </Muted>
    );
  }
  return (
    <>
      <Text size="sm" c="var(--bad)" style={{ overflowWrap: 'anywhere' }}>
        {lastSyncError}
      </Text>
      <Muted>{remedyOf(account)}</Muted>
    </>
  );
}
