import { defineTask } from '../../jobs/task.ts';
import { generateReport } from './generate.ts';
import { deleteExpired } from './store.ts';

/** Writes a report's file. */
export const generateReportTask = defineTask(
  'generate_report',
  async (deps, input, { attempt, maxAttempts, signal }) => {
    await generateReport(deps, input, { isLast: attempt >= maxAttempts, signal });
  },
);

/** Deletes expired reports and their files, in all organizations. */
export const reportRetentionTask = defineTask('report_retention', async (deps, _input, job) => {
  const deleted = await deleteExpired(deps.db, job.runAt);
  deps.log.info({ deleted }, 'Expired reports were deleted');
});
