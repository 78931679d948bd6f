import { Link, useLocation } from 'wouter';
import classes from './page.module.css';

interface PageTabsProps {
  /** Accessible name of the tabs, such as `Coverage`. */
  readonly label: string;
  readonly tabs: readonly (readonly [label: string, href: string])[];
}

/** Tabs for related pages. They are links, since each page has its own URL. */
export function PageTabs({ label, tabs }: PageTabsProps) {
  const [path] = useLocation();
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(([name, href]) => (
        <Link
          key={href}
          href={href}
          className={classes.tab}
          aria-current={path === href.split('?', 1)[0] ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
