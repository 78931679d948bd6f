import { defineTask } from '../../jobs/task.ts';
import { deleteEntriesBefore } from './store.ts';

/** How long entries are kept, in days: the specification's, section "Limits". */
const retentionDays = 90;
const msPerDay = 86_400_000;

/** Deletes what is older than the audit log is kept, of every organization. */
export const auditRetentionTask = defineTask('audit_retention', async (deps, _input, job) => {
  const deleted = await deleteEntriesBefore(deps.db, new Date(job.runAt.getTime() - retentionDays * msPerDay));
  deps.log.info({ deleted }, 'Audit entries older than 90 days were deleted');
});
