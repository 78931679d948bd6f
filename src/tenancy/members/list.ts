import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../kit/deps.ts';
import { notFound } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort } from '../../kit/sort.ts';
import { lockedUntil } from '../auth/lockout.ts';
import type { OrgScope, Viewer } from '../auth/scope.ts';
import { hasSecondFactor } from '../second-factor/store.ts';
import { listMembers, memberSortFields, type MemberRow } from './store.ts';

type ListDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

/** A member as others see them. */
export interface Member {
  readonly id: string;
  readonly user: Pick<Viewer, 'userId' | 'email' | 'name'>;
  readonly role: Role;
  /** Null: all accounts. Of a list, those that the caller may see. */
  readonly accountAccess: string[] | null;
  readonly twoFactorEnabled: boolean;
  /** Null: not locked now. */
  readonly lockedUntil: Date | null;
  readonly lastLoginAt: Date | null;
  readonly joinedAt: Date;
}

/** Which members a list shows; null means any. */
export interface MemberQuery {
  readonly role?: readonly Role[] | null;
  readonly search?: string | null;
  readonly sortBy?: string | null;
}

/** A page of the organization's members, who joined last first.
 *  @throws {AppError} VALIDATION_ERROR when `sortBy` is not a field to sort by */
export async function pageMembers(
  deps: ListDeps,
  scope: OrgScope,
  query: MemberQuery,
  page: PageRequest,
): Promise<{ rows: Member[]; total: number }> {
  const sort = parseSort(query.sortBy, memberSortFields);
  const filter = { roles: query.role ?? null, search: query.search ?? null, sort };
  const { rows, total } = await listMembers(deps.db, scope, filter, page);
  return { rows: await complete(deps, rows), total };
}

/** One member.
 *  @throws {AppError} NOT_FOUND for an unknown id and one of another organization alike */
export async function readMember(deps: ListDeps, scope: OrgScope, id: string): Promise<Member> {
  const filter = { roles: null, search: null, sort: null, id };
  const found = isUuid(id) ? await listMembers(deps.db, scope, filter, { skip: 0, take: 1 }) : { rows: [] };
  const [member] = await complete(deps, found.rows);
  if (!member) throw notFound('Member', id);
  return member;
}

async function complete(deps: ListDeps, rows: readonly MemberRow[]): Promise<Member[]> {
  const secured = await hasSecondFactor(
    deps.db,
    rows.map((row) => row.userId),
  );
  const locks = await lockedUntil(
    deps,
    rows.map((row) => row.email),
  );
  return rows.map(({ userId, email, name, ...row }) => ({
    ...row,
    user: { userId, email, name },
    twoFactorEnabled: secured.has(userId),
    lockedUntil: locks.get(email) ?? null,
  }));
}
