import { defineTask } from '../../jobs/task.ts';
import { deleteEntriesBefore } from './store.ts';

/** Retention in days, from the specification, section "Limits". */
const retentionDays = 90;
const msPerDay = 86_400_000;

/** Deletes all organizations' entries older than the retention period. */
export const auditRetentionTask = defineTask('audit_retention', async (deps, _input, job) => {
  const deleted = await deleteEntriesBefore(deps.db, new Date(job.runAt.getTime() - retentionDays * msPerDay));
  deps.log.info({ deleted }, 'Audit entries older than 90 days were deleted');
});
