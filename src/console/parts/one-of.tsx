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

/** One of a few views of a list, always one: none is chosen only where the address names something else. */
export function OneOf({ state, name, label, choices }: Props) {
  const [first] = choices;
  const values = state.all(name);
  const value = values.length === 0 ? (first?.value ?? '') : values.length === 1 ? (values[0] ?? '') : '';
  return (
    <div className={classes.strip}>
      <SegmentedControl
        aria-label={label}
        size="sm"
        data={[...choices]}
        value={value}
        onChange={(next) => state.set({ [name]: next === first?.value ? null : next })}
      />
    </div>
  );
}
