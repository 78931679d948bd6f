import { useMe, type Me } from '../api/me.tsx';
import { useKept } from '../parts/kept.ts';
import type { Dashboard } from './queries.ts';

/** Whether a member may change a dashboard: their own, and Admins also shared ones. */
export function mayChange({ createdById }: Pick<Dashboard, 'createdById'>, { user, role }: Me): boolean {
  return createdById === user.id || role === 'ADMIN' || role === 'SUPER_ADMIN';
}

/** ID of the dashboard that the member opens first in this browser; null for the overview. */
export function useFirstDashboard(): [id: string | null, set: (id: string | null) => void] {
  const { user, organization } = useMe();
  return useKept<string | null>(`first-dashboard.${organization.id}.${user.id}`, null);
}
