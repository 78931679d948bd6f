import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** What is known of something: a name and its value. Null values are left out. */
export type Fact = readonly [name: string, value: ReactNode | null];

/** Facts below one another, as a description list. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
