import type { Dashboard as DashboardRow, Prisma } from '../../../prisma/generated/client/client.ts';
import type { Visibility } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest, Rows } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import { Records } from '../../tenancy/accounts/about.ts';
import type { OrgScope, Viewer } from '../../tenancy/auth/scope.ts';
import { storedWidgets, type Widget } from './widgets.ts';

/** A dashboard. */
export type Dashboard = Omit<DashboardRow, 'widgets'> & { readonly widgets: readonly Widget[] };

/** Sort fields of dashboards, in REST spelling. */
export const dashboardSortFields = ['name', 'created_at', 'updated_at'] as const;

/** Filters of a list of dashboards; null means any. */
interface DashboardsAsked {
  readonly visibility?: readonly Visibility[] | null;
  readonly sortBy?: SortBy<typeof dashboardSortFields> | null;
}

/** The dashboards that a member sees: own ones and shared ones. Members restricted to some accounts see a shared dashboard if all
 *  its queries are limited to their accounts, as with saved views. */
export function dashboardsOf(userId: string): Records<DashboardRow, Dashboard> {
  return new Records<DashboardRow, Dashboard>({
    noun: 'Dashboard',
    plural: 'dashboards',
    resourceType: 'dashboard',
    limit: 500,
    model: (db) => db.dashboard,
    visible: (scope, db) => visible(scope, userId, db),
    parse: ({ widgets, ...row }) => ({ ...row, widgets: storedWidgets(widgets) }),
    // Without the name: members with access to some of the accounts read the entry even if they do not see the dashboard.
    details: ({ visibility, widgets }) => ({ visibility, widgets: widgets.length, account_ids: accountsOf(widgets) }),
    accountsOf: ({ widgets }) => accountsOf(widgets) ?? [null],
  });
}

/** Returns the accounts to which all widgets are limited; null if others may be shown, such as by a saved view. */
function accountsOf(widgets: readonly Widget[]): string[] | null {
  const isLimited = widgets.length > 0 && widgets.every(({ accountIds }) => accountIds.length > 0);
  const ids = isLimited ? widgets.flatMap(({ accountIds }) => accountIds.filter(isUuid)) : [];
  return ids.length > 0 ? [...new Set(ids)] : null;
}

async function visible(
  { organizationId, accountIds }: OrgScope,
  userId: string,
  db: Db,
): Promise<Prisma.DashboardWhereInput> {
  if (accountIds === null) return { organizationId, OR: [{ createdById: userId }, { visibility: 'organization' }] };
  const rows = await db.$queryRaw<{ id: string }[]>`/* visibleDashboards */
    SELECT d.id FROM dashboards d WHERE d.organization_id = ${organizationId}::uuid AND (d.created_by_id = ${userId}::uuid
      OR d.visibility = 'organization' AND d.widgets <> '[]' AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(d.widgets) w
        LEFT JOIN saved_views v ON v.organization_id = d.organization_id AND v.id::text = w->>'viewId'
        CROSS JOIN LATERAL (SELECT CASE WHEN v.id IS NULL THEN w->'accountIds' ELSE to_jsonb(v.account_ids) END AS accounts) a
        WHERE a.accounts = '[]' OR NOT a.accounts <@ ${JSON.stringify(accountIds)}::jsonb))`;
  return { organizationId, id: { in: rows.map(({ id }) => id) } };
}

/** Returns whether a shared dashboard has a name, whatever its case. */
export async function isNameShared(db: Db, { organizationId }: OrgScope, name: string): Promise<boolean> {
  const where = { organizationId, visibility: 'organization', name: { equals: name, mode: 'insensitive' } } as const;
  return (await db.dashboard.count({ where })) > 0;
}

/** Returns a page of selected dashboards, by name by default. */
export function pageDashboards(
  { db }: { readonly db: Db },
  { scope, userId }: Viewer,
  { visibility, sortBy }: DashboardsAsked,
  page: PageRequest & { select: { id: true } },
): Rows {
  const filters = [{ visibility: visibility ? { in: [...visibility] } : undefined }];
  const sort = parseSort(sortBy, dashboardSortFields) ?? { field: 'name', direction: 'asc' };
  return dashboardsOf(userId).page(db, scope, { filters, sort }, page);
}
