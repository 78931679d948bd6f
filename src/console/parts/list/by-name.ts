import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core';
import { nameMatches } from '../../../kit/text/service-aliases.ts';

/** Finds choices by their label, and services also by short names such as `EC2`. */
export const byName: OptionsFilter = ({ options, search, limit }) => {
  const isFound = ({ label }: ComboboxItem) => nameMatches(label, search);
  let left = limit;
  return options.flatMap((option): ComboboxParsedItem[] => {
    const items = ('group' in option ? option.items : [option]).filter(isFound).slice(0, left);
    left -= items.length;
    if (items.length === 0) return [];
    return 'group' in option ? [{ ...option, items }] : items;
  });
};
