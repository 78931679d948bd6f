import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Deps } from '../../kit/deps.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { requireAccount } from '../accounts/run.ts';
import { pageRuns } from './store.ts';

/** Sort fields of ended syncs, in REST spelling. */
export const runSortFields = ['started_at'] as const;

/** Returns a page of the selected fields of an account's ended syncs, newest first.
 *  @throws {AppError} NOT_FOUND for an account outside the scope */
export async function pageSyncs<Select extends Prisma.SyncRunSelect>(
  deps: Pick<Deps, 'db'>,
  { scope, accountId }: { readonly scope: OrgScope; readonly accountId: string },
  sortBy: SortBy<typeof runSortFields> | null,
  page: PageRequest & { select: Select },
) {
  await requireAccount(deps, scope, accountId);
  const { direction } = parseSort(sortBy, runSortFields) ?? { direction: 'desc' };
  return pageRuns(deps.db, { scope, accountId }, direction, page);
}
