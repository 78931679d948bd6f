import type { Deps } from '../../kit/deps.ts';
import { parseChange, parseRecord } from '../../kit/record-fields.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { checkOwner, checkSharing, checkVisibility, withUniqueName } from './shared.ts';
import { viewsOf } from './store.ts';
import { accountsOf, viewFields, type SavedView, type ViewChange, type ViewInput } from './view.ts';

type ViewDeps = Pick<Deps, 'db' | 'clock'>;

/** Saves a view, owned by the caller.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN for a Viewer who shares it; CONFLICT if the name is taken */
export async function createView(deps: ViewDeps, viewer: Viewer, actor: Actor, input: ViewInput): Promise<SavedView> {
  const data = parseRecord(viewFields, input);
  checkSharing(viewer, data.visibility);
  const by = { viewer, actor, now: deps.clock.now() };
  return withUniqueName('views', data.name, () =>
    deps.db.$transaction((db) => viewsOf(viewer.userId).add(db, by, { ...data, accountIds: accountsOf(data.query) })),
  );
}

/** Updates the given fields of a view.
 *  @throws {AppError} as `createView`; NOT_FOUND; VALIDATION_ERROR when nothing is given; FORBIDDEN for anyone but the owner and,
 *    if it is shared, Admins */
export async function updateView(
  deps: ViewDeps,
  viewer: Viewer,
  actor: Actor,
  { id, ifUnmodifiedSince, ...change }: ViewChange & { readonly id: string },
): Promise<SavedView> {
  const data = parseChange(viewFields, change);
  const views = viewsOf(viewer.userId);
  return withUniqueName('views', data.name, () =>
    deps.db.$transaction(async (db) => {
      const before = await views.lock(db, viewer.scope, id);
      checkOwner('Saved view', viewer, before);
      checkVisibility(viewer, before, data.visibility);
      const by = { viewer, actor, now: deps.clock.now() };
      const changes = { ...data, ...(data.query && { accountIds: accountsOf(data.query) }) };
      return views.change(db, by, before, { data: changes, changed: Object.keys(data), ifUnmodifiedSince });
    }),
  );
}

/** Deletes a view. Dashboards keep its widgets, which then show that it is gone.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for anyone but the owner and, if it is shared, Admins */
export async function deleteView({ db }: Pick<Deps, 'db'>, viewer: Viewer, actor: Actor, id: string): Promise<void> {
  const views = viewsOf(viewer.userId);
  await db.$transaction(async (tx) => {
    const view = await views.lock(tx, viewer.scope, id);
    checkOwner('Saved view', viewer, view);
    await views.remove(tx, viewer.scope, actor, view);
  });
}

/** Returns whether the caller sees any view. */
export async function hasViews({ db }: Pick<Deps, 'db'>, { userId, scope }: Viewer): Promise<boolean> {
  const page = { skip: 0, take: 1, select: { id: true } } as const;
  return (await viewsOf(userId).page(db, scope, { filters: [], sort: null }, page)).total > 0;
}
