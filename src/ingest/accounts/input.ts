import type { Prisma } from '../../../prisma/generated/client/client.ts';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { nameRule, unprintable } from '../../tenancy/login/input.ts';

/** Sort fields of account lists, as spelled in REST. */
export const accountSortFields = [
  'name',
  'created_at',
  'last_synced_at',
  'data_from',
  'data_to',
  'complete_through',
] as const;

/** Returns the trimmed display name.
 *  @throws {AppError} VALIDATION_ERROR */
export function checkName(name: string | null): string {
  const trimmed = name?.trim() ?? '';
  if (trimmed === '') throw invalid`${arg('name')} must not be empty${fix}give the account a name`;
  // Counts code points: an emoji counts once, though UTF-16 takes two units for it.
  const length = [...trimmed].length;
  if (length > nameRule.maxLength)
    throw invalid`${arg('name')} has ${length} characters; at most ${nameRule.maxLength} are allowed`;
  if (unprintable.test(trimmed)) throw invalid`${arg('name')} must be one line without control characters`;
  return trimmed;
}

/** Returns the order of a list; newest first by default. */
export function orderOf(sortBy: SortBy<typeof accountSortFields> | null): Prisma.AccountOrderByWithRelationInput[] {
  const { field, direction } = parseSort(sortBy, accountSortFields) ?? { field: 'created_at', direction: 'desc' };
  const nullable = { sort: direction, nulls: 'last' } as const;
  const orders: Record<(typeof accountSortFields)[number], Prisma.AccountOrderByWithRelationInput> = {
    name: { name: direction },
    created_at: { createdAt: direction },
    last_synced_at: { sync: { lastSyncedAt: nullable } },
    data_from: { dataFrom: nullable },
    data_to: { dataTo: nullable },
    complete_through: { completeThrough: nullable },
  };
  return [orders[field]];
}
