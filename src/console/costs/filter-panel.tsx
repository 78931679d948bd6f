import { Button, Checkbox, MultiSelect, Popover, SimpleGrid, Stack } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { graphql } from '../api/graphql.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useAccountChoices, useCostChoices } from '../parts/choices.ts';
import type { Choice } from '../parts/filters.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { addMonths, monthStart, today } from '../words/days.ts';
import { words } from '../words/names.ts';
import { tagName } from './groups.ts';
import { categories } from './question.ts';
import { TagKeySelect } from './tag-key.tsx';
import classes from './costs.module.css';

const FilterTagValues = graphql(`
  query FilterTagValues($tagKey: String!, $startDate: Date!) {
    costsByTag(tagKey: $tagKey, startDate: $startDate) {
      groups {
        tagValue
      }
    }
  }
`);

const FilterSubAccounts = graphql(`
  query FilterSubAccounts($startDate: Date!) {
    costsByAccount(startDate: $startDate) {
      groups {
        subAccounts {
          subAccountId
          subAccountName
        }
      }
    }
  }
`);

/** Charges of the last 13 months are what can be chosen. */
const since = () => addMonths(monthStart(today()), -12);

/** A button that opens everything one can filter by. What is chosen holds at once. */
export function FilterButton({ state }: { readonly state: UrlState }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter size={15} aria-hidden />} onClick={() => setOpen(!isOpen)}>
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel}>
        <Panel state={state} onClose={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Panel({ state, onClose }: { readonly state: UrlState; onClose(): void }) {
  const accounts = useAccountChoices();
  const subAccounts = useSubAccountChoices();
  const { services, regions, providers } = useCostChoices();
  const kinds = categories.map((one) => ({ value: one, label: words(one) }));
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
        <Field state={state} name="account" label="Account" choices={accounts} />
        <Field state={state} name="subAccount" label="Sub-account" choices={subAccounts} />
        <Field state={state} name="provider" label="Provider" choices={providers} />
        <Field state={state} name="service" label="Service" choices={services} />
        <Field state={state} name="region" label="Region" choices={regions} />
        <Field state={state} name="category" label="Charge category" choices={kinds} />
        <TagKeySelect state={state} label="Tag key" clearable />
        <TagValues state={state} />
      </SimpleGrid>
      <Button variant="default" onClick={onClose}>
        Done
      </Button>
    </Stack>
  );
}

function TagValues({ state }: { readonly state: UrlState }) {
  const tagKey = state.one('tagKey');
  const { data } = useAnswer(FilterTagValues, { tagKey: tagKey ?? '', startDate: since() }, { pause: tagKey === null });
  const choices = useMemo(
    () =>
      (data?.costsByTag?.groups ?? []).flatMap(({ tagValue }) =>
        tagValue ? [{ value: tagValue, label: tagName(tagValue) }] : [],
      ),
    [data],
  );
  if (tagKey === null) return null;
  const isUntagged = state.one('untagged') === 'true';
  return (
    <Stack gap={6}>
      <Field state={state} name="tagValue" label={`Values of ${tagKey}`} choices={choices} isDisabled={isUntagged} />
      <Checkbox
        size="xs"
        label="Only charges without it"
        checked={isUntagged}
        onChange={(event) => state.set({ untagged: event.currentTarget.checked ? 'true' : null, tagValue: null })}
      />
    </Stack>
  );
}

interface FieldProps {
  readonly state: UrlState;
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly isDisabled?: boolean;
}

/** Any of several values; one of the address that is no choice stays until it is taken off. */
function Field({ state, name, label, choices, isDisabled = false }: FieldProps) {
  const values = [...new Set(state.all(name))];
  const known = new Set(choices.map(({ value }) => value));
  const strangers = values.filter((value) => !known.has(value)).map((value) => ({ value, label: value }));
  return (
    <MultiSelect
      label={label}
      placeholder={values.length === 0 ? 'Any' : ''}
      data={[...choices, ...strangers]}
      value={values}
      onChange={(next) => state.set({ [name]: next, find: null })}
      disabled={isDisabled}
      searchable
      hidePickedOptions
      clearable
      limit={200}
      maxDropdownHeight={220}
      nothingFoundMessage="Nothing found"
      comboboxProps={{ withinPortal: false }}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
    />
  );
}

function useSubAccountChoices(): Choice[] {
  const { data } = useAnswer(FilterSubAccounts, { startDate: since() });
  return useMemo(() => {
    const all = (data?.costsByAccount?.groups ?? []).flatMap(({ subAccounts }) => subAccounts);
    const names = new Map(all.map((one) => [one.subAccountId, one.subAccountName]));
    return [...names].map(([value, label]) => ({ value, label: label === value ? value : `${label} (${value})` }));
  }, [data]);
}
