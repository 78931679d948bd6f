import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import * as shapes from '../../../schema/rest.ts';
import { apiPath } from '../api/client.ts';
import { periodInput } from '../input.ts';
import { hint } from '../output.ts';
import { completeDaysOf } from './costs/question.ts';
import { defineTool } from './tool.ts';
import { ApiFailure } from '../api/failure.ts';

const input = z.strictObject({
  type: shapes.ReportType,
  format: shapes.ReportFormat.describe('csv: main table only'),
  ...periodInput,
  period: periodInput.period.describe(
    'Or start_date and end_date. Default 30 days; showback last month. Not for budgets, inventory, recommendations',
  ),
  email: z.boolean().optional().describe('Also email the file to the user. Default: true'),
  // The API validates the filter names and types; some clients cannot read union types.
  filters: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'As in the tool of the same subject: {"service": ["Amazon S3"]}. cost_by_tag requires tag_key, showback virtual:KEY as tag_key',
    ),
});

const reportShape = shapes.Report.omit({ filters: true, created_by: true, created_at: true }).extend({
  status: shapes.ReportStatus,
});

type Report = z.output<typeof reportShape>;

export const generateReport = defineTool({
  name: 'generate_report',
  title: 'Generate a report',
  description:
    'Creates a file (CSV, Excel, PDF or JSON) of costs, inventory, savings, anomalies, budgets, coverage or invoices ' +
    'for people, and returns its download URL. To answer a question yourself use the get_ and list_ tools; at ' +
    'most 5 per minute.',
  effect: 'create',
  input,
  output: z.object({
    ...reportShape.shape,
    download_command: z.string().describe('Requires the user’s own token'),
    hint,
  }),
  run: async (caller, { type, format, filters, email, ...period }) => {
    const { api } = caller;
    const isDated = Object.values(period).some((each) => each !== undefined);
    const body = {
      type,
      format,
      ...(isDated ? await completeDaysOf(period, caller) : {}),
      ...(filters ? { filters } : {}),
      ...(email === undefined ? {} : { email }),
    };
    const created = await api.send('POST', '/reports', body, reportShape);
    const report = await awaitReport(created, () => api.get(apiPath`/reports/${created.id}`, {}, reportShape));
    return {
      ...report,
      download_command: downloadCommand(report),
      ...hintFor(report, isDated),
    };
  },
});

/** Types of reports that show the current state, although the API records a period for them. */
const undated = /^(budgets|inventory|recommendations)$/;

/** The user fills in the token: it never appears in a response. */
function downloadCommand({ type, format, start_date, end_date, download_url }: Report): string {
  const file = `${type}_${start_date}_${end_date}.${format}`;
  return `curl -f -H "Authorization: Bearer $SVC_API_TOKEN" -o ${file} '${download_url}'`;
}

function hintFor({ type, status }: Report, isDated: boolean): { hint?: string } {
  if (status === 'pending')
    return {
      hint: 'The file is still being created: download_url returns 409 until it is ready. Do not create it again',
    };
  if (status === 'failed')
    return { hint: 'The report failed: see failure_reason, and create another with different arguments' };
  if (isDated && undated.test(type))
    return { hint: `The report shows the current state: reports of type ${type} have no period` };
  return {};
}

/** Polling delays in milliseconds: most reports are ready within a second. About 20 seconds in total. */
const waitsMs = [250, 500, 750, 1000, 1500, 2000, 3000, 3500, 3500, 4000];

/** Status of a report's file. */
interface Awaited {
  readonly status: 'pending' | 'ready' | 'failed';
}

/** Waits until a report is ready or has failed, at most about 20 seconds; then returns it as pending. A failed poll
 *  only ends the waiting: the report exists, and an error would cause the model to create it again.
 *  @param created the response to the creation
 *  @param ask polls it
 *  @param wait overridden only by tests */
export async function awaitReport<Created extends Awaited>(
  created: Created,
  ask: () => Promise<Created>,
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<Created> {
  let report = created;
  for (const ms of waitsMs) {
    if (report.status !== 'pending') break;
    await wait(ms);
    const answer = await answered(ask);
    if (answer === null) break;
    report = answer;
  }
  return report;
}

async function answered<Created>(ask: () => Promise<Created>): Promise<Created | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ApiFailure) return null;
    throw error;
  }
}
