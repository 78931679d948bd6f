import { useCallback } from 'react';
import { useMe } from '../api/me.tsx';
import { useAccountNames } from '../parts/scope.tsx';
import { plainMoney } from '../words/format.ts';
import { providerName, words } from '../words/names.ts';
import { typeName } from '../recommendations/types.ts';
import { filterLabels, filtersFrom, listOf, type FilterName, type FilterValue } from './filters.ts';

/** Says filters in words, such as `Provider: AWS, Azure · Status: Open`; null where there are none. */
export function useFilterWords(): (json: Readonly<Record<string, unknown>>) => string | null {
  const accountName = useAccountNames();
  const { currency } = useMe().organization;
  return useCallback(
    (json) => {
      const said = Object.entries(filtersFrom(json)).map(([name, value]) => {
        if (!isKnown(name)) return `${words(name)}: ${listOf(value).join(', ')}`;
        if (value === true) return filterLabels[name];
        if (name === 'min_savings') return `${filterLabels[name]}: ${plainMoney(Number(value), currency)}`;
        return `${filterLabels[name]}: ${valueWords(name, value, accountName)}`;
      });
      return said.length === 0 ? null : said.join(' · ');
    },
    [accountName, currency],
  );
}

function isKnown(name: string): name is FilterName {
  return Object.hasOwn(filterLabels, name);
}

function valueWords(name: FilterName, value: FilterValue, accountName: (id: string) => string): string {
  return listOf(value)
    .map((one) => {
      switch (name) {
        case 'account_id':
          return accountName(one);
        case 'provider':
          return providerName(one);
        case 'charge_category':
        case 'cost_metric':
        case 'granularity':
        case 'status':
        case 'severity':
          return words(one);
        case 'type':
          return typeName(one);
        default:
          return one;
      }
    })
    .join(', ');
}
