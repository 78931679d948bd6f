import { Group, MultiSelect, SegmentedControl, TextInput, Select } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useState, type ReactNode } from 'react';
import { Act } from '../form/menu.tsx';
import classes from './filters.module.css';
import { knownOf, type UrlState } from './url-state.ts';

/** Filter value with its label. */
export interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
}

/** Choices, and chosen values that are not (or no longer) among them, so that they can be removed. */
export function withStrangers(
  choices: readonly Choice[],
  chosen: readonly string[],
  labelOf: (value: string) => string = (value) => value,
): Choice[] {
  const known = new Set(choices.map(({ value }) => value));
  const strangers = [...new Set(chosen)].filter((value) => !known.has(value));
  return [...choices, ...strangers.map((value) => ({ value, label: labelOf(value) }))];
}

interface BarProps {
  readonly state: UrlState;
  /** Keys that "Clear" removes. */
  readonly keys: readonly string[];
  readonly children: ReactNode;
}

/** Row of filters with a "Clear" button. */
export function FilterBar({ state, keys, children }: BarProps) {
  const clear = () => state.set(Object.fromEntries(keys.map((key) => [key, null])));
  return (
    <Group gap="xs" align="flex-end" role="search">
      {children}
      {state.has(...keys) && <Act label="Clear" Icon={IconX} variant="subtle" color="gray" size="sm" onClick={clear} />}
    </Group>
  );
}

interface FilterProps {
  readonly state: UrlState;
  /** URL key. */
  readonly name: string;
  readonly label: string;
}

interface ChoiceProps extends FilterProps {
  readonly choices: readonly Choice[];
  /** The values are fixed, as for a status; the URL may spell them in any case. */
  readonly isClosed?: boolean;
  /** Called when the control gets the focus; its choices are needed from then on. */
  onFocus?(): void;
}

/** Filter for any of several values. */
export function ChoiceFilter({ state, name, label, choices, isClosed = false, onFocus }: ChoiceProps) {
  const all = choices.map(({ value }) => value);
  const values = isClosed ? knownOf(state, name, all) : state.all(name);
  return (
    <MultiSelect
      aria-label={label}
      {...(onFocus && { onFocus })}
      placeholder={values.length === 0 ? label : ''}
      data={withStrangers(choices, values)}
      value={[...new Set(values)]}
      onChange={(next) => state.set({ [name]: next })}
      searchable
      clearable
      hidePickedOptions
      maxDropdownHeight={280}
      limit={200}
      nothingFoundMessage={noneFound(choices)}
      w={values.length === 0 ? 150 : undefined}
      miw={150}
      maw={340}
      // The field beside the chosen values is as narrow as it may be, so that the filter hardly grows.
      styles={values.length === 0 ? {} : { inputField: { width: 24, minWidth: 24 } }}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  );
}

/** Text of a list without matches: its choices load when it has the focus. */
function noneFound(choices: readonly Choice[]): string {
  return choices.length === 0 ? 'No values yet' : 'Nothing found';
}

/** Filter by one suggested value. */
export function SingleFilter({ state, name, label, choices, onFocus }: Omit<ChoiceProps, 'isClosed'>) {
  const value = state.one(name);
  return (
    <Select
      aria-label={label}
      {...(onFocus && { onFocus })}
      placeholder={label}
      data={withStrangers(choices, value === null ? [] : [value])}
      value={value}
      onChange={(next) => state.set({ [name]: next })}
      searchable
      clearable
      maxDropdownHeight={280}
      limit={200}
      nothingFoundMessage={noneFound(choices)}
      w={150}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  );
}

/** Search field, debounced. */
export function SearchFilter({ state, name, label }: FilterProps) {
  const asked = state.one(name) ?? '';
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);
  const ask = useDebouncedCallback((next: string) => state.set({ [name]: next.trim() }, { replace: true }), 300);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={15} aria-hidden />}
      maxLength={200}
      miw={180}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        ask(event.currentTarget.value);
      }}
    />
  );
}

/** Choices selected by the URL, ignoring case. */
export function namedOf<Of extends Choice>(state: UrlState, key: string, choices: readonly Of[]): Of[] {
  const values = new Set(state.all(key).map((value) => value.toLowerCase()));
  return choices.filter(({ value }) => values.has(value.toLowerCase()));
}

interface Props {
  readonly state: UrlState;
  /** URL key. */
  readonly name: string;
  readonly label: string;
  /** The first is the default, which the URL omits. */
  readonly choices: readonly Choice[];
}

/** Segmented control for the view of a list. Always has a selection, unless the URL names several. */
export function OneOf({ state, name, label, choices }: Props) {
  const [first] = choices;
  const named = namedOf(state, name, choices);
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
