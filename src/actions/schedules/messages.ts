import { addDays, dayOf, type Day } from '../../kit/period.ts';
import type { Announcement } from '../notifications/announcement.ts';
import { formatPeriod } from '../../kit/format.ts';
import { reportTitles } from '../reports/kinds.ts';
import type { Report } from '../reports/store.ts';
import type { Schedule } from './schedule.ts';

const often = { daily: 'daily', weekly: 'weekly', monthly: 'monthly' } as const;

/** The announcement of a scheduled report, with its key figures and file. */
export function readyOf(schedule: Schedule, report: Report): Announcement {
  const period = formatPeriod(report.startDate, report.endDate);
  const title = reportTitles[report.type];
  return {
    title: `${schedule.name}: ${title}, ${period}`,
    lead: `The ${often[schedule.frequency]} report “${title}” for ${period} is ready.`,
    ...readyContentOf(report),
    reason: `You own the report schedule “${schedule.name}” or are one of its recipients.`,
  };
}

/** The announcement of a requested report to the user who created it. */
export function requestedReadyOf(report: Report): Announcement {
  const period = formatPeriod(report.startDate, report.endDate);
  const title = reportTitles[report.type];
  return {
    title: `${title}, ${period}`,
    lead: `The report “${title}” for ${period} is ready.`,
    ...readyContentOf(report),
    reason: 'You created this report.',
  };
}

/** The announcement of a failed report to the user who created it. */
export function requestedFailureOf(report: Report, reason: string): Announcement {
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

/** What the announcements of a ready report have in common: key figures, the file and its download page. */
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

/** The announcement of a failed scheduled report to its owner.
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
