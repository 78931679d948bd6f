import { z } from 'zod';
import { defineTask } from '../../jobs/task.ts';
import { runDueSchedules } from './run.ts';
import { notifyOfReport } from './notify.ts';

/** Runs the report schedules that are due. */
export const runSchedulesTask = defineTask({
  name: 'run_schedules',
  input: z.object({}).loose(),
  run: (deps, _input, job) => runDueSchedules(deps, job.runAt),
});

/** Delivers a report that is ready, or announces its failure. */
export const notifyOfReportTask = defineTask({
  name: 'tell_report',
  input: z.object({ organizationId: z.string(), reportId: z.string(), mailTo: z.string().optional() }),
  run: (deps, input) => notifyOfReport(deps, input),
});
