import { ActionIcon, Anchor, Group, Popover, Stack, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import * as operations from '../../../schema/operations.ts';
import { graphql } from '../api/graphql.ts';
import { useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { recipientText, type Notification } from '../notifications/words.ts';
import { Muted } from '../parts/form/menu.tsx';
import { useKept } from '../parts/kept.ts';
import { StatusOf } from '../parts/page/card.tsx';
import { ago, counted } from '../words/format.ts';
import classes from './shell.module.css';

const NewestNotifications = graphql(
  `
    query NewestNotifications {
      notifications(perPage: 6) {
        data {
          ...NotificationFields
        }
      }
    }
  `,
  [graphql(operations.NotificationFields)],
);

/** The newest notifications that failed. */
const FailedNotifications = graphql(`
  query FailedNotifications($channel: [NotificationChannel!]) {
    notifications(status: [FAILED], channel: $channel, perPage: 20) {
      data {
        id
      }
    }
  }
`);

/** Polling interval for failures, in ms. */
const pollMs = 5 * 60_000;
/** Delay of the first poll, in ms: the figures of the page load first, and a page that is left at once polls nothing. */
const firstPollMs = 2500;

/** Button with the number of failed notifications since it was last opened, and the newest notifications. */
export function NotificationBell() {
  const { organization } = useMe();
  const [isOpen, setOpen] = useState(false);
  const newest = useAnswer(NewestNotifications, {}, { pause: !isOpen });
  // Without a mail server, every email fails; a note on the pages says so.
  const channel = organization.mailConfigured ? null : (['SLACK', 'TEAMS', 'WEBHOOK'] as const).slice();
  const { data, again } = useAnswer(FailedNotifications, { channel }, { pause: !useIsLater(firstPollMs) && !isOpen });
  const [seen, setSeen] = useKept<readonly string[]>(`failures-seen.${organization.id}`, []);
  const failed = (data?.notifications?.data ?? []).map(({ id }) => id);
  const fresh = failed.filter((id) => !seen.includes(id)).length;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && again(), pollMs);
    return () => clearInterval(timer);
  }, [again]);
  const open = (next: boolean) => {
    setOpen(next);
    if (next) again();
    // On closing, too: failures that arrived while it was open have been seen.
    if (fresh > 0) setSeen(failed);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={open}
      width={340}
      position="bottom-end"
      shadow="md"
      withinPortal
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.bell}
          aria-label={fresh > 0 ? `Sent notifications: ${counted(fresh, 'failure')}` : 'Sent notifications'}
          onClick={() => open(!isOpen)}
        >
          <IconBell size={18} stroke={1.7} aria-hidden />
          {fresh > 0 && (
            <span className={classes.failures} aria-hidden>
              {fresh}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Newest rows={newest.data?.notifications?.data ?? null} onFollow={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Whether a component has been shown for a time, in ms. */
function useIsLater(ms: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLater;
}

interface NewestProps {
  /** Null while they load. */
  readonly rows: readonly Notification[] | null;
  onFollow(): void;
}

function Newest({ rows, onFollow }: NewestProps) {
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text fw={600} size="sm">
          Sent notifications
        </Text>
        <Anchor component={Link} href="/notifications" size="sm" onClick={onFollow} data-autofocus>
          All notifications
        </Anchor>
      </Group>
      {rows === null && <Muted size="sm">Loading…</Muted>}
      {rows?.length === 0 && <Muted size="sm">Nothing sent yet. Alerts and reports appear here.</Muted>}
      {rows !== null && rows.length > 0 && (
        <ul className={`plain ${classes.newest}`}>
          {rows.map((row) => (
            <li key={row.id}>
              <Link href={row.path} className={classes.message} onClick={onFollow}>
                {row.title}
              </Link>
              <Group gap={6} wrap="nowrap" justify="space-between">
                <Muted size="xs" truncate>
                  {recipientText(row)} · {ago(row.createdAt)}
                </Muted>
                <StatusOf value={row.status} />
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
