import { SegmentedControl } from '@mantine/core';
import classes from './one-of.module.css';
import type { Choice } from './filters.tsx';
import type { UrlState } from './url-state.ts';

interface Props {
  readonly state: UrlState;
  /** Key of the address. */
  readonly name: string;
  readonly label: string;
  /** The first is the default, which the address leaves out. */
  readonly choices: readonly Choice[];
}

/** One of a few views of a list, always one: none is marked only where the address names several. */
export function OneOf({ state, name, label, choices }: Props) {
  const [first] = choices;
  const named = choices.filter(({ value }) => state.all(name).includes(value));
  const value = named.length > 1 ? '' : (named[0] ?? first)?.value;
  return (
    <div className={classes.strip}>
      <SegmentedControl
        aria-label={label}
        size="sm"
        data={[...choices]}
        value={value ?? ''}
        onChange={(next) => state.set({ [name]: next === first?.value ? null : next })}
      />
    </div>
  );
}
