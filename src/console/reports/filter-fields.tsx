import { SimpleGrid } from '@mantine/core';
import { useAnswer } from '../api/use-answer.ts';
import { useAccountChoices, useCostChoices, useTagKeyChoices } from '../parts/choices.ts';
import type { Choice } from '../parts/filters.tsx';
import { words } from '../words/names.ts';
import { FilterField } from './filter-field.tsx';
import {
  filtersOf,
  statusesOf,
  withFilter,
  wordsOf,
  type filterFaults,
  type FilterName,
  type Filters,
} from './filters.ts';
import { FilterChoicesQuery, type ReportType } from './queries.ts';

interface Props {
  readonly type: ReportType;
  readonly value: Filters;
  readonly faults: ReturnType<typeof filterFaults>;
  onChange(filters: Filters): void;
}

/** What narrows a report: the filters that its type takes. */
export function FilterFields({ type, value, faults, onChange }: Props) {
  const choicesOf = useFilterChoices(type);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {filtersOf[type].map((name) => (
        <FilterField
          key={`${type} ${name}`}
          name={name}
          value={value[name]}
          choices={choicesOf(name)}
          isRequired={type === 'COST_BY_TAG' && name === 'tag_key'}
          error={faults[name] ?? null}
          onChange={(next) => onChange(withFilter(value, name, next))}
        />
      ))}
    </SimpleGrid>
  );
}

function useFilterChoices(type: ReportType): (name: FilterName) => readonly Choice[] {
  const accounts = useAccountChoices();
  const costs = useCostChoices();
  const tagKeys = useTagKeyChoices();
  const isListed = type === 'INVENTORY' || type === 'RECOMMENDATIONS';
  const { data } = useAnswer(FilterChoicesQuery, {}, { pause: !isListed });
  return (name) => {
    switch (name) {
      case 'account_id':
        return accounts;
      case 'provider':
        return costs.providers;
      case 'service':
        return costs.services;
      case 'region':
        return costs.regions;
      case 'tag_key':
        return tagKeys;
      case 'resource_type':
        return plain((data?.inventorySummary?.byType ?? []).map(({ resourceType }) => resourceType));
      case 'type':
        return spoken((data?.recommendationsSummary?.byType ?? []).map((one) => one.type));
      case 'status':
        return spoken(statusesOf[type] ?? []);
      case 'charge_category':
      case 'cost_metric':
      case 'granularity':
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
