import type { Me } from '../api/me.tsx';
import type { Dashboard } from './queries.ts';

/** Whether a member may change a dashboard: their own, and Admins also shared ones. */
export function mayChange({ createdById }: Pick<Dashboard, 'createdById'>, { user, role }: Me): boolean {
  return createdById === user.id || role === 'ADMIN' || role === 'SUPER_ADMIN';
}

/** Choice of what opens first that stands for the overview; others are ids of dashboards. */
export const overview = 'overview';

/** What the member opens first, `overview` or the ID of a dashboard: their choice, else the organization's. */
export function firstDashboard({ defaultDashboard: { own, organization } }: Me): string {
  return own ?? organization ?? overview;
}
