import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { CloudProvider } from '../../../prisma/generated/client/enums.ts';
import type { Config } from '../../kit/config.ts';
import { invalid } from '../../kit/errors.ts';
import { openFocusFolder, realFocusPath } from '../../providers/focus/folder.ts';
import { normalizeFocusPath } from '../../providers/focus/path.ts';
import { unprintable } from '../../tenancy/auth/input.ts';

/** Where the bills of a `focus` account lie. */
export interface AccountSettings {
  /** Folder or file below FOCUS_ROOT. */
  path?: string | null;
}

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

/** Checks that a source can be read: the folder exists, lies under FOCUS_ROOT, and holds bills.
 *  @returns the settings to keep, and what tells this source from others: its path with links resolved
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export async function checkSource(
  config: Pick<Config, 'focusRoot'>,
  input: {
    provider: CloudProvider;
    credentials?: object | null;
    settings?: AccountSettings | null;
  },
): Promise<{ settings: { path: string }; externalId: string }> {
  if (input.provider !== 'focus') {
    throw invalid(
      `provider "${input.provider}" cannot be connected directly by this version: export its bills in FOCUS format and connect them with provider "focus"`,
    );
  }
  if (input.credentials) throw invalid('credentials: a local FOCUS folder needs none; leave the field out');
  const path = input.settings?.path;
  if (typeof path !== 'string' || path === '')
    throw invalid('settings.path is required for provider "focus": the folder of the export below FOCUS_ROOT');
  const source = await openFocusFolder(config.focusRoot, path);
  await source.list(null, AbortSignal.timeout(30_000));
  const externalId = await realFocusPath(config.focusRoot, path);
  return { settings: { path: normalizeFocusPath(path) }, externalId };
}

/** Whether two sources share files: they are one, or one lies inside the other. */
export function overlaps(one: string, other: string): boolean {
  const isInside = (inner: string, outer: string) => outer === '.' || inner === outer || inner.startsWith(`${outer}/`);
  return isInside(one, other) || isInside(other, one);
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
