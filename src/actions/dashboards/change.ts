import type { Visibility } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { isUuid } from '../../kit/ids.ts';
import {
  defaulted,
  given,
  parseChange,
  parseRecord,
  required,
  type RecordChange,
  type RecordInput,
} from '../../kit/record-fields.ts';
import type { Author } from '../../tenancy/accounts/about.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { nameRule, parseName } from '../../tenancy/login/input.ts';
import { checkOwner, checkSharing, checkVisibility, withUniqueName } from '../views/shared.ts';
import { viewsOf } from '../views/store.ts';
import { dashboardsOf, isNameShared, type Dashboard } from './store.ts';
import { notACostView, parseWidgets, widgetsRule, type Widget } from './widgets.ts';

type DashboardDeps = Pick<Deps, 'db' | 'clock'>;

/** The fields of a dashboard that clients set. */
export const dashboardFields = {
  name: required(parseName, nameRule),
  visibility: defaulted<Visibility, Visibility>('private', given),
  widgets: defaulted([], parseWidgets, widgetsRule),
};

export type DashboardInput = RecordInput<typeof dashboardFields>;
export type DashboardChange = RecordChange<typeof dashboardFields>;

/** Creates a dashboard, owned by the caller.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN for a Viewer who shares it; CONFLICT if the name is taken */
export async function createDashboard(
  deps: DashboardDeps,
  viewer: Viewer,
  actor: Actor,
  input: DashboardInput,
): Promise<Dashboard> {
  const data = parseRecord(dashboardFields, input);
  checkSharing(viewer, data.visibility);
  const by = { viewer, actor, now: deps.clock.now() };
  return withUniqueName('dashboards', data.name, () =>
    deps.db.$transaction(async (db) => {
      await checkViews(db, viewer, data.widgets, []);
      return dashboardsOf(viewer.userId).add(db, by, data);
    }),
  );
}

/** Adds a shared dashboard of widgets with a query within a transaction, unless another one has its name.
 *  @throws {AppError} as `createDashboard` */
export async function addSharedDashboard(db: Db, by: Author, input: Omit<DashboardInput, 'visibility'>): Promise<void> {
  const data = parseRecord(dashboardFields, { ...input, visibility: 'organization' });
  checkSharing(by.viewer, data.visibility);
  if (await isNameShared(db, by.viewer.scope, data.name)) return;
  await checkViews(db, by.viewer, data.widgets, []);
  await dashboardsOf(by.viewer.userId).add(db, by, data);
}

/** Updates the given fields of a dashboard.
 *  @throws {AppError} as `createDashboard`; NOT_FOUND; VALIDATION_ERROR when nothing is given; FORBIDDEN for anyone but the owner
 *    and, if it is shared, Admins */
export async function updateDashboard(
  deps: DashboardDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ifUnmodifiedSince, ...change }: DashboardChange & { readonly id: string },
): Promise<Dashboard> {
  const data = parseChange(dashboardFields, change);
  const dashboards = dashboardsOf(viewer.userId);
  return withUniqueName('dashboards', data.name, () =>
    deps.db.$transaction(async (db) => {
      const before = await dashboards.lock(db, viewer.scope, id);
      checkOwner('Dashboard', viewer, before);
      checkVisibility(viewer, before, data.visibility);
      if (data.widgets) await checkViews(db, viewer, data.widgets, before.widgets);
      const by = { viewer, actor, now: deps.clock.now() };
      return dashboards.change(db, by, before, { data, changed: Object.keys(data), ifUnmodifiedSince });
    }),
  );
}

/** Deletes a dashboard. Its views stay.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for anyone but the owner and, if it is shared, Admins */
export async function deleteDashboard(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer,
  actor: Actor,
  id: string,
): Promise<void> {
  const dashboards = dashboardsOf(viewer.userId);
  await db.$transaction(async (tx) => {
    const dashboard = await dashboards.lock(tx, viewer.scope, id);
    checkOwner('Dashboard', viewer, dashboard);
    await dashboards.remove(tx, viewer.scope, actor, dashboard);
  });
}

/** Checks that the caller sees the views of added widgets. Widgets already on the dashboard are kept, even if their view is gone
 *  or private to another member.
 *  @throws {AppError} VALIDATION_ERROR naming the widget */
async function checkViews(
  db: Db,
  { scope, userId }: Viewer,
  widgets: readonly Widget[],
  before: readonly Widget[],
): Promise<void> {
  const kept = new Set(before.map(({ viewId }) => viewId));
  const added = widgets.flatMap(({ viewId }) => (viewId === null || kept.has(viewId) ? [] : [viewId]));
  const select = { id: true, page: true };
  const found = await viewsOf(userId).select(db, scope, [...new Set(added.filter(isUuid))], { select });
  const known = new Set(found.filter(({ page }) => page === 'costs').map(({ id }) => id));
  for (const [index, { viewId }] of widgets.entries())
    if (viewId !== null && !kept.has(viewId) && !known.has(viewId)) throw notACostView(index, viewId);
}
