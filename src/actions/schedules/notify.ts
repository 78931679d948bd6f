import type { Deps } from '../../kit/deps.ts';
import { restName } from '../../kit/errors/errors.ts';
import { storedMessage } from '../../kit/errors/stored-error.ts';
import { announce } from '../notifications/announce.ts';
import type { Announcement, Recipients } from '../notifications/announcement.ts';
import type { ReportRef } from '../reports/generate.ts';
import { hasPending, loadReport, type Report } from '../reports/store.ts';
import { loadSchedule, markRun } from './store.ts';
import { addDays, dayOf } from '../../kit/time/period.ts';
import { formatPeriod } from '../../kit/text/format.ts';
import { titleOf } from '../reports/kinds.ts';
import type { Schedule } from './schedule.ts';

/** Delivers a finished report: a scheduled one to its recipients, or to its owner if there are none; the showback of a value to
 *  the recipients of that value; any other to the user who created it. Recipients who are members need access to all its
 *  accounts. A failure is announced to the owner or creator only. Idempotent: each report is announced once. */
export async function notifyOfReport(
  deps: Pick<Deps, 'db' | 'queue' | 'clock'>,
  { organizationId, reportId, mailTo, forValue }: ReportRef,
): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const report = await loadReport(db, organizationId, reportId);
    if (!report || report.status === 'pending') return;
    const isFailed = report.status === 'failed';
    const about = { accountIds: report.accountIds };
    const send = (announcement: Announcement, to: Partial<Recipients>) =>
      announce(db, deps, organizationId, {
        announcement,
        recipients: { owner: null, addresses: [], slackOf: null, channelIds: [], about, ...to },
      });
    if (report.scheduleId === null) {
      if (mailTo !== undefined)
        await send(isFailed ? requestedFailureOf(report) : readyOf(report, null), { owner: mailTo });
      return;
    }
    const schedule = await loadSchedule(db, organizationId, report.scheduleId);
    // The schedule was deleted in the meantime.
    if (!schedule) return;
    if (isFailed || !(await hasPending(db, schedule))) await markRun(db, schedule, report.status);
    const { createdById: owner, recipients: addresses, slack, channelIds, valueRecipients } = schedule;
    if (isFailed)
      await send(failureOf(schedule, keyOf(report), failureReasonOf(report), report), {
        owner,
        about: { accountIds: [] },
      });
    else if (forValue !== undefined)
      await send(readyOf(report, schedule), {
        addresses: valueRecipients.find(({ value }) => value === forValue)?.recipients ?? [],
      });
    else
      await send(readyOf(report, schedule), {
        owner: addresses.length === 0 ? owner : null,
        addresses,
        slackOf: slack ? owner : null,
        channelIds,
      });
  });
}

function failureReasonOf({ failure }: { readonly failure: unknown }): string {
  return storedMessage(failure, restName) ?? 'See the server log for the reason.';
}

function keyOf({ id }: Report): string {
  return `report:${id}`;
}

/** Builds the announcement of a report, with its key figures and file.
 *  @param schedule null: a user requested it */
function readyOf(report: Report, schedule: Schedule | null): Announcement {
  const title = titleOf(report);
  const period = formatPeriod(report.startDate, report.endDate);
  const expiry = dayOf(report.expiresAt);
  return {
    kind: 'report',
    subjectKey: keyOf(report),
    tone: 'info',
    title: `${schedule ? `${schedule.name}: ` : ''}${title}, ${period}`,
    lead: `The ${schedule ? `${schedule.frequency} ` : ''}report “${title}” for ${period} is ready.`,
    facts: (report.keyFigures ?? []).map(({ label, value }) => ({ label, value })),
    paragraphs: [
      ...growing(report, schedule),
      `Download it in Costkeep until ${formatPeriod(expiry, expiry)}. Days are UTC days.`,
    ],
    action: { label: 'Open the report', path: `/reports/${report.id}` },
    attachment: { reportId: report.id },
    reason: schedule
      ? `You own the report schedule “${schedule.name}” or are one of its recipients.`
      : 'You created this report.',
  };
}

/** Builds the announcement of a failed report to the user who created it. */
function requestedFailureOf(report: Report): Announcement {
  const title = titleOf(report);
  return {
    kind: 'report',
    subjectKey: keyOf(report),
    tone: 'warning',
    title: `${title}: the report failed`,
    lead: `The report “${title}” for ${formatPeriod(report.startDate, report.endDate)} could not be created.`,
    facts: [],
    paragraphs: [failureReasonOf(report)],
    action: { label: 'Open the report', path: `/reports/${report.id}` },
    reason: 'You created this report.',
  };
}

/** Builds the announcement of a failed scheduled report to its owner.
 *  @param subjectKey identifies the run or its report
 *  @param about the report, or the schedule if there is none */
export function failureOf(
  schedule: Schedule,
  subjectKey: string,
  reason: string,
  about: Pick<Report, 'type' | 'filters'> = schedule,
): Announcement {
  return {
    kind: 'report',
    subjectKey,
    tone: 'warning',
    title: `${schedule.name}: the report failed`,
    lead: `The ${schedule.frequency} report “${titleOf(about)}” could not be created.`,
    facts: [],
    paragraphs: [reason, 'The next run tries again. The other recipients of this file were not notified.'],
    action: { label: 'Open the schedules', path: '/reports/schedules' },
    reason: `You own the report schedule “${schedule.name}”.`,
  };
}

/** Days for which providers still add charges. */
const growingDays = 2;

/** Returns a note if the bills of a report's last days were incomplete when it was created. Daily reports cover a complete day. */
function growing({ type, endDate, createdAt }: Report, schedule: Schedule | null): string[] {
  const isOfBills = type.startsWith('cost_') || type === 'coverage' || type === 'showback';
  if (!isOfBills || schedule?.frequency === 'daily' || endDate < addDays(dayOf(createdAt), -growingDays)) return [];
  return ['Providers still add charges to the last days; the notes of the report state the last complete day.'];
}
