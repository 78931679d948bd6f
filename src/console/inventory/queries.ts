import * as operations from '../../../schema/operations.ts';
import { useMemo } from 'react';
import { graphql, type RecordOf } from '../api/graphql.ts';
import { isRecord } from '../api/refusal.ts';
import { useAnswer } from '../api/use-api.ts';
import type { ChoiceOptions } from '../parts/choices/choices.tsx';
import type { Choice } from '../parts/list/filters.tsx';
import { regionName } from '../words/format.ts';
import { resourceTypeName } from '../words/resource-types.ts';

export const InventoryQuery = graphql(operations.inventory, [graphql(operations.InventoryResourceFields)]);

/** Resource in a list. */
export type ResourceRow = RecordOf<typeof InventoryQuery>;

/** Resource counts by type, region and account for the same filters. */
export const InventorySummaryQuery = graphql(operations.inventorySummary, [graphql(operations.InventorySummaryFields)]);

/** One resource with all details. */
export const ResourceQuery = graphql(operations.inventoryResource, [graphql(operations.InventoryResourceFields)]);

/** Resource with all details. */
export type ResourceDetails = RecordOf<typeof ResourceQuery>;

/** Types and regions of the inventory, largest resource count first. */
export function useInventoryChoices(options: ChoiceOptions = {}): Readonly<Record<'types' | 'regions', Choice[]>> {
  const { data } = useAnswer(InventorySummaryQuery, { includeGone: true }, options);
  return useMemo(() => {
    const types = data?.inventorySummary?.byType ?? [];
    const regions = data?.inventorySummary?.byRegion ?? [];
    return {
      types: types
        .filter(({ resourceType }) => resourceType !== '')
        .map(({ resourceType }) => ({ value: resourceType, label: resourceTypeName(resourceType) })),
      regions: regions.map(({ region }) => ({ value: region, label: regionName(region) })),
    };
  }, [data]);
}

/** Query of the inventory list. */
interface InventoryQuestion {
  readonly account?: string;
  readonly type?: string;
  readonly tagKey?: string;
  readonly tagValue?: string;
  /** Resources without the tag key. */
  readonly untagged?: 'true';
}

/** URL of the filtered inventory list. */
export function inventoryHref(question: InventoryQuestion): string {
  return `/inventory?${new URLSearchParams({ ...question })}`;
}

/** Owner of a resource: the value of the organization's owner tag, ignoring the case of the key. Null without one. */
export function ownerOf(tags: unknown, ownerKey: string | null): string | null {
  if (ownerKey === null || !isRecord(tags)) return null;
  const entry = Object.entries(tags).find(
    ([key]) => key.toLowerCase().replace(/^(user:)+/, '') === ownerKey.toLowerCase(),
  );
  return typeof entry?.[1] === 'string' && entry[1] !== '' ? entry[1] : null;
}
