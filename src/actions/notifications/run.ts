import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, conflict, fix, invalid, operation, unauthorized } from '../../kit/errors/errors.ts';
import { writeAudit, type Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { learnedFrom } from './deliver.ts';
import { parsePreferences, type PreferencesChange } from './input.ts';
import {
  findPreferences,
  lockPreferences,
  updatePreferencesRow,
  updateWebhook,
  findWebhook,
  noteWebhook,
  webhookRowId,
  listWebhooks,
  replaceWebhook,
  type Preferences,
  type WebhookOwner,
} from './preferences-store.ts';
import { postToWebhook } from './webhook/post.ts';
import { mayBePrivate, parseWebhookUrl } from './webhook/address.ts';
import { slackMessage } from './slack.ts';
import { testContent } from './test-message.ts';

/** Returns the caller's notification preferences in this organization. */
export function readPreferences(deps: Pick<Deps, 'db'>, viewer: Viewer): Promise<Preferences> {
  return findPreferences(deps.db, selfOf(viewer));
}

/** Updates the given preferences of the caller in this organization.
 *  @throws {AppError} VALIDATION_ERROR naming the field, or when nothing is given */
export async function updatePreferences(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  actor: Actor,
  input: PreferencesChange,
): Promise<Preferences> {
  const change = parsePreferences(input);
  const self = selfOf(viewer);
  return changing(deps, viewer, async (db, now) => {
    const before = await findPreferences(db, self);
    await updatePreferencesRow(db, self, change, now);
    const after = await findPreferences(db, self);
    const details = differences(before, after);
    if (Object.keys(details).length > 0)
      await writeAudit(db, actor, {
        action: 'notification_preferences_changed',
        resourceType: 'notification_preferences',
        resourceId: viewer.userId,
        details,
      });
    return after;
  });
}

/** Sets the webhook for the caller's chat messages in this organization. It is stored encrypted and never returned. Nothing
 *  is sent to it: see `testSlack`.
 *  @param input `url` null: removes it
 *  @throws {AppError} VALIDATION_ERROR when it is not a public https URL; the message does not repeat the URL */
export async function setSlackWebhook(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  viewer: Viewer,
  actor: Actor,
  input: { readonly url?: string | null | undefined },
): Promise<{ slackConfigured: boolean }> {
  if (input.url === undefined) throw invalid`${arg('url')} is required: the URL of the webhook, or null to remove it`;
  const url = input.url === null ? null : await parseWebhookUrl(input.url, deps.config);
  const self = selfOf(viewer);
  const webhook = url === null ? null : deps.secrets.encrypt(url, webhookRowId(self));
  return changing(deps, viewer, async (db, now) => {
    const before = await findPreferences(db, self);
    await updateWebhook(db, self, webhook, now);
    if (url !== null || before.slackConfigured)
      await writeAudit(db, actor, {
        action: 'notification_preferences_changed',
        resourceType: 'notification_preferences',
        resourceId: viewer.userId,
        details: { slack_webhook: url === null ? 'removed' : before.slackConfigured ? 'replaced' : 'set' },
      });
    return { slackConfigured: url !== null };
  });
}

/** Posts a test message to the caller's webhook, immediately and without retries. A rejection by the chat server is not an
 *  error: the result contains the reason.
 *  @throws {AppError} CONFLICT without a webhook */
export async function testSlack(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  viewer: Viewer,
): Promise<{ delivered: boolean; reason: string | null }> {
  const self = selfOf(viewer);
  const found = await findWebhook(deps.db, self);
  if (!found)
    throw conflict`No chat webhook is set${fix}set one with ${operation('POST /notifications/slack/webhook')} first`;
  const url = deps.secrets.decrypt(found.webhook, webhookRowId(self));
  const message = slackMessage(deps.config, testContent(viewer, 'As selected under Notifications'));
  const outcome = await postToWebhook(url, message, {
    clock: deps.clock,
    allowsPrivate: mayBePrivate(new URL(url), deps.config),
  });
  await noteWebhook(deps.db, self, found.webhook, learnedFrom(outcome));
  return outcome.kind === 'sent' ? { delivered: true, reason: null } : { delivered: false, reason: outcome.reason };
}

function selfOf({ userId, role, scope }: Viewer) {
  return { organizationId: scope.organizationId, userId, role };
}

/** Updates the caller's row; concurrent changes are serialized.
 *  @throws {AppError} UNAUTHORIZED if they were removed after the request came in */
function changing<Result>(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  change: (db: Db, now: Date) => Promise<Result>,
): Promise<Result> {
  const now = clock.now();
  return db.$transaction(async (transaction) => {
    if (!(await lockPreferences(transaction, selfOf(viewer), now)))
      throw unauthorized`You are no longer a member of this organization`;
    return change(transaction, now);
  });
}

/** Returns the audit entry of a change: each preference in REST spelling, with its old and new value. */
function differences(before: Preferences, after: Preferences) {
  const flat = ({ email, slack, additionalEmails }: Preferences) =>
    new Map<string, boolean | string[]>([
      ...Object.entries(email).map(([key, value]) => [`email.${key}`, value] as const),
      ...Object.entries(slack).map(([key, value]) => [`slack.${key}`, value] as const),
      ['additional_emails', [...additionalEmails]],
    ]);
  const was = flat(before);
  const changed = [...flat(after)].filter(([key, value]) => JSON.stringify(was.get(key)) !== JSON.stringify(value));
  return Object.fromEntries(changed.map(([key, value]) => [key, { from: was.get(key) ?? null, to: value }]));
}

/** Webhooks read per batch. */
const batch = 500;

/** Re-encrypts every webhook under an older key with the newest one, so that the older one can be retired. Webhooks changed
 *  in the meantime are skipped: they already use the newest key.
 *  @returns the number of webhooks re-encrypted
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
