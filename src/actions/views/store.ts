import type { Prisma, SavedView as ViewRow } from '../../../prisma/generated/client/client.ts';
import type { ViewPage, Visibility } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest, Rows } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { Records } from '../../tenancy/accounts/about.ts';
import type { OrgScope, Viewer } from '../../tenancy/auth/scope.ts';
import { storedQuery, type SavedView } from './view.ts';

/** Sort fields of views, in REST spelling. */
export const viewSortFields = ['name', 'created_at', 'updated_at'] as const;

/** Filters of a list of views; null means any. */
interface ViewsAsked {
  readonly pages?: readonly ViewPage[] | null;
  readonly visibility?: readonly Visibility[] | null;
  readonly sortBy?: SortBy<typeof viewSortFields> | null;
}

/** The views that a member sees: own ones and shared ones. Members restricted to some accounts see a shared view if its query is
 *  limited to accounts of theirs: other views may contain names from accounts that they must not see. */
export function viewsOf(userId: string): Records<ViewRow, SavedView> {
  return new Records<ViewRow, SavedView>({
    noun: 'Saved view',
    plural: 'saved views',
    resourceType: 'saved_view',
    limit: 2000,
    model: (db) => db.savedView,
    visible: (scope, db) => visible(scope, userId, db),
    parse: ({ query, ...row }) => ({ ...row, query: storedQuery(query) }),
    details: ({ name, page, visibility, accountIds }) => ({
      ...(visibility === 'organization' && { name }),
      page,
      visibility,
      account_ids: accountIds.length > 0 ? [...accountIds] : null,
    }),
    accountsOf: accountsOfAudit,
  });
}

/** Returns the accounts of a view's audit entries: those of a restricted view are visible to members with access to its
 *  accounts. */
function accountsOfAudit({ accountIds }: SavedView): readonly (string | null)[] {
  const ids = accountIds.filter(isUuid);
  return ids.length > 0 ? ids : [null];
}

async function visible(
  { organizationId, accountIds }: OrgScope,
  userId: string,
  db: Db,
): Promise<Prisma.SavedViewWhereInput> {
  if (accountIds === null) return { organizationId, OR: [{ createdById: userId }, { visibility: 'organization' }] };
  const rows = await db.$queryRaw<{ id: string }[]>`/* visibleViews */
    SELECT id FROM saved_views WHERE organization_id = ${organizationId}::uuid AND (created_by_id = ${userId}::uuid
      OR visibility = 'organization' AND account_ids <> '{}' AND account_ids <@ ${[...accountIds]}::text[])`;
  return { organizationId, id: { in: rows.map(({ id }) => id) } };
}

/** Returns a page of selected views, by name by default. */
export function pageViews(
  { db }: { readonly db: Db },
  { scope, userId }: Viewer,
  { pages, visibility, sortBy }: ViewsAsked,
  page: PageRequest & { select: { id: true } },
): Rows {
  const filters = [{ page: oneOf(pages), visibility: oneOf(visibility) }];
  const sort = parseSort(sortBy, viewSortFields) ?? { field: 'name', direction: 'asc' };
  return viewsOf(userId).page(db, scope, { filters, sort }, page);
}

function oneOf<Word extends string>(words: readonly Word[] | null | undefined) {
  return words ? { in: [...words] } : undefined;
}
