import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../kit/deps.ts';
import { requireById } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope } from '../auth/scope.ts';
import { listMemberIds, memberSortFields, selectMembers } from './store.ts';

/** Filter of a list of members; null means any. */
export interface MemberQuery {
  readonly role?: readonly Role[] | null;
  readonly search?: string | null;
  readonly sortBy?: SortBy<typeof memberSortFields> | null;
}

/** Returns a page of the organization's members, latest joined first. */
export async function pageMembers(
  { db }: Pick<Deps, 'db'>,
  scope: OrgScope,
  query: MemberQuery,
  { page, select }: { page: PageRequest; select: { id: true } },
): Promise<{ rows: { id: string }[]; total: number }> {
  const sort = parseSort(query.sortBy, memberSortFields);
  const filter = { roles: query.role ?? null, search: query.search ?? null, sort };
  const { ids, total } = await listMemberIds(db, scope, filter, page);
  return { rows: await selectMembers(db, scope, ids, select), total };
}

/** Returns one member.
 *  @throws {AppError} NOT_FOUND for an id that is unknown or of another organization */
export function readMember(
  { db }: Pick<Deps, 'db'>,
  scope: OrgScope,
  id: string,
  select: { id: true },
): Promise<{ id: string }> {
  return requireById('Member', id, async () => (await selectMembers(db, scope, [id], select))[0]);
}
