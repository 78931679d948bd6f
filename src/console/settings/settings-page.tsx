import { Group, Text } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useMe } from '../api/me.tsx';
import { Page, type PageProps } from '../parts/page/page.tsx';
import { mayVisit } from '../routes.tsx';
import nav from '../shell/shell.module.css';
import classes from './settings.module.css';

/** Settings page beside the navigation between settings. */
export function SettingsPage(props: PageProps) {
  return (
    <div className={classes.settings}>
      <SettingsNav />
      <div className={classes.content}>
        <Page {...props} />
      </div>
    </div>
  );
}

/** Navigation between settings pages: a column, or on phones a scrolling row above the page. */
function SettingsNav() {
  const { role } = useMe();
  const [path] = useLocation();
  const row = useRef<HTMLElement>(null);
  // On phones, the current page may be outside the visible part of the row.
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (row.current && current) row.current.scrollLeft = current.offsetLeft - row.current.clientWidth / 3;
  }, [path]);
  return (
    <nav aria-label="Settings" className={classes.nav} ref={row}>
      {settingsGroups.map(({ label, places }) => (
        <div key={label}>
          <div className={classes.label}>{label}</div>
          <ul className={`plain ${classes.list}`}>
            {places
              .filter(({ href }) => mayVisit(role, href))
              .map((place) => (
                <li key={place.href}>
                  <Link href={place.href} className={nav.place} aria-current={path === place.href ? 'page' : undefined}>
                    {place.label}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Entry of the settings navigation. */
export interface SettingsPlace {
  readonly label: string;
  readonly href: string;
  /** Its settings, if the label does not name them all: the quick search finds them. */
  readonly contents?: string;
}

/** Settings navigation: personal settings first, then the organization's. */
export const settingsGroups: readonly { readonly label: string; readonly places: readonly SettingsPlace[] }[] = [
  {
    label: 'Your account',
    places: [
      { label: 'Profile', href: '/settings', contents: 'name, email address, theme' },
      {
        label: 'Security',
        href: '/settings/security',
        contents: 'password, passkeys, two-factor authentication, recovery codes',
      },
      { label: 'API tokens', href: '/settings/tokens' },
      { label: 'Sessions', href: '/settings/sessions' },
      {
        label: 'Notifications',
        href: '/settings/notifications',
        contents: 'channels by kind, chat webhook, email copies',
      },
    ],
  },
  {
    label: 'Organization',
    places: [
      {
        label: 'General',
        href: '/settings/organization',
        contents: 'name, currency, fiscal year start, owner tag, two-factor authentication, ownership, deletion',
      },
      { label: 'Members', href: '/settings/members', contents: 'roles, account access' },
      { label: 'Invitations', href: '/settings/invitations' },
      { label: 'Channels', href: '/settings/channels', contents: 'Slack, Microsoft Teams, webhooks' },
      { label: 'Exchange rates', href: '/settings/exchange-rates' },
      { label: 'Audit log', href: '/settings/audit' },
    ],
  },
];

interface SettingRowProps {
  readonly label: string;
  /** Status, beside the label. */
  readonly state?: ReactNode;
  readonly text?: ReactNode;
  /** Actions, on the right or below on phones. */
  readonly children?: ReactNode;
}

/** Row of a settings card: label, status, description and actions. */
export function SettingRow({ label, state, text, children }: SettingRowProps) {
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <Group gap="xs">
          <Text component="h3" fw={550} size="sm">
            {label}
          </Text>
          {state}
        </Group>
        {text && (
          <Text component="div" size="sm" c="dimmed" mt={2}>
            {text}
          </Text>
        )}
      </div>
      {children && <div className={classes.acts}>{children}</div>}
    </div>
  );
}
