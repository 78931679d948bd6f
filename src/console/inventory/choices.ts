import { useMemo } from 'react';
import { useAnswer } from '../api/use-answer.ts';
import type { Choice } from '../parts/filters.tsx';
import { regionName } from '../words/names.ts';
import { InventoryChoices } from './queries.ts';

/** Types and regions of the inventory, those of most resources first. */
export function useInventoryChoices(): Readonly<Record<'types' | 'regions', Choice[]>> {
  const { data } = useAnswer(InventoryChoices, {});
  return useMemo(() => {
    const types = data?.inventorySummary?.byType ?? [];
    const regions = data?.inventorySummary?.byRegion ?? [];
    return {
      types: types
        .filter(({ resourceType }) => resourceType !== '')
        .map(({ resourceType }) => ({ value: resourceType, label: resourceType })),
      regions: regions.map(({ region }) => ({ value: region, label: regionName(region) })),
    };
  }, [data]);
}

/** A type as it is shown; neither bill nor inventory says every one. */
export function typeLabel(resourceType: string): string {
  return resourceType === '' ? 'Type not known' : resourceType;
}
