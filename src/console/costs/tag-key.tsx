import { Button, Group, Select } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useTagKeyChoices } from '../parts/choices.ts';
import { Empty } from '../parts/empty.tsx';
import type { UrlState } from '../parts/url-state.ts';

interface Props {
  readonly state: UrlState;
  /** Also shown above the field. */
  readonly label?: string;
  readonly clearable?: boolean;
}

/** Chooses a tag key. Another key has other values. */
export function TagKeySelect({ state, label, clearable = false }: Props) {
  const choices = useTagKeyChoices();
  const value = state.one('tagKey');
  const isStranger = value !== null && !choices.some((choice) => choice.value === value);
  return (
    <Select
      {...(label ? { label } : { 'aria-label': 'Tag key' })}
      placeholder="Tag key"
      data={isStranger ? [...choices, { value, label: value }] : choices}
      value={value}
      onChange={(next) => state.set({ tagKey: next, tagValue: null, untagged: null })}
      searchable
      clearable={clearable}
      allowDeselect={clearable}
      limit={200}
      nothingFoundMessage="Nothing found"
      comboboxProps={{ withinPortal: !label }}
      clearButtonProps={{ 'aria-label': 'Clear tag key' }}
      {...(!label && { w: 190 })}
    />
  );
}

/** In place of costs by tag while nobody has said by which: the keys that cost most. */
export function ChooseTagKey({ state }: { readonly state: UrlState }) {
  const choices = useTagKeyChoices();
  return (
    <Empty
      icon={IconTag}
      title="Choose a tag key"
      text="Its values divide the costs; what carries no such tag is told as untagged."
      action={
        <Group gap="xs" justify="center">
          {choices.slice(0, 8).map(({ value, label }) => (
            <Button key={value} variant="default" size="xs" onClick={() => state.set({ tagKey: value })}>
              {label}
            </Button>
          ))}
        </Group>
      }
    />
  );
}
