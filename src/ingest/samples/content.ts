import { addAnnotation } from '../../actions/annotations/change.ts';
import { addSharedDashboard } from '../../actions/dashboards/change.ts';
import { addUnspentBudget } from '../../analysis/budgets/change.ts';
import type { Db } from '../../kit/db.ts';
import { addDays, dayOf } from '../../kit/time/period.ts';
import type { Author } from '../../tenancy/accounts/about.ts';

/** Adds a budget, a dashboard and two annotations about the sample AWS account, which is not synced yet. They are deleted with it.
 *  @param name of the account */
export async function addContent(
  db: Db,
  by: Author,
  { accountId, name }: { readonly accountId: string; readonly name: string },
): Promise<void> {
  // More than the sample spends, so that it sends no alerts.
  await addUnspentBudget(db, by, { name: `${name} budget`, amount: 60_000, accountId, alertThresholds: [100] });
  const account = accountId;
  const widgets = [
    { query: { account }, chart: 'number', title: 'Last 30 days', x: 0, y: 0, w: 4, h: 2 },
    { query: { account, group: 'service' }, chart: 'area', title: 'By service', x: 0, y: 2, w: 7, h: 4 },
    { query: { account, group: 'region' }, chart: 'table', title: 'By region', x: 7, y: 2, w: 5, h: 4 },
  ] as const;
  // A changed dashboard of an earlier sample may still have the name.
  await addSharedDashboard(db, by, { name, widgets: [...widgets] });
  const today = dayOf(by.now);
  const notes = [
    { daysAgo: 20, text: 'Load test of the shop before the season' },
    { daysAgo: 5, text: 'Backups went through the NAT gateway by mistake' },
  ];
  for (const { daysAgo, text } of notes) {
    const startDate = addDays(today, -daysAgo);
    await addAnnotation(db, by, { accountId, text, startDate, endDate: startDate });
  }
}
