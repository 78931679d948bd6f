import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './overview.module.css';

interface Item {
  readonly key: string;
  readonly name: string;
  readonly href: string;
  /** Beside the name, such as a state. */
  readonly badge?: ReactNode;
  readonly below?: ReactNode;
  readonly figure?: ReactNode;
}

/** A few things that lead on, a line or two each. */
export function ItemList({ items }: { readonly items: readonly Item[] }) {
  return (
    <ul className={classes.list}>
      {items.map(({ key, name, href, badge, below, figure }) => (
        <li key={key} className={classes.item}>
          <div className={classes.what}>
            <Link href={href} className={classes.name}>
              {name}
            </Link>{' '}
            {badge}
            {below && <div className={classes.quiet}>{below}</div>}
          </div>
          {figure && <div className={classes.figure}>{figure}</div>}
        </li>
      ))}
    </ul>
  );
}
