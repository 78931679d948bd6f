import { createAnnotation } from '../../actions/annotations/change.ts';
import { createDashboard } from '../../actions/dashboards/change.ts';
import { createBudget } from '../../analysis/budgets/change.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError } from '../../kit/errors/errors.ts';
import { addDays, dayOf } from '../../kit/time/period.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';

/** Dependencies of the sample's content. */
export type ContentDeps = Pick<Deps, 'db' | 'pool' | 'engine' | 'clock' | 'config' | 'queue' | 'log'>;

/** Creates a budget, a dashboard and two annotations about the sample AWS account. They are deleted with it.
 *  @param name of the account */
export async function addContent(
  deps: ContentDeps,
  { viewer, actor }: { readonly viewer: Viewer; readonly actor: Actor },
  { accountId, name }: { readonly accountId: string; readonly name: string },
): Promise<void> {
  // More than the sample spends, so that it sends no alerts.
  await createBudget(deps, viewer, actor, {
    name: `${name} budget`,
    amount: 60_000,
    accountId,
    alertThresholds: [100],
  });
  await addDashboard(deps, { viewer, actor }, { accountId, name });
  const today = dayOf(deps.clock.now());
  const notes = [
    { daysAgo: 20, text: 'Load test of the shop before the season' },
    { daysAgo: 5, text: 'Backups went through the NAT gateway by mistake' },
  ];
  for (const { daysAgo, text } of notes) {
    const startDate = addDays(today, -daysAgo);
    await createAnnotation(deps, viewer, actor, { accountId, text, startDate, endDate: startDate });
  }
}

async function addDashboard(
  deps: ContentDeps,
  { viewer, actor }: { readonly viewer: Viewer; readonly actor: Actor },
  { accountId, name }: { readonly accountId: string; readonly name: string },
): Promise<void> {
  const account = accountId;
  const widgets = [
    { query: { account }, chart: 'number', title: 'Last 30 days', x: 0, y: 0, w: 4, h: 2 },
    { query: { account, group: 'service' }, chart: 'area', title: 'By service', x: 0, y: 2, w: 7, h: 4 },
    { query: { account, group: 'region' }, chart: 'table', title: 'By region', x: 7, y: 2, w: 5, h: 4 },
  ] as const;
  try {
    await createDashboard(deps, viewer, actor, { name, visibility: 'organization', widgets: [...widgets] });
  } catch (error) {
    // There is another dashboard with this name, such as a changed one of an earlier sample.
    if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
  }
}
