import type { Deps } from '../../kit/deps.ts';
import { listWebhooks, replaceWebhook, webhookRowId, type WebhookOwner } from './webhook-store.ts';

/** Webhooks read at a time. */
const batch = 500;

/** Encrypts every webhook that an older key encrypted with the newest one, so that the older one can go. One that its owner
 *  sets meanwhile is left to them: it is encrypted with the newest key by that.
 *  @returns how many were encrypted anew
 *  @throws {Error} when a webhook's key is not among the configured ones */
export async function rotateWebhooks({ db, secrets }: Pick<Deps, 'db' | 'secrets'>): Promise<number> {
  let rotated = 0;
  let after: WebhookOwner | null = null;
  for (;;) {
    const rows = await listWebhooks(db, after, batch);
    for (const row of rows) {
      if (secrets.isCurrent(row.webhook)) continue;
      const id = webhookRowId(row);
      const kept = secrets.encrypt(secrets.decrypt(row.webhook, id), id);
      rotated += Number(await replaceWebhook(db, row, { read: row.webhook, kept }));
    }
    after = rows.at(-1) ?? null;
    if (after === null) return rotated;
  }
}
