import { Button, Group, MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useState, type ReactNode } from 'react';
import classes from './filters.module.css';
import { knownOf, type UrlState } from './url-state.ts';

/** A value of a filter, and how it is shown. */
export interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
}

interface BarProps {
  readonly state: UrlState;
  /** Keys that "Clear" takes away. */
  readonly keys: readonly string[];
  readonly children: ReactNode;
}

/** Filters in a row, and a way to take all of them off. */
export function FilterBar({ state, keys, children }: BarProps) {
  const clear = () => state.set(Object.fromEntries(keys.map((key) => [key, null])));
  return (
    <Group gap="xs" align="flex-end" role="search">
      {children}
      {state.has(...keys) && (
        <Button variant="subtle" color="gray" size="sm" leftSection={<IconX size={14} aria-hidden />} onClick={clear}>
          Clear
        </Button>
      )}
    </Group>
  );
}

interface FilterProps {
  readonly state: UrlState;
  /** Key of the address. */
  readonly name: string;
  readonly label: string;
}

interface ChoiceProps extends FilterProps {
  readonly choices: readonly Choice[];
  /** There never is another value, as with a status: what else the address has asks for nothing, see `knownOf`. */
  readonly isClosed?: boolean;
}

/** Any of several values. A value of the address that is no choice (any more) is shown as it is, so that it can be taken off. */
export function ChoiceFilter({ state, name, label, choices, isClosed = false }: ChoiceProps) {
  const all = choices.map(({ value }) => value);
  const values = isClosed ? knownOf(state, name, all) : state.all(name);
  const known = new Set(all);
  const strangers = [...new Set(values)].filter((value) => !known.has(value)).map((value) => ({ value, label: value }));
  return (
    <MultiSelect
      aria-label={label}
      placeholder={values.length === 0 ? label : ''}
      data={[...choices, ...strangers]}
      value={[...new Set(values)]}
      onChange={(next) => state.set({ [name]: next })}
      searchable
      clearable
      hidePickedOptions
      maxDropdownHeight={280}
      limit={200}
      nothingFoundMessage="Nothing found"
      w={values.length === 0 ? 150 : undefined}
      miw={150}
      maw={340}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  );
}

/** A search that is asked a moment after the last letter. */
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

/** Those of the choices that the address names, whatever its case. */
export function namedOf<Of extends Choice>(state: UrlState, key: string, choices: readonly Of[]): Of[] {
  const values = new Set(state.all(key).map((value) => value.toLowerCase()));
  return choices.filter(({ value }) => values.has(value.toLowerCase()));
}

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
