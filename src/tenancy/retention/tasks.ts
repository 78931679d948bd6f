import { defineTask } from '../../jobs/task.ts';
import { deleteEnded, deleteUsedTokens } from './store.ts';

const msPerDay = 86_400_000;

/** Retention of ended records, in days. Sessions and invitations are kept as long as the audit log, which references
 *  them, and because sessions tell which organization a user used last. Login failures are otherwise reset only by a
 *  success; an address without attempts for a month starts over, so that the table does not grow with every invented
 *  address. */
const keptDays = { sessions: 90, challenges: 1, passwordResets: 1, invites: 90, loginLocks: 30 } as const;

/** Deletes ended records of all organizations. */
export const identityRetentionTask = defineTask('identity_retention', async (deps, _input, job) => {
  const ago = (days: number) => new Date(job.runAt.getTime() - days * msPerDay);
  const usedTokens = await deleteUsedTokens(deps.db, job.runAt);
  const deleted = await deleteEnded(deps.db, {
    sessions: ago(keptDays.sessions),
    challenges: ago(keptDays.challenges),
    passwordResets: ago(keptDays.passwordResets),
    invites: ago(keptDays.invites),
    loginLocks: ago(keptDays.loginLocks),
  });
  deps.log.info({ ...deleted, usedTokens }, 'What ended long ago was deleted');
});
