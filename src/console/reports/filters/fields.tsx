import { MultiSelect, SimpleGrid } from '@mantine/core';
import { useMe } from '../../api/me.tsx';
import { useAnswer } from '../../api/use-api.ts';
import { InventorySummaryQuery } from '../../inventory/queries.ts';
import {
  useAccountChoices,
  useCostChoices,
  useIssuerChoices,
  useTagKeyChoices,
  useVirtualTagChoices,
} from '../../parts/choices/choices.tsx';
import { useAnyTagChoices, useSubAccountChoices, useTagValues } from '../../parts/choices/scope.tsx';
import { AnyField, TextField, Toggle } from '../../parts/form/fields.tsx';
import { MoneyInput } from '../../parts/form/number-field.tsx';
import { withStrangers, type Choice } from '../../parts/list/filters.tsx';
import { useFoundTypes } from '../../recommendations/queries.ts';
import { typeName } from '../../recommendations/types.ts';
import { words } from '../../words/format.ts';
import type { ReportType } from '../queries.ts';
import {
  filterLabels,
  filtersOf,
  listOf,
  statusesOf,
  usableFilters,
  withFilter,
  wordsOf,
  type filterFaults,
  type FilterName,
  type Filters,
  type FilterValue,
} from './filters.ts';

interface Props {
  readonly type: ReportType;
  readonly value: Filters;
  readonly faults: ReturnType<typeof filterFaults>;
  onChange(filters: Filters): void;
}

/** Label of the key that a type requires. */
const keyLabel: Readonly<Partial<Record<ReportType, string>>> = {
  COST_BY_TAG: 'Group by tag',
  SHOWBACK: 'Virtual tag',
};

/** Fields for the filters that a report type supports. */
export function FilterFields({ type, value, faults, onChange }: Props) {
  const choicesOf = useFilterChoices(type, value);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {usableFilters(type, value).map((name) => (
        <FilterField
          key={`${type} ${name}`}
          name={name}
          value={value[name] ?? undefined}
          choices={choicesOf(name)}
          required={name === 'tagKey' ? keyLabel[type] : undefined}
          error={faults[name] ?? null}
          onChange={(next) => onChange(withFilter(value, name, next))}
        />
      ))}
    </SimpleGrid>
  );
}

function useFilterChoices(type: ReportType, filters: Filters): (name: FilterName) => readonly Choice[] {
  const accounts = useAccountChoices();
  const costs = useCostChoices();
  const [tagKeys, anyTags] = [useTagKeyChoices(), useAnyTagChoices()];
  const virtualTags = useVirtualTagChoices().map(({ value, label }) => ({ value: `virtual:${value}`, label }));
  const resources = useAnswer(InventorySummaryQuery, {}, { pause: type !== 'INVENTORY' }).data?.inventorySummary;
  const found = useFoundTypes({ pause: type !== 'RECOMMENDATIONS' });
  const subAccounts = useSubAccountChoices({ pause: !filtersOf[type].some((name) => name === 'subAccountId') });
  const tagValues = plain(useTagValues(filters.tagKey ?? null));
  const issuers = useIssuerChoices({ pause: type !== 'INVOICES' });
  return (name) => {
    switch (name) {
      case 'subAccountId':
        return subAccounts;
      case 'tagValue':
        return tagValues;
      case 'accountId':
        return accounts;
      case 'issuer':
        return issuers;
      case 'provider':
        return costs.providers;
      case 'service':
        return costs.services;
      case 'region':
        return costs.regions;
      case 'tagKey':
        if (type === 'SHOWBACK') return virtualTags;
        // Resources have no values of virtual tags.
        return type === 'INVENTORY' ? tagKeys : anyTags;
      case 'resourceType':
        return plain((resources?.byType ?? []).map(({ resourceType }) => resourceType));
      case 'type':
        return found.map((one) => ({ value: one, label: typeName(one) }));
      case 'status':
        return spoken(statusesOf[type] ?? []);
      case 'chargeCategory':
      case 'costMetric':
      case 'granularity':
      case 'period':
      case 'severity':
        return spoken(wordsOf[name]);
      default:
        return [];
    }
  };
}

function plain(values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, label: value }));
}

function spoken(values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, label: words(value) }));
}

interface FilterFieldProps {
  readonly name: FilterName;
  readonly value: FilterValue | undefined;
  readonly choices: readonly Choice[];
  /** Label of the filter if it is required. */
  readonly required: string | undefined;
  readonly error: string | null;
  onChange(value: FilterValue | null): void;
}

/** Field for one filter, by its value type. */
function FilterField(props: FilterFieldProps) {
  switch (props.name) {
    case 'untagged':
    case 'includeGone':
    case 'includeSnoozed':
      return <FlagField {...props} />;
    case 'costMetric':
    case 'granularity':
    case 'tagKey':
      return <ChoiceField {...props} />;
    case 'search':
      return <SearchField {...props} />;
    case 'minSavings':
      return <SavingsField {...props} />;
    default:
      return <SeveralField {...props} />;
  }
}

function FlagField({ name, value, onChange }: FilterFieldProps) {
  return (
    <Toggle
      label={filterLabels[name]}
      checked={value === true}
      onChange={onChange}
      styles={{ root: { alignSelf: 'end', paddingBottom: 8 } }}
    />
  );
}

const usual: Readonly<Partial<Record<FilterName, string>>> = {
  costMetric: 'Effective',
  granularity: 'Monthly',
  tagKey: 'Tagged or not',
};

function ChoiceField({ name, value, choices, required, error, onChange }: FilterFieldProps) {
  return (
    <AnyField
      label={required ?? filterLabels[name]}
      placeholder={required === undefined ? usual[name] : 'Choose one'}
      choices={choices}
      value={typeof value === 'string' ? value : null}
      onChange={onChange}
      withAsterisk={required !== undefined}
      error={error}
      searchable={name === 'tagKey'}
      clearButtonProps={{ 'aria-label': `Clear ${filterLabels[name]}` }}
    />
  );
}

function SeveralField({ name, value, choices, onChange }: FilterFieldProps) {
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

function SearchField({ name, value, onChange }: FilterFieldProps) {
  return (
    <TextField
      label={filterLabels[name]}
      placeholder="Name or ID"
      maxLength={200}
      value={typeof value === 'string' ? value : ''}
      onChange={onChange}
    />
  );
}

function SavingsField({ name, value, onChange }: FilterFieldProps) {
  const { currency } = useMe().organization;
  return (
    <MoneyInput
      label={filterLabels[name]}
      currency={currency}
      isSigned={false}
      value={typeof value === 'number' ? value : null}
      onChange={onChange}
    />
  );
}
