import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { useMe } from '../api/me.tsx';
import { mayVisit } from '../routes.tsx';
import { settingsGroups } from './places.ts';
import classes from './settings.module.css';

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
