import { useCallback } from 'react';
import { useMe } from '../api/me.tsx';
import { useAccountNames } from '../parts/scope.tsx';
import { plainMoney } from '../words/format.ts';
import { providerName, words } from '../words/names.ts';
import { typeName } from '../recommendations/types.ts';
import { entriesOf, filterLabels, listOf, type FilterName, type FilterValue } from './filters.ts';
import type { Report } from './queries.ts';

/** Says filters in words, such as `Provider: AWS, Azure · Status: Open`; null where there are none. */
export function useFilterWords(): (filters: Report['filters']) => string | null {
  const accountName = useAccountNames();
  const { currency } = useMe().organization;
  return useCallback(
    (filters) => {
      const said = entriesOf(filters).map(([name, value]) => {
        if (value === true) return filterLabels[name];
        if (name === 'minSavings') return `${filterLabels[name]}: ${plainMoney(Number(value), currency)}`;
        return `${filterLabels[name]}: ${valueWords(name, value, accountName)}`;
      });
      return said.length === 0 ? null : said.join(' · ');
    },
    [accountName, currency],
  );
}

function valueWords(name: FilterName, value: FilterValue, accountName: (id: string) => string): string {
  return listOf(value)
    .map((one) => {
      switch (name) {
        case 'accountId':
          return accountName(one);
        case 'provider':
          return providerName(one);
        case 'chargeCategory':
        case 'costMetric':
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
