import { SimpleGrid } from '@mantine/core';
import { useAnswer } from '../api/use-answer.ts';
import { useAccountChoices, useCostChoices, useTagKeyChoices } from '../parts/choices.ts';
import type { Choice } from '../parts/filters.tsx';
import { typeName } from '../recommendations/types.ts';
import { addMonths, monthStart, today } from '../words/days.ts';
import { words } from '../words/names.ts';
import { FilterField } from './filter-field.tsx';
import {
  filtersOf,
  statusesOf,
  usableFilters,
  withFilter,
  wordsOf,
  type filterFaults,
  type FilterName,
  type Filters,
} from './filters.ts';
import { FilterChoicesQuery, SubAccountChoicesQuery, TagValueChoicesQuery, type ReportType } from './queries.ts';

interface Props {
  readonly type: ReportType;
  readonly value: Filters;
  readonly faults: ReturnType<typeof filterFaults>;
  onChange(filters: Filters): void;
}

/** What narrows a report: the filters that its type takes. */
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
          isRequired={type === 'COST_BY_TAG' && name === 'tagKey'}
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
  const tagKeys = useTagKeyChoices();
  const isListed = type === 'INVENTORY' || type === 'RECOMMENDATIONS';
  const { data } = useAnswer(FilterChoicesQuery, {}, { pause: !isListed });
  const subAccounts = useSubAccounts(type);
  const tagValues = useTagValues(filters);
  return (name) => {
    switch (name) {
      case 'subAccountId':
        return subAccounts;
      case 'tagValue':
        return tagValues;
      case 'accountId':
        return accounts;
      case 'provider':
        return costs.providers;
      case 'service':
        return costs.services;
      case 'region':
        return costs.regions;
      case 'tagKey':
        return tagKeys;
      case 'resourceType':
        return plain((data?.inventorySummary?.byType ?? []).map(({ resourceType }) => resourceType));
      case 'type':
        return (data?.recommendationsSummary?.byType ?? []).map((one) => ({
          value: one.type,
          label: typeName(one.type),
        }));
      case 'status':
        return spoken(statusesOf[type] ?? []);
      case 'chargeCategory':
      case 'costMetric':
      case 'granularity':
      case 'severity':
        return spoken(wordsOf[name]);
      default:
        return [];
    }
  };
}

/** From a year ago on: what somebody asks for again has cost something since. */
function aYearAgo(): string {
  return addMonths(monthStart(today()), -12);
}

/** Sub-accounts of the bills, by name. */
function useSubAccounts(type: ReportType): Choice[] {
  const isTaken = filtersOf[type].some((name) => name === 'subAccountId');
  const { data } = useAnswer(SubAccountChoicesQuery, { startDate: aYearAgo() }, { pause: !isTaken });
  const all = (data?.costsByAccount?.groups ?? []).flatMap(({ subAccounts }) => subAccounts);
  const names = new Map(all.map(({ subAccountId, subAccountName }) => [subAccountId, subAccountName]));
  return [...names].map(([value, name]) => ({ value, label: name === value ? value : `${name} (${value})` }));
}

/** Values of the tag key that is chosen. */
function useTagValues(filters: Filters): Choice[] {
  const tagKey = filters['tagKey'];
  const hasKey = typeof tagKey === 'string';
  const { data } = useAnswer(
    TagValueChoicesQuery,
    { startDate: aYearAgo(), tagKey: hasKey ? tagKey : '' },
    { pause: !hasKey },
  );
  return plain((data?.costsByTag?.groups ?? []).flatMap(({ tagValue }) => tagValue || []));
}

function plain(values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, label: value }));
}

function spoken(values: readonly string[]): Choice[] {
  return values.map((value) => ({ value, label: words(value) }));
}
