import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useMe } from '../api/me.tsx';
import { may, type Permission } from '../api/permissions.ts';
import classes from './settings.module.css';

/** A page of the settings. */
interface SettingsPlace {
  readonly label: string;
  readonly href: string;
  /** Roles without it are not led there. */
  readonly needs?: Permission;
}

/** The settings: what is the caller's own, then what is everybody's. */
const groups: readonly { readonly label: string; readonly places: readonly SettingsPlace[] }[] = [
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
      { label: 'Invitations', href: '/settings/invitations', needs: 'members.write' },
      { label: 'Exchange rates', href: '/settings/exchange-rates' },
      { label: 'Audit log', href: '/settings/audit', needs: 'audit.read' },
    ],
  },
];

/** Leads between the settings' pages: a column beside them, a row that scrolls above them on phones. */
export function SettingsNav() {
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
      {groups.map(({ label, places }) => (
        <div key={label} className={classes.group}>
          <div className={classes.label}>{label}</div>
          <ul className={classes.list}>
            {places
              .filter(({ needs }) => !needs || may(role, needs))
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
