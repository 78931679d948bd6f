import { Group, Select, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTagKeyChoices, useVirtualTagChoices, type ChoiceOptions } from '../../parts/choices/choices.tsx';
import { useOnceFocused } from '../../parts/choices/once-focused.ts';
import type { Choice } from '../../parts/list/filters.tsx';
import type { UrlState } from '../../parts/list/url-state.ts';
import {
  type Dimension,
  dimensionLabel,
  type Grouping,
  isDimension,
  namedDimensions,
  sectionOf,
} from '../dimensions.ts';
import { grouped } from '../drill.ts';
import type { Question } from '../question.ts';

/** Section of a picker. */
export interface Section {
  readonly group: string;
  readonly items: readonly Choice[];
}

/** The dimensions that charges have by themselves, and tag keys, by section.
 *  @param used dimensions to include even if the API does not list them, such as a tag key from the URL */
export function useChargeDimensions(used: readonly string[], options: ChoiceOptions = {}): Section[] {
  const tagKeys = useTagKeyChoices(options);
  return useMemo(() => {
    const sections = [...Map.groupBy(namedDimensions, sectionOf)].map(sectionFrom);
    const tags = keysOf(tagKeys, 'tag:', used);
    return tags.length > 0 ? [...sections, sectionFrom(['Tags', tags])] : sections;
  }, [tagKeys, used]);
}

/** All dimensions by section: those of charges, and virtual tags, labelled as such if another dimension has the same name.
 *  @param used dimensions to include even if the API does not list them */
export function useDimensionSections(used: readonly string[], options: ChoiceOptions = {}): Section[] {
  const ofCharges = useChargeDimensions(used, options);
  const virtualTags = useVirtualTagChoices(options);
  return useMemo(() => {
    const dimensions = keysOf(virtualTags, 'virtual:', used);
    if (dimensions.length === 0) return ofCharges;
    const names = new Set(ofCharges.flatMap(({ items }) => items.map(({ label }) => label)));
    const { group, items } = sectionFrom(['Virtual tags', dimensions]);
    const distinct = items.map(({ value, label }) => ({
      value,
      label: names.has(label) ? `${label} (virtual tag)` : label,
    }));
    return [...ofCharges, { group, items: distinct }];
  }, [ofCharges, virtualTags, used]);
}

/** Dimensions of keys: the listed ones, then others in use. */
function keysOf<Kind extends 'tag:' | 'virtual:'>(listed: readonly Choice[], kind: Kind, used: readonly string[]) {
  const inUse = used.filter((one): one is `${Kind}${string}` => one.startsWith(kind));
  return [...new Set([...listed.map(({ value }): `${Kind}${string}` => `${kind}${value}`), ...inUse])];
}

function sectionFrom([group, dimensions]: readonly [string, readonly Dimension[]]): Section {
  return { group, items: dimensions.map((value) => ({ value, label: dimensionLabel(value) })) };
}

interface Props {
  readonly state: UrlState;
  readonly question: Question;
}

/** Pickers for the table's one or two dimensions; the chart uses the first. */
export function GroupBy({ state, question: { groups } }: Props) {
  const [first, then = null] = groups;
  const { options, onFocus } = useOnceFocused(false);
  const sections = useDimensionSections(
    groups.filter((one) => one !== undefined),
    options,
  );
  const days = { group: 'Time', items: [{ value: 'day', label: 'Day' }] };
  const set = (next: Grouping, second: Dimension | null) => state.set(grouped(next, next === 'day' ? null : second));
  return (
    <Group gap={6} wrap="nowrap">
      <Picker
        label="Group by"
        sections={[...sections, days]}
        value={first}
        onFocus={onFocus}
        onChange={(next) => next !== null && set(next === 'day' || isDimension(next) ? next : 'service', then)}
      />
      {first !== 'day' && (
        <Picker
          label="Then by"
          sections={sections.map(({ group, items }) => ({
            group,
            items: items.filter(({ value }) => value !== first),
          }))}
          value={then}
          placeholder="Then by…"
          onFocus={onFocus}
          onChange={(next) => set(first, next !== null && isDimension(next) ? next : null)}
        />
      )}
    </Group>
  );
}

interface PickerProps {
  readonly label: string;
  readonly sections: readonly Section[];
  readonly value: string | null;
  /** Without a placeholder, a value is required. */
  readonly placeholder?: string;
  onFocus(): void;
  onChange(value: string | null): void;
}

function Picker({ label, sections, value, placeholder, onFocus, onChange }: PickerProps) {
  const isOptional = placeholder !== undefined;
  return (
    <Select
      aria-label={label}
      data={sections.map(({ group, items }) => ({ group, items: [...items] }))}
      value={value}
      onFocus={onFocus}
      onChange={onChange}
      searchable
      clearable={isOptional}
      allowDeselect={isOptional}
      maxDropdownHeight={340}
      limit={200}
      nothingFoundMessage="No dimension found"
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      w={144}
      {...(isOptional
        ? { placeholder }
        : {
            leftSection: (
              <Text fz={13} c="dimmed">
                By
              </Text>
            ),
            leftSectionWidth: 32,
          })}
    />
  );
}
