import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';

/** What the audit log records. One word per act, whatever surface it came through. */
export type AuditAction =
  | 'user_registered'
  | 'login'
  | 'logout'
  | 'failed_login'
  | 'session_revoked'
  | 'settings_changed'
  | 'exchange_rates_changed'
  | 'account_connected'
  | 'account_updated'
  | 'account_disconnected'
  | 'credentials_updated'
  | 'sync_requested'
  | 'sync_cancelled'
  | 'data_exported';

/** Who acts, from where. */
export interface Actor {
  organizationId: string;
  /** Null where nobody was signed in, or where the server acts by itself. */
  userId: string | null;
  email: string | null;
  ipAddress: string;
  userAgent: string;
}

/** What was done, to what. */
export interface AuditRecord {
  action: AuditAction;
  /** The kind of thing acted upon, such as `account` or `organization`. */
  resourceType: string;
  resourceId?: string | null;
  /** The cloud account it concerns, for members who may see some accounts only. */
  accountId?: string | null;
  /** What changed; never a secret. Default: nothing more to say. */
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
      action: entry.action,
      resourceType: entry.resourceType,
      resourceId: entry.resourceId ?? null,
      accountId: entry.accountId ?? null,
      details: entry.details ?? {},
    },
    select: { id: true },
  });
}
