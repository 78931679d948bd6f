import type { Db } from '../../kit/db.ts';
import { type AuditRecord, writeAudit } from '../audit/store.ts';
import { listOrganizationIds } from '../login/store.ts';

/** Origin of the command line. */
export const commandLine = { ipAddress: '127.0.0.1', userAgent: 'npm run admin' } as const;

/** Marks entries of the command line, whose actor is not a user. Clients cannot write details, unlike their user agent. */
export const byCommandLine = { by: 'command_line' } as const;

/** A command that reads or changes the data of all organizations. */
type ServerCommand = 'backup' | 'forget-key' | 'list-users' | 'restore' | 'retention' | 'verify';

/** Audits a command in all organizations. Call it before it reads, and after it has changed, their data. */
export async function auditCommand(db: Db, command: ServerCommand): Promise<void> {
  for (const { id } of await db.organization.findMany({ select: { id: true } })) {
    const actor = { ...commandLine, organizationId: id, userId: null, email: null };
    const details = { command, ...byCommandLine };
    await writeAudit(db, actor, { action: 'command_run', resourceType: 'organization', resourceId: id, details });
  }
}

/** Audits an action of the operator on a user, in each of the user's organizations. Call it inside the action's transaction. */
export async function auditOperator(
  db: Db,
  userId: string,
  { action, details = {} }: Pick<AuditRecord, 'action' | 'details'>,
): Promise<void> {
  for (const organizationId of await listOrganizationIds(db, userId)) {
    const actor = { ...commandLine, organizationId, userId: null, email: null };
    const entry = {
      action,
      resourceType: 'user',
      resourceId: userId,
      details: { ...details, ...byCommandLine },
    } as const;
    await writeAudit(db, actor, entry);
  }
}
