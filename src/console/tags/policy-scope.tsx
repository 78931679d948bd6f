import { Select, SimpleGrid, TagsInput } from '@mantine/core';
import { useMe } from '../api/me.tsx';
import { useInventoryChoices } from '../inventory/choices.ts';
import { useAccountChoices, useCostChoices } from '../parts/choices.ts';
import type { Choice } from '../parts/filters.tsx';
import type { Draft, Faults } from './draft.ts';

interface Props {
  readonly draft: Draft;
  readonly faults: Faults;
  onChange(part: Partial<Draft>): void;
}

/** Which resources a policy is about. Who sees some accounts only names one of them, as the API asks. */
export function PolicyScope({ draft, faults, onChange }: Props) {
  const accounts = useAccountChoices();
  const { providers } = useCostChoices();
  const { types } = useInventoryChoices();
  const mustName = useMe().accountAccess !== null;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <ScopeSelect
        label="Account"
        all={mustName ? 'Choose an account' : 'Every account'}
        choices={accounts}
        value={draft.accountId}
        required={mustName}
        error={faults['account']}
        onChange={(accountId) => onChange({ accountId })}
      />
      <ScopeSelect
        label="Provider"
        all="Every provider"
        choices={providers}
        value={draft.provider}
        onChange={(provider) => onChange({ provider })}
      />
      <TagsInput
        label="Resource types"
        description="None: every type. Their case does not matter."
        data={types.map(({ value }) => value)}
        limit={100}
        maxTags={200}
        maxLength={200}
        splitChars={[',']}
        value={[...draft.resourceTypes]}
        onChange={(resourceTypes) => onChange({ resourceTypes })}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear resource types' }}
        style={{ gridColumn: '1 / -1' }}
      />
    </SimpleGrid>
  );
}

interface SelectProps {
  readonly label: string;
  readonly all: string;
  readonly choices: readonly Choice[];
  readonly value: string | null;
  readonly required?: boolean;
  readonly error?: string | undefined;
  onChange(value: string | null): void;
}

/** One of the choices, or all. A value that is no choice any more stays until it is taken off. */
function ScopeSelect({ label, all, choices, value, required = false, error, onChange }: SelectProps) {
  const isStranger = value !== null && !choices.some((choice) => choice.value === value);
  return (
    <Select
      label={label}
      placeholder={all}
      data={isStranger ? [...choices, { value, label: value }] : [...choices]}
      value={value}
      onChange={onChange}
      withAsterisk={required}
      error={error}
      searchable
      clearable={!required}
      nothingFoundMessage="Nothing found"
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  );
}
