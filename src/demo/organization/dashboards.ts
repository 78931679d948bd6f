import type { Deps } from '../../kit/deps.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { createDashboard } from '../../actions/dashboards/change.ts';
import { createView, hasViews } from '../../actions/views/change.ts';

const shared = { visibility: 'organization' } as const;

const views = [
  { name: 'Cost by team', query: { group: 'virtual:team' } },
  { name: 'Compute by region', query: { group: 'region', service_category: 'Compute' } },
  { name: 'Cost by service, monthly', query: { group: 'service', granularity: 'monthly', days: 'last_6_months' } },
] as const;

/** Creates shared views and a dashboard of them, unless the organization has views already. */
export async function writeDashboards(deps: Pick<Deps, 'db' | 'clock'>, viewer: Viewer, actor: Actor): Promise<void> {
  if (await hasViews(deps, viewer)) return;
  const ids: string[] = [];
  for (const view of views) ids.push((await createView(deps, viewer, actor, { ...view, page: 'costs', ...shared })).id);
  const [teams, regions, services] = ids;
  const widgets = [
    { query: {}, chart: 'number', title: 'Last 30 days', x: 0, y: 0, w: 4, h: 2 },
    { query: { provider: 'aws' }, chart: 'number', title: 'AWS', x: 4, y: 0, w: 4, h: 2 },
    { query: { provider: 'gcp' }, chart: 'number', title: 'Google Cloud', x: 8, y: 0, w: 4, h: 2 },
    { viewId: teams, chart: 'area', x: 0, y: 2, w: 7, h: 4 },
    { viewId: services, chart: 'bar', x: 7, y: 2, w: 5, h: 4 },
    { viewId: regions, chart: 'line', x: 0, y: 6, w: 6, h: 4 },
    { query: { group: 'provider' }, chart: 'cumulative', title: 'Cumulative cost', x: 6, y: 6, w: 6, h: 4 },
  ] as const;
  await createDashboard(deps, viewer, actor, { name: 'FinOps review', widgets: [...widgets], ...shared });
}
