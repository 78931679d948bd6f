import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { AuditAction } from './actions.ts';

/** Who acts, from where. */
export interface Actor {
  organizationId: string;
  /** Null where nobody was signed in, or where the server acts by itself. */
  userId: string | null;
  email: string | null;
  ipAddress: string;
  userAgent: string;
  /** Tells when the act happens; absent: the database does. */
  clock?: Clock;
}

/** What was done, to what. */
export interface AuditRecord {
  action: AuditAction;
  /** The kind of thing acted upon, such as `account` or `organization`. */
  resourceType: string;
  resourceId?: string | null;
  /** The cloud account it concerns, for members who may see some accounts only. */
  accountId?: string | null;
  /** What changed; never a secret. Ids of cloud accounts stand below a key with `account` in its name, so that a reader
   *  who may not see the account is not shown them: see details.ts. Default: nothing more to say. */
  details?: Prisma.InputJsonObject;
}

/** A client writes its own user agent; more than this says nothing more. */
const userAgentCharacters = 512;

/** Writes one entry. Call it inside the transaction of the act, so that neither exists without the other. */
export async function writeAudit(db: Db, actor: Actor, entry: AuditRecord): Promise<void> {
  await db.auditEntry.create({
    data: {
      organizationId: actor.organizationId,
      actorId: actor.userId,
      actorEmail: actor.email,
      ipAddress: actor.ipAddress,
      userAgent: actor.userAgent.slice(0, userAgentCharacters),
      ...(actor.clock && { timestamp: actor.clock.now() }),
      action: entry.action,
      resourceType: entry.resourceType,
      resourceId: entry.resourceId ?? null,
      accountId: entry.accountId ?? null,
      details: entry.details ?? {},
    },
    select: { id: true },
  });
}
