import type { Db } from '../../kit/db.ts';
import { arg, choice, fix, forbidden } from '../../kit/errors/errors.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import { can } from '../auth/permissions.ts';
import { requireAllAccounts, type Viewer } from '../auth/scope.ts';
import { readDefaultDashboard, storeDefaultDashboard, type DefaultDashboard } from './default-dashboard-store.ts';

export type { DefaultDashboard };

/** Reads the start pages of a member and of their organization. */
export function chosenDashboard(db: Db, viewer: Viewer): Promise<DefaultDashboard> {
  return readDefaultDashboard(db, viewer);
}

/** Stores the start page of the caller or of the organization; absent fields stay unchanged, null removes one.
 *  @throws {AppError} FORBIDDEN for the organization's start page unless the caller is an Admin with access to all
 *  accounts */
export async function chooseDashboard(
  db: Db,
  viewer: Viewer,
  actor: Actor,
  choices: Partial<DefaultDashboard>,
): Promise<void> {
  const { organization } = choices;
  if (organization !== undefined && !can(viewer.role, 'organization.write'))
    throw forbidden`${arg('organization')} cannot be changed by the role ${choice('role', viewer.role)}${fix}choose your own start page, or ask an Admin`;
  if (organization !== undefined)
    requireAllAccounts(viewer.scope, 'The start page of the organization can show all accounts');
  const before = await readDefaultDashboard(db, viewer);
  await storeDefaultDashboard(db, viewer, choices);
  if (organization === undefined || organization === before.organization) return;
  const details = { default_dashboard: { from: before.organization, to: organization } };
  const { organizationId: resourceId } = viewer.scope;
  await writeAudit(db, actor, { action: 'settings_changed', resourceType: 'organization', resourceId, details });
}
