import { Group, Text } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useMe } from '../api/me.tsx';
import { Page, type PageProps } from '../parts/page/page.tsx';
import { mayVisit } from '../routes.tsx';
import classes from './settings.module.css';

/** A page of the settings, beside the way to the others. */
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

/** Leads between the settings' pages: a column beside them, a row that scrolls above them on phones. */
function SettingsNav() {
  const { role } = useMe();
  const [path] = useLocation();
  const row = useRef<HTMLElement>(null);
  // In the row of a phone the page that is open may lie past its end.
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (row.current && current) row.current.scrollLeft = current.offsetLeft - row.current.clientWidth / 3;
  }, [path]);
  return (
    <nav aria-label="Settings" className={classes.nav} ref={row}>
      {settingsGroups.map(({ label, places }) => (
        <div key={label} className={classes.group}>
          <div className={classes.label}>{label}</div>
          <ul className={classes.list}>
            {places
              .filter(({ href }) => mayVisit(role, href))
              .map((place) => (
                <li key={place.href}>
                  <Link
                    href={place.href}
                    className={classes.place}
                    aria-current={path === place.href ? 'page' : undefined}
                  >
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

/** A page of the settings. */
export interface SettingsPlace {
  readonly label: string;
  readonly href: string;
}

/** The settings: what is the caller's own, then what is everybody's. */
export const settingsGroups: readonly { readonly label: string; readonly places: readonly SettingsPlace[] }[] = [
  {
    label: 'Your account',
    places: [
      { label: 'Profile', href: '/settings' },
      { label: 'Security', href: '/settings/security' },
      { label: 'API tokens', href: '/settings/tokens' },
      { label: 'Sessions', href: '/settings/sessions' },
      { label: 'Notifications', href: '/settings/notifications' },
    ],
  },
  {
    label: 'Organization',
    places: [
      { label: 'General', href: '/settings/organization' },
      { label: 'Members', href: '/settings/members' },
      { label: 'Invitations', href: '/settings/invitations' },
      { label: 'Exchange rates', href: '/settings/exchange-rates' },
      { label: 'Audit log', href: '/settings/audit' },
    ],
  },
];

interface SettingRowProps {
  readonly label: string;
  /** How it stands, beside the label. */
  readonly state?: ReactNode;
  readonly text?: ReactNode;
  /** What can be done about it, on the right; below on phones. */
  readonly children?: ReactNode;
}

/** One setting of a card: what it is, how it stands, what can be done about it. */
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
