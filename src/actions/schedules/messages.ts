import { addDays, dayOf, type Day } from '../../kit/period.ts';
import type { Announcement } from '../notifications/announcement.ts';
import { formatPeriod } from '../../kit/format.ts';
import { reportTitles } from '../reports/kinds.ts';
import type { Report } from '../reports/store.ts';
import type { Schedule } from './schedule.ts';

const often = { daily: 'daily', weekly: 'weekly', monthly: 'monthly' } as const;

/** What tells that a scheduled report is there, with its key figures. */
export function readyOf(schedule: Schedule, report: Report): Announcement {
  const period = formatPeriod(report.startDate, report.endDate);
  const title = reportTitles[report.type];
  return {
    kind: 'report',
    subjectKey: `report:${report.id}`,
    tone: 'info',
    title: `${schedule.name}: ${title}, ${period}`,
    lead: `The ${often[schedule.frequency]} report “${title}” of ${period} is ready.`,
    facts: [
      ...(report.keyFigures ?? []).map(({ label, value }) => ({ label, value })),
      { label: 'File', value: fileText(report) },
    ],
    paragraphs: [
      ...growing(report),
      `It can be downloaded until ${formatPeriod(...untilOf(report))}; days are days in UTC.`,
    ],
    action: { label: 'Open the report', path: `/reports/${report.id}` },
    reason: `The report schedule “${schedule.name}” names this address, or is yours.`,
  };
}

/** What tells the owner that a scheduled report is not there.
 *  @param subjectKey names the run */
export function failureOf(schedule: Schedule, subjectKey: string, reason: string): Announcement {
  return {
    kind: 'report',
    subjectKey,
    tone: 'warning',
    title: `${schedule.name}: the report could not be made`,
    lead: `The ${often[schedule.frequency]} report “${reportTitles[schedule.type]}” could not be made.`,
    facts: [],
    paragraphs: [reason, 'The schedule goes on: the next run tries again. Its other recipients were not told.'],
    action: { label: 'Open the schedules', path: '/reports/schedules' },
    reason: `The report schedule “${schedule.name}” is yours.`,
  };
}

/** Days for which providers still add charges. */
const growingDays = 2;

/** A daily report comes before the bills of its day are complete: who reads the mail alone is told so, too. */
function growing({ type, endDate, createdAt }: Report): string[] {
  const isOfBills = type.startsWith('cost_') || type === 'coverage';
  if (!isOfBills || endDate < addDays(dayOf(createdAt), -growingDays)) return [];
  return ['Providers still add charges to the last days; the notes of the report say through when bills are complete.'];
}

function untilOf({ expiresAt }: Report): [Day, Day] {
  const day = dayOf(expiresAt);
  return [day, day];
}

const units = ['B', 'KB', 'MB', 'GB'] as const;

/** `PDF, 48.2 KB`. */
function fileText({ format, sizeBytes }: Report): string {
  if (sizeBytes === null) return format.toUpperCase();
  let [size, unit] = [sizeBytes, 0];
  for (; size >= 1000 && unit < units.length - 1; unit += 1) size /= 1000;
  return `${format.toUpperCase()}, ${size.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${units[unit]}`;
}
