import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, fix, invalid, operation } from '../../kit/errors/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { chooseDashboard, chosenDashboard, type DefaultDashboard } from '../../tenancy/org/default-dashboard.ts';
import { dashboardsOf } from './store.ts';

type DefaultDeps = Pick<Deps, 'db'>;

/** Value of a start page for the overview of the console. */
const overview = 'overview';
/** Bounds of a start page. */
export const defaultRule = {
  anyOf: [
    { type: 'string', enum: [overview] },
    { type: 'string', format: 'uuid' },
  ],
} as const;

/** Returns the start pages of the caller and of the organization. Ignores dashboards that are gone or no longer
 *  shared with the caller. */
export async function defaultDashboard({ db }: DefaultDeps, viewer: Viewer): Promise<DefaultDashboard> {
  return visibleOnly(db, viewer, await chosenDashboard(db, viewer));
}

/** Changes the start page of the caller or of the organization; absent fields stay unchanged, null removes one.
 *  @throws {AppError} VALIDATION_ERROR for a dashboard that the caller does not see, or that is not shared; FORBIDDEN for the
 *    organization's start page unless the caller is an Admin with access to all accounts */
export async function updateDefaultDashboard(
  { db }: DefaultDeps,
  viewer: Viewer,
  actor: Actor,
  choices: Partial<DefaultDashboard>,
): Promise<void> {
  const { own = null, organization = null } = choices;
  await db.$transaction(async (tx) => {
    await chooseDashboard(tx, viewer, actor, choices);
    const visible = await visibleOnly(tx, viewer, { own, organization });
    if (own !== null && visible.own === null) throw notVisible('own', own, 'a dashboard');
    if (organization !== null && visible.organization === null)
      throw notVisible('organization', organization, 'a shared dashboard');
  });
}

function notVisible(field: keyof DefaultDashboard, id: string, kind: string): Error {
  return invalid`${arg(field, id)} is not ${kind} that you can see${fix}use "overview" or an id from ${operation('GET /dashboards')}`;
}

/** Replaces dashboards that the caller does not see, and private ones of the organization, with null. */
async function visibleOnly(db: Db, viewer: Viewer, { own, organization }: DefaultDashboard): Promise<DefaultDashboard> {
  const ids = [own, organization].flatMap((id) => (id !== null && isUuid(id) ? [id] : []));
  const select = { id: true, visibility: true };
  const found = ids.length === 0 ? [] : await dashboardsOf(viewer.userId).select(db, viewer.scope, ids, { select });
  const byId = new Map(found.map(({ id, visibility }) => [id, visibility]));
  const isShared = organization === overview || byId.get(organization ?? '') === 'organization';
  return {
    own: own === overview || byId.has(own ?? '') ? own : null,
    organization: isShared ? organization : null,
  };
}
