import type { Prisma } from '../../../prisma/generated/client/client.ts';
import { invalid } from '../../kit/errors.ts';
import { unprintable } from '../../tenancy/auth/input.ts';

const maxNameLength = 100;

/** Fields that a list of accounts can be sorted by, as REST spells them. */
export const accountSortFields = [
  'name',
  'created_at',
  'last_synced_at',
  'data_from',
  'data_to',
  'complete_through',
] as const;

/** A display name, trimmed.
 *  @throws {AppError} VALIDATION_ERROR */
export function checkName(name: string | null): string {
  const trimmed = name?.trim() ?? '';
  if (trimmed === '') throw invalid('name must not be empty');
  // Characters as people count them: an emoji is one, though UTF-16 takes two units for it.
  const length = [...trimmed].length;
  if (length > maxNameLength) throw invalid(`name has ${length} characters; at most ${maxNameLength} are kept`);
  if (unprintable.test(trimmed)) throw invalid('name must be one line without control characters');
  return trimmed;
}

/** The order of a list: `field` ascending, `-field` descending, newest first without one.
 *  @throws {AppError} VALIDATION_ERROR for a field that is not in `accountSortFields` */
export function orderOf(sortBy: string | null): Prisma.AccountOrderByWithRelationInput[] {
  if (sortBy === null) return [{ createdAt: 'desc' }];
  const direction = sortBy.startsWith('-') ? 'desc' : 'asc';
  const field = sortBy.replace(/^-/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const nullable = { sort: direction, nulls: 'last' } as const;
  const orders: Record<(typeof accountSortFields)[number], Prisma.AccountOrderByWithRelationInput> = {
    name: { name: direction },
    created_at: { createdAt: direction },
    last_synced_at: { sync: { lastSyncedAt: nullable } },
    data_from: { dataFrom: nullable },
    data_to: { dataTo: nullable },
    complete_through: { completeThrough: nullable },
  };
  const known = accountSortFields.find((name) => name === field);
  if (!known)
    throw invalid(`sort_by "${sortBy}" is not one of ${accountSortFields.join(', ')}, each also with "-" before it`);
  return [orders[known]];
}
