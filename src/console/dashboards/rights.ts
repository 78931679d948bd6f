import type { Me } from '../api/me.tsx';
import type { Dashboard } from './queries.ts';

/** Whether a member may change a dashboard: their own, and Admins also shared ones. */
export function mayChange({ createdById }: Pick<Dashboard, 'createdById'>, { user, role }: Me): boolean {
  return createdById === user.id || role === 'ADMIN' || role === 'SUPER_ADMIN';
}

/** Start page value of the overview; others are IDs of dashboards. */
export const overview = 'overview';

/** Start page of the member, `overview` or the ID of a dashboard: their own, else the organization's. */
export function firstDashboard({ defaultDashboard: { own, organization } }: Me): string {
  return own ?? organization ?? overview;
}
