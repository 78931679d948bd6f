import type { Deps } from '../../kit/deps.ts';
import { restName } from '../../kit/errors/errors.ts';
import { storedMessage } from '../../kit/errors/stored-error.ts';
import { announce } from '../notifications/announce.ts';
import type { Announcement } from '../notifications/announcement.ts';
import { loadReport, type Report } from '../reports/store.ts';
import { loadSchedule, markRun } from './store.ts';
import { addDays, dayOf, type Day } from '../../kit/time/period.ts';
import { formatPeriod } from '../../kit/text/format.ts';
import { reportTitles } from '../reports/kinds.ts';
import type { Schedule } from './schedule.ts';

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

const often = { daily: 'daily', weekly: 'weekly', monthly: 'monthly' } as const;

/** Builds the announcement of a scheduled report, with its key figures and file. */
function readyOf(schedule: Schedule, report: Report): Announcement {
  const period = formatPeriod(report.startDate, report.endDate);
  const title = reportTitles[report.type];
  return {
    title: `${schedule.name}: ${title}, ${period}`,
    lead: `The ${often[schedule.frequency]} report “${title}” for ${period} is ready.`,
    ...readyContentOf(report),
    reason: `You own the report schedule “${schedule.name}” or are one of its recipients.`,
  };
}

/** Builds the announcement of a requested report to the user who created it. */
function requestedReadyOf(report: Report): Announcement {
  const period = formatPeriod(report.startDate, report.endDate);
  const title = reportTitles[report.type];
  return {
    title: `${title}, ${period}`,
    lead: `The report “${title}” for ${period} is ready.`,
    ...readyContentOf(report),
    reason: 'You created this report.',
  };
}

/** Builds the announcement of a failed report to the user who created it. */
function requestedFailureOf(report: Report, reason: string): Announcement {
  const title = reportTitles[report.type];
  return {
    kind: 'report',
    subjectKey: `report:${report.id}`,
    tone: 'warning',
    title: `${title}: the report failed`,
    lead: `The report “${title}” for ${formatPeriod(report.startDate, report.endDate)} could not be created.`,
    facts: [],
    paragraphs: [reason],
    action: { label: 'Open the report', path: `/reports/${report.id}` },
    reason: 'You created this report.',
  };
}

/** Builds the common parts of ready announcements: key figures, the file and its download page. */
function readyContentOf(report: Report): Omit<Announcement, 'title' | 'lead' | 'reason'> {
  return {
    kind: 'report',
    subjectKey: `report:${report.id}`,
    tone: 'info',
    facts: (report.keyFigures ?? []).map(({ label, value }) => ({ label, value })),
    paragraphs: [
      ...growing(report),
      `Download it in Costkeep until ${formatPeriod(...untilOf(report))}. Days are UTC days.`,
    ],
    action: { label: 'Open the report', path: `/reports/${report.id}` },
    attachment: { reportId: report.id },
  };
}

/** Builds the announcement of a failed scheduled report to its owner.
 *  @param subjectKey identifies the run */
export function failureOf(schedule: Schedule, subjectKey: string, reason: string): Announcement {
  return {
    kind: 'report',
    subjectKey,
    tone: 'warning',
    title: `${schedule.name}: the report failed`,
    lead: `The ${often[schedule.frequency]} report “${reportTitles[schedule.type]}” could not be created.`,
    facts: [],
    paragraphs: [reason, 'The next run tries again. The other recipients were not notified.'],
    action: { label: 'Open the schedules', path: '/reports/schedules' },
    reason: `You own the report schedule “${schedule.name}”.`,
  };
}

/** Days for which providers still add charges. */
const growingDays = 2;

/** A daily report is created before the bills of its day are complete; the email says so, too. */
function growing({ type, endDate, createdAt }: Report): string[] {
  const isOfBills = type.startsWith('cost_') || type === 'coverage';
  if (!isOfBills || endDate < addDays(dayOf(createdAt), -growingDays)) return [];
  return [
    'Providers still add charges to the last days; the notes of the report say up to which day bills are complete.',
  ];
}

function untilOf({ expiresAt }: Report): [Day, Day] {
  const day = dayOf(expiresAt);
  return [day, day];
}
