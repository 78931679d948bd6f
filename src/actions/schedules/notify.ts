import type { Deps } from '../../kit/deps.ts';
import { restName } from '../../kit/errors.ts';
import { storedMessage } from '../../kit/stored-error.ts';
import { announce } from '../notifications/announce.ts';
import { loadReport } from '../reports/store.ts';
import { failureOf, readyOf, requestedFailureOf, requestedReadyOf } from './messages.ts';
import { loadSchedule, markRun } from './store.ts';

/** Delivers a finished report: a scheduled one to its recipients, or to its owner if there are none; any other to the user who
 *  created it. Recipients who are members need access to all its accounts. A failure is announced to the owner or creator
 *  only. Idempotent: each report is announced once.
 *  @param ref `mailTo`: the user who created the report, where they want its file by email */
export async function notifyOfReport(
  deps: Pick<Deps, 'db' | 'queue' | 'clock'>,
  {
    organizationId,
    reportId,
    mailTo,
  }: { readonly organizationId: string; readonly reportId: string; readonly mailTo?: string | undefined },
): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const report = await loadReport(db, organizationId, reportId);
    if (!report || report.status === 'pending') return;
    if (report.scheduleId === null) {
      if (mailTo === undefined) return;
      const announcement =
        report.status === 'failed' ? requestedFailureOf(report, failureReasonOf(report)) : requestedReadyOf(report);
      const recipients = { owner: mailTo, addresses: [], slackOf: null, about: { accountIds: report.accountIds } };
      return announce(db, deps, organizationId, { announcement, recipients });
    }
    const schedule = await loadSchedule(db, organizationId, report.scheduleId);
    // The schedule was deleted in the meantime.
    if (!schedule) return;
    await markRun(db, schedule, report.status);
    const { createdById, recipients: addresses, slack } = schedule;
    const about = { accountIds: report.accountIds };
    if (report.status === 'failed') {
      const announcement = failureOf(schedule, `report:${report.id}`, failureReasonOf(report));
      const recipients = { owner: createdById, addresses: [], slackOf: null, about: { accountIds: [] } };
      return announce(db, deps, organizationId, { announcement, recipients });
    }
    const owner = addresses.length === 0 ? createdById : null;
    const recipients = { owner, addresses, slackOf: slack ? createdById : null, about };
    await announce(db, deps, organizationId, { announcement: readyOf(schedule, report), recipients });
  });
}

function failureReasonOf({ failure }: { readonly failure: unknown }): string {
  return storedMessage(failure, restName) ?? 'See the server log for the reason.';
}
