import type { Db } from '../../kit/db.ts';
import { writeAudit, type Actor, type AuditRecord } from '../audit/store.ts';
import { listOrganizationIds } from './store.ts';

/** A user who acts on their own login. */
export type UserActor = Actor & { readonly userId: string };

/** Records what a user did to their own login in every organization that it opens: it concerns each of them. Call it inside
 *  the transaction of the act.
 *  @param actor the user; in which organization they are now does not matter */
export async function auditEverywhere(
  db: Db,
  actor: Omit<UserActor, 'organizationId'>,
  entry: AuditRecord,
): Promise<void> {
  for (const organizationId of await listOrganizationIds(db, actor.userId)) {
    await writeAudit(db, { ...actor, organizationId }, entry);
  }
}
