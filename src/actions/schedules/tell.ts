import type { Deps } from '../../kit/deps.ts';
import { announce } from '../notifications/announce.ts';
import { loadReport } from '../reports/store.ts';
import { failureOf, readyOf } from './messages.ts';
import { loadSchedule, markRun } from './store.ts';

/** Tells of a scheduled report once it is there: its recipients, those who are members if they may see all that it is about;
 *  without any, the owner. That there is none is told to the owner alone. Told once, however often this runs. */
export async function tellReport(
  deps: Pick<Deps, 'db' | 'queue' | 'clock'>,
  { organizationId, reportId }: { readonly organizationId: string; readonly reportId: string },
): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const report = await loadReport(db, organizationId, reportId);
    if (!report || report.status === 'pending' || report.scheduleId === null) return;
    const schedule = await loadSchedule(db, organizationId, report.scheduleId);
    // Deleted meanwhile: nobody waits for it any more.
    if (!schedule) return;
    await markRun(db, schedule, report.status);
    const { createdById, recipients: addresses, slack } = schedule;
    const about = { accountIds: report.accountIds };
    if (report.status === 'failed') {
      const announcement = failureOf(schedule, `report:${report.id}`, report.failure ?? 'The log says why.');
      const recipients = { owner: createdById, addresses: [], slackOf: null, about: { accountIds: [] } };
      return announce(db, deps, organizationId, { announcement, recipients });
    }
    const owner = addresses.length === 0 ? createdById : null;
    const recipients = { owner, addresses, slackOf: slack ? createdById : null, about };
    await announce(db, deps, organizationId, { announcement: readyOf(schedule, report), recipients });
  });
}
