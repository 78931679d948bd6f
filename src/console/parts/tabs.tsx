import { Link, useLocation } from 'wouter';
import classes from './tabs.module.css';

interface Props {
  /** What the tabs are parts of, such as `Coverage`. */
  readonly label: string;
  readonly tabs: readonly (readonly [label: string, href: string])[];
}

/** Pages that belong together, side by side. They are links: each has its own address. */
export function PageTabs({ label, tabs }: Props) {
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
