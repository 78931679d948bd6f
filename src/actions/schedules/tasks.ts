import { defineTask } from '../../jobs/task.ts';
import { runDueSchedules } from './run.ts';
import { notifyOfReport } from './notify.ts';

/** Runs the report schedules that are due. */
export const runSchedulesTask = defineTask('run_schedules', (deps, _input, job) => runDueSchedules(deps, job.runAt));

/** Delivers a report that is ready, or announces its failure. */
export const notifyOfReportTask = defineTask('tell_report', (deps, input) => notifyOfReport(deps, input));
