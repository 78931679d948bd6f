import {
  Alert,
  Anchor,
  Breadcrumbs,
  Center,
  Group,
  Skeleton,
  Stack,
  Text,
  Title,
  type AnchorProps,
  VisuallyHidden,
} from '@mantine/core';
import {
  IconAlertTriangle,
  IconCloudOff,
  IconHourglass,
  IconInbox,
  IconLock,
  IconSearchOff,
  type Icon as TablerIcon,
} from '@tabler/icons-react';
import { useEffect, useState, type AriaAttributes, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Act, Muted } from '../form/menu.tsx';
import type { Refusal } from '../../api/refusal.ts';
import type { Answer } from '../../api/use-api.ts';
import { useWait } from '../../api/waiting.ts';
import classes from './page.module.css';
import { UnknownNames, type Reads } from './unknown-names.tsx';
import { counted, sentence } from '../../words/format.ts';

/** Props of a page frame. */
export interface PageProps {
  readonly title: string;
  /** One line below the title. */
  readonly lead?: ReactNode;
  /** Buttons on the right. */
  readonly actions?: ReactNode;
  /** Parent pages, such as `[['Budgets', '/budgets']]`. */
  readonly crumbs?: readonly (readonly [label: string, href: string])[];
  /** URL keys that the page reads, for lists besides those of the list: a notice names all others. Without it, there is no notice. */
  readonly reads?: Reads | undefined;
  readonly children: ReactNode;
}

/** Page with heading, actions and content; also sets the window title. */
export function Page({ title, lead, actions, crumbs = [], reads, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Costkeep`;
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Stack gap={2} miw={0} style={{ flex: '1 1 340px' }}>
          {crumbs.length > 0 && <Crumbs crumbs={crumbs} />}
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }} tabIndex={-1} id="page-title">
            {title}
          </Title>
          {lead && (
            <Text component="div" c="dimmed" size="sm">
              {lead}
            </Text>
          )}
        </Stack>
        {actions && (
          <Group gap="xs" className={classes.actions}>
            {actions}
          </Group>
        )}
      </Group>
      {reads && <UnknownNames reads={reads} />}
      {children}
    </Stack>
  );
}

function Crumbs({ crumbs }: { readonly crumbs: NonNullable<PageProps['crumbs']> }) {
  return (
    <Breadcrumbs component="nav" aria-label="Breadcrumb" separatorMargin={6}>
      {crumbs.map(([label, href]) => (
        <Anchor key={href} component={Link} href={href} size="sm">
          {label}
        </Anchor>
      ))}
    </Breadcrumbs>
  );
}

interface Props<Data> {
  readonly of: Answer<Data>;
  /** Expected content height in px, to avoid layout shifts. */
  readonly height?: number;
  /** Loading placeholder; defaults to a grey block. */
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Renders an answer in each state: loading, error (denied, rate limited, offline, not found) or data. During a refetch the
 *  previous data stays, slightly faded; if it fails, below the error. */
export function Shown<Data>({ of, height = 200, skeleton, children }: Props<Data>) {
  if (of.data === null) {
    if (of.refusal) return <RefusalNote refusal={of.refusal} again={of.again} />;
    return <div aria-busy="true">{skeleton ?? <Skeleton height={height} radius="md" aria-label="Loading" />}</div>;
  }
  return (
    <div aria-busy={of.isStale} style={{ opacity: of.isStale ? 0.6 : 1, transition: 'opacity 150ms 150ms' }}>
      <RefetchAlert of={of} mb="md" />
      {children(of.data)}
    </div>
  );
}

interface RefetchProps extends Pick<AlertProps, 'mb'> {
  readonly of: Answer<unknown>;
}

/** Error of a refetch, above the data that stays. */
export function RefetchAlert({ of: { refusal, again }, mb }: RefetchProps) {
  return <RefusalAlert refusal={refusal} onOver={again} again={again} mb={mb} />;
}

/** Polls while there is something to wait for, until a request fails; waits for each answer before the next request, and
 *  pauses while the tab is hidden. */
export function usePolling<Data>(of: Answer<Data>, isWaiting: (data: Data) => boolean, everyMs: number): void {
  const waits = of.data !== null && of.refusal === null && isWaiting(of.data);
  const { isStale, again } = of;
  useEffect(() => {
    if (!waits || isStale) return undefined;
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') again();
      else document.addEventListener('visibilitychange', again, { once: true });
    }, everyMs);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [waits, isStale, again, everyMs]);
}

interface RefusalNoteProps {
  readonly refusal: Refusal;
  /** Refetches. */
  readonly again?: (() => void) | undefined;
}

/** Title and icon for each error code. */
function faceOf({ code }: Refusal) {
  switch (code) {
    case 'AWAY':
      return { title: 'The server is not available', Icon: IconCloudOff };
    case 'SERVICE_UNAVAILABLE':
      return { title: 'Not available right now', Icon: IconHourglass };
    case 'RATE_LIMITED':
      return { title: 'Too many requests', Icon: IconHourglass };
    case 'FORBIDDEN':
      return { title: 'Not available for your role', Icon: IconLock };
    case 'ACCOUNT_LOCKED':
      return { title: 'Temporarily locked', Icon: IconLock };
    case 'NOT_FOUND':
    case 'BUDGET_NOT_FOUND':
      return { title: 'Not found', Icon: IconSearchOff };
    case 'VALIDATION_ERROR':
      return { title: 'Invalid request', Icon: IconAlertTriangle };
    default:
      return { title: 'Something went wrong', Icon: IconAlertTriangle };
  }
}

/** Error in place of an answer: what happened, how to fix it, and a retry button. */
export function RefusalNote({ refusal, again }: RefusalNoteProps) {
  const { title, Icon } = faceOf(refusal);
  // Not found and not accessible to the member look the same: an empty state, not an error.
  if (refusal.status === 404) return <Empty title="No data" text={refusal.message} icon={IconSearchOff} />;
  return (
    <Center p="lg" mih={160}>
      <Stack align="center" gap={6} maw={480} role="alert">
        <Icon size={28} stroke={1.5} color="var(--ink-soft)" aria-hidden />
        <Text fw={600}>{title}</Text>
        <RefusalText refusal={refusal} again={again} />
        {again && !isFinal(refusal) && <Act label="Retry" size="xs" mt={4} onClick={again} />}
      </Stack>
    </Center>
  );
}

/** Whether a retry cannot help: the input is invalid, a permission is missing, or the record is gone. */
function isFinal({ code, status }: Refusal): boolean {
  return status === 404 || ['FORBIDDEN', 'VALIDATION_ERROR'].includes(code);
}

/** Error message. A rate limit counts down and retries by itself; other errors show the API's message. */
function RefusalText({ refusal, again }: RefusalNoteProps) {
  const isLimit = refusal.code === 'RATE_LIMITED' && refusal.retryAfter !== null;
  return (
    <Muted ta="center" style={{ overflowWrap: 'anywhere' }}>
      {isLimit ? <Countdown seconds={refusal.retryAfter} again={again} /> : refusal.message}
    </Muted>
  );
}

function Countdown({ seconds, again }: { readonly seconds: number | null; readonly again?: (() => void) | undefined }) {
  return <>Too many requests, retrying in {useSecondsLeft(seconds ?? 0, again)} s.</>;
}

/** Says when requests above the rate limit are repeated. */
export function WaitNote() {
  const until = useWait();
  return (
    <div role="status" className={classes.wait}>
      {until !== null && (
        <Alert color="yellow" icon={<IconHourglass size={18} aria-hidden />} py="xs">
          <Countdown key={until} seconds={Math.max(1, Math.ceil((until - Date.now()) / 1000))} />
        </Alert>
      )}
    </div>
  );
}

/** Counts down to 0. */
function useSecondsLeft(seconds: number, onOver: (() => void) | undefined): number {
  const [until] = useState(() => Date.now() + seconds * 1000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (left <= 0) return onOver?.();
    const timer = setTimeout(() => setLeft(Math.ceil((until - Date.now()) / 1000)), 1000);
    return () => clearTimeout(timer);
  }, [left, until, onOver]);
  return Math.max(left, 0);
}

/** Full-window error. */
export function RefusalPage({ refusal, again }: RefusalNoteProps) {
  const { title } = faceOf(refusal);
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack maw={440} gap="sm" role="alert">
        <Title order={1} size="h2">
          {title}
        </Title>
        <RefusalText refusal={refusal} again={again} />
        <Group>{again && <Act label="Retry" primary onClick={again} />}</Group>
      </Stack>
    </Center>
  );
}

interface AlertProps {
  readonly refusal: Refusal | null;
  /** Called when the waiting time is over. */
  readonly onOver?: (() => void) | undefined;
  /** Retries. */
  readonly again?: (() => void) | undefined;
  /** Reads again what others have changed; default: reloads the page. */
  readonly onReload?: (() => void) | undefined;
  readonly mb?: 'md' | undefined;
}

/** Error of an action, such as a form, with the waiting time if there is one. */
export function RefusalAlert({ refusal, onOver, again, onReload = () => location.reload(), mb }: AlertProps) {
  if (!refusal) return null;
  const { title, Icon } = faceOf(refusal);
  const { code, field, retryAfter, message } = refusal;
  const isPlain = untitled.has(code) || (code === 'FORBIDDEN' && field !== null);
  return (
    <Alert color="red" icon={<Icon size={18} aria-hidden />} role="alert" title={isPlain ? undefined : title} mb={mb}>
      <span style={{ overflowWrap: 'anywhere' }}>
        {wordingOf(refusal)} {retryAfter !== null && <Wait key={message} seconds={retryAfter} onOver={onOver} />}
        {code === 'ACCOUNT_LOCKED' &&
          ' To unlock sign-in earlier, reset your password or ask an Admin of your organization.'}
      </span>
      {refusal.isStale && <Act label="Reload" size="xs" mt="xs" display="block" onClick={onReload} />}
      {again && !isFinal(refusal) && <Act label="Retry" size="xs" mt="xs" display="block" onClick={again} />}
    </Alert>
  );
}

/** Codes of errors in the input, which the message explains. */
const untitled = new Set(['VALIDATION_ERROR', 'CONFLICT', 'UNAUTHORIZED', 'PASSKEY']);

/** Rewords API messages, which are written for programs, for users. */
function wordingOf(refusal: Refusal): string {
  const { code, field } = refusal;
  if (refusal.isStale)
    return `${refusal.resourceId === null ? 'This' : 'One of these'} was changed after you opened it, so your changes were not saved. Copy what you need, then reload and apply your changes again.`;
  if (code === 'ACCOUNT_LOCKED') return 'Too many failed attempts.';
  if (code === 'RATE_LIMITED') return 'This server limits the number of requests per minute.';
  const isWrong = code === 'UNAUTHORIZED' || code === 'FORBIDDEN';
  if (isWrong && field === 'code') return 'The code is wrong or was already used.';
  if (isWrong && field === 'response') return 'The passkey was not accepted. Try again, or sign in with your password.';
  if (field === 'inviteToken' || field === 'invite_token') return sentence(refusal.labelled('This invitation'));
  return sentence(refusal.message);
}

/** Visible countdown; screen readers announce the duration only once. */
function Wait({ seconds, onOver }: { readonly seconds: number; readonly onOver: AlertProps['onOver'] }) {
  const left = useSecondsLeft(seconds, onOver);
  const heard = seconds < 60 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');
  return (
    <>
      <VisuallyHidden>You can try again in {heard}.</VisuallyHidden>
      <span aria-hidden>You can try again in {spanOf(left)}.</span>
    </>
  );
}

function spanOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Content of an empty state. */
export interface EmptyProps {
  readonly title: string;
  /** Reason why it is empty, or what would fill it. */
  readonly text?: ReactNode;
  /** Button that adds content or removes filters. */
  readonly action?: ReactNode;
  readonly icon?: TablerIcon;
}

/** Empty state with a next step. */
export function Empty({ title, text, action, icon: Icon = IconInbox }: EmptyProps) {
  return (
    <Center p="xl" mih={160}>
      <Stack align="center" gap={6} maw={460}>
        <Icon size={28} stroke={1.4} color="var(--ink-soft)" aria-hidden />
        <Text fw={600} ta="center">
          {title}
        </Text>
        {text && (
          <Text component="div" size="sm" c="dimmed" ta="center">
            {text}
          </Text>
        )}
        {action && <div style={{ marginTop: 6 }}>{action}</div>}
      </Stack>
    </Center>
  );
}

interface RecordPageProps<Data, Of> extends Pick<PageProps, 'crumbs' | 'reads'> {
  readonly of: Answer<Data>;
  /** Returns the record in the answer; null if there is none. */
  readonly record: (data: Data) => Of | null | undefined;
  /** Noun, such as `budget`; used as title until the record has loaded. */
  readonly noun: string;
  readonly titleOf: (record: Of) => string;
  readonly leadOf?: (record: Of) => ReactNode;
  readonly actionsOf?: (record: Of) => ReactNode;
  readonly height?: number;
  readonly children: (record: Of) => ReactNode;
}

/** Page of one record, in every state of its answer. */
export function RecordPage<Data, Of>(props: RecordPageProps<Data, Of>) {
  const { of, record, noun, titleOf, leadOf, actionsOf, crumbs, reads, height = 480, children } = props;
  const found = of.data === null ? null : (record(of.data) ?? null);
  return (
    <Page
      title={found === null ? `${noun.charAt(0).toUpperCase()}${noun.slice(1)}` : titleOf(found)}
      lead={found !== null && leadOf?.(found)}
      actions={found !== null && actionsOf?.(found)}
      {...(crumbs && { crumbs })}
      reads={reads}
    >
      <Shown of={of} height={height}>
        {() =>
          found === null ? (
            <Empty title={`This ${noun} does not exist`} action={<WayBack crumbs={crumbs} />} />
          ) : (
            children(found)
          )
        }
      </Shown>
      {of.data === null && of.refusal?.status === 404 && (
        <Center>
          <WayBack crumbs={crumbs} />
        </Center>
      )}
    </Page>
  );
}

/** Button to the list of a record that is gone, deleted or not accessible. */
function WayBack({ crumbs }: { readonly crumbs: PageProps['crumbs'] | undefined }) {
  const [name, href] = crumbs?.at(-1) ?? [];
  return name !== undefined && href !== undefined && <Act label={`Go to ${name}`} primary href={href} />;
}

interface TextLinkProps extends AnchorProps, Pick<AriaAttributes, 'aria-label'> {
  readonly href: string;
  readonly children: ReactNode;
}

/** Link within text or beside a title. */
export function TextLink({ href, ...rest }: TextLinkProps) {
  return <Anchor component={Link} href={href} size="sm" {...rest} />;
}
