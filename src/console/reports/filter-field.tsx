import { MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { useMe } from '../api/me.tsx';
import type { Choice } from '../parts/filters.tsx';
import { MoneyInput } from '../parts/money-input.tsx';
import { filterLabels, listOf, type FilterName, type FilterValue } from './filters.ts';

interface Props {
  readonly name: FilterName;
  readonly value: FilterValue | undefined;
  readonly choices: readonly Choice[];
  readonly isRequired: boolean;
  readonly error: string | null;
  onChange(value: FilterValue | null): void;
}

/** One filter of a report, by what it takes. */
export function FilterField(props: Props) {
  switch (props.name) {
    case 'untagged':
    case 'includeGone':
    case 'includeSnoozed':
      return <FlagField {...props} />;
    case 'costMetric':
    case 'granularity':
    case 'tagKey':
      return <OneField {...props} />;
    case 'search':
      return <TextField {...props} />;
    case 'minSavings':
      return <SavingsField {...props} />;
    default:
      return <SeveralField {...props} />;
  }
}

function FlagField({ name, value, onChange }: Props) {
  return (
    <Switch
      label={filterLabels[name]}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
      styles={{ root: { alignSelf: 'end', paddingBottom: 8 } }}
    />
  );
}

const usual: Readonly<Partial<Record<FilterName, string>>> = {
  costMetric: 'Effective',
  granularity: 'Monthly',
  tagKey: 'Tagged or not',
};

function OneField({ name, value, choices, isRequired, error, onChange }: Props) {
  const chosen = typeof value === 'string' ? value : null;
  return (
    <Select
      label={isRequired ? 'Tag key to group by' : filterLabels[name]}
      placeholder={isRequired ? 'Choose a key' : usual[name]}
      data={withStrangers(choices, chosen === null ? [] : [chosen])}
      value={chosen}
      onChange={onChange}
      withAsterisk={isRequired}
      error={error}
      searchable={name === 'tagKey'}
      clearable
      nothingFoundMessage="Nothing found"
      clearButtonProps={{ 'aria-label': `Clear ${filterLabels[name]}` }}
    />
  );
}

function SeveralField({ name, value, choices, onChange }: Props) {
  const chosen = listOf(value);
  return (
    <MultiSelect
      label={filterLabels[name]}
      placeholder={chosen.length === 0 ? 'All' : ''}
      data={withStrangers(choices, chosen)}
      value={chosen}
      onChange={onChange}
      searchable
      clearable
      hidePickedOptions
      limit={200}
      nothingFoundMessage="Nothing found"
      clearButtonProps={{ 'aria-label': `Clear ${filterLabels[name]}` }}
    />
  );
}

function TextField({ name, value, onChange }: Props) {
  return (
    <TextInput
      label={filterLabels[name]}
      placeholder="Name or id"
      maxLength={200}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function SavingsField({ name, value, onChange }: Props) {
  const { currency } = useMe().organization;
  return (
    <MoneyInput
      label={filterLabels[name]}
      currency={currency}
      min={0}
      value={typeof value === 'number' ? value : null}
      onChange={onChange}
    />
  );
}

function withStrangers(choices: readonly Choice[], values: readonly string[]): Choice[] {
  const known = new Set(choices.map(({ value }) => value));
  return [...choices, ...values.filter((value) => !known.has(value)).map((value) => ({ value, label: value }))];
}
