import { useCallback } from 'react';
import { useAccountChoices } from '../parts/choices.ts';
import { filterValue } from './address.ts';
import { valueLabel, type Dimension } from './dimensions.ts';

/** The words for a value of a filter. Accounts have names that the address does not hold. */
export function useValueLabel(): (dimension: Dimension, value: string) => string {
  const accounts = useAccountChoices();
  return useCallback(
    (dimension, value) => {
      const name = dimension === 'account' ? accounts.find((one) => one.value === value)?.label : undefined;
      return valueLabel(dimension, filterValue(value)?.replace(/\\\*$/, '*') ?? null, name ?? null);
    },
    [accounts],
  );
}
