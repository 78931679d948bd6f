import { Select, TagsInput, Text, Group, type SelectProps, type TagsInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useAnswer } from '../../api/use-api.ts';
import { isDimension, useValueLabel, valueLabel } from '../../costs/dimensions.ts';
import { useChargeDimensions } from '../../costs/filters/group-by.tsx';
import { dimensionInput, DimensionValues } from '../../costs/queries.ts';
import { money } from '../../words/format.ts';
import { most } from './draft.ts';

interface DimensionProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  /** Empty until chosen. */
  readonly value: string;
  onChange(dimension: string): void;
}

/** Select for a dimension of charges: a named one, a listed tag key, or any other tag key that is typed. */
export function DimensionField({ value, onChange, ...rest }: DimensionProps) {
  const [typed, setTyped] = useState('');
  const used = useMemo(() => (value === '' ? [] : [value]), [value]);
  const sections = useChargeDimensions(used);
  const key = typed.trim();
  const isListed = sections.some(({ items }) => items.some(({ label }) => label.toLowerCase() === key.toLowerCase()));
  const other = { group: 'Other tag', items: [{ value: `tag:${key}`, label: key }] };
  return (
    <Select
      data={[
        ...sections.map(({ group, items }) => ({ group, items: [...items] })),
        ...(key && !isListed ? [other] : []),
      ]}
      value={value === '' ? null : value}
      onChange={(next) => next !== null && onChange(next)}
      onSearchChange={setTyped}
      placeholder="Dimension"
      searchable
      allowDeselect={false}
      maxDropdownHeight={340}
      limit={200}
      nothingFoundMessage="No dimension found"
      {...rest}
    />
  );
}

interface ValuesProps extends Omit<TagsInputProps, 'value' | 'onChange' | 'data'> {
  readonly dimension: string;
  readonly value: readonly string[];
  onChange(values: string[]): void;
}

/** Input for values of a dimension. Suggests those with cost in the last 30 days, highest first, once it has the focus. */
export function DimensionValuesField({ dimension, value, onChange, ...rest }: ValuesProps) {
  const [isUsed, setUsed] = useState(false);
  const [typed, setTyped] = useState('');
  const found = useSuggestions(dimension, typed, isUsed);
  const labelOf = useValueLabel();
  const shown = (one: string) => found.get(one)?.label ?? (isDimension(dimension) ? labelOf(dimension, one) : one);
  return (
    <TagsInput
      data={[...found.keys()]}
      value={[...value]}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      onFocus={() => setUsed(true)}
      // The API searches, also by the names of values that are IDs.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <Group component="span" gap={8} wrap="nowrap" justify="space-between" w="100%">
          <Text component="span" fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {shown(option.value)}
          </Text>
          <Text component="span" fz={12.5} c="dimmed" className="figures">
            {found.get(option.value)?.cost}
          </Text>
        </Group>
      )}
      limit={50}
      maxTags={most.values}
      maxLength={most.characters}
      // Values may contain commas.
      splitChars={[]}
      {...rest}
    />
  );
}

/** Values of a dimension that match the typed text, with their name and cost. */
function useSuggestions(dimension: string, typed: string, isUsed: boolean) {
  const [search] = useDebouncedValue(typed.trim(), 250);
  const asked = isUsed && isDimension(dimension) ? dimension : null;
  const { data } = useAnswer(
    DimensionValues,
    { dimension: dimensionInput(asked ?? 'service'), search: search === '' ? undefined : search },
    { pause: asked === null },
  );
  return useMemo(() => {
    const answer = asked === null ? null : (data?.costDimensionValues ?? null);
    const values = answer === null || answer.dimension !== asked ? [] : answer.values;
    return new Map(
      values.flatMap(({ value, label, cost }) =>
        value && asked !== null
          ? [[value, { label: valueLabel(asked, value, label), cost: money(cost, answer?.currency ?? 'USD') }] as const]
          : [],
      ),
    );
  }, [data, asked]);
}
