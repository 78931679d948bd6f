import type { Me } from '../api/me.tsx';
import type { Dashboard } from './queries.ts';

/** Whether a member may change a dashboard: their own, and Admins also shared ones. */
export function mayChange({ createdById }: Pick<Dashboard, 'createdById'>, { user, role }: Me): boolean {
  return createdById === user.id || role === 'ADMIN' || role === 'SUPER_ADMIN';
}

/** Storage key of the dashboard that a member sees first in an organization. */
function keyOf({ user, organization }: Me): string {
  return `costkeep-first-dashboard:${organization.id}:${user.id}`;
}

/** ID of the dashboard that the member opens first in this browser; null for the overview. */
export function firstDashboard(me: Me): string | null {
  try {
    return localStorage.getItem(keyOf(me));
  } catch {
    // The browser does not permit storage.
    return null;
  }
}

/** Chooses the dashboard that the member opens first in this browser.
 *  @param id null for the overview */
export function setFirstDashboard(me: Me, id: string | null): void {
  try {
    if (id === null) localStorage.removeItem(keyOf(me));
    else localStorage.setItem(keyOf(me), id);
  } catch {
    // As above: the overview stays first.
  }
}
