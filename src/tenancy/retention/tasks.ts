import { defineTask } from '../../jobs/task.ts';
import { deleteEnded, deleteUsedTokens } from './store.ts';

const msPerDay = 86_400_000;

/** How long what has ended is kept, in days. Sessions and invitations as long as the audit log, which names them, and
 *  because a session tells which organization its user left last. Failures of logins only a success takes back; an address
 *  that nobody has tried for a month starts anew, or the table would grow with every address that somebody invents. */
const keptDays = { sessions: 90, challenges: 1, passwordResets: 1, invites: 90, loginLocks: 30 } as const;

/** Deletes what has ended, of every organization. */
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
