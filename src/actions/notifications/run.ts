import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, conflict, fix, invalid, operation, unauthorized } from '../../kit/errors.ts';
import { writeAudit, type Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { learnedFrom } from './deliver.ts';
import { parsePreferences, type PreferencesChange } from './preferences.ts';
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
import type { IncomingWebhookSendArguments } from '@slack/webhook';
import type { Config } from '../../kit/config.ts';
import { slackMessage } from './slack.ts';

/** Whether a member has a webhook. */
export interface SlackWebhook {
  readonly slackConfigured: boolean;
}

/** What became of a test message. */
export interface SlackTest {
  readonly delivered: boolean;
  /** Why not; null where it was. */
  readonly reason: string | null;
}

/** What the caller is told in this organization, and where. */
export function readPreferences(deps: Pick<Deps, 'db'>, viewer: Viewer): Promise<Preferences> {
  return findPreferences(deps.db, selfOf(viewer));
}

/** Changes what is named of the caller's preferences in this organization.
 *  @throws {AppError} VALIDATION_ERROR naming the field, or when nothing is named */
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

/** Sets the webhook that the caller's chat messages in this organization are posted to. It is kept encrypted and told
 *  nobody. Nothing is sent to it: see `testSlack`.
 *  @param input `url` null: takes it away
 *  @throws {AppError} VALIDATION_ERROR, which does not repeat it, when it is not a public https address */
export async function setSlackWebhook(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  viewer: Viewer,
  actor: Actor,
  input: { readonly url?: string | null | undefined },
): Promise<SlackWebhook> {
  if (input.url === undefined)
    throw invalid`${arg('url')} is required: the address of the webhook, or null to remove it`;
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

/** Posts a test message to the caller's webhook, at once and once. That the chat server does not take it is no error of
 *  ours: the answer says why.
 *  @throws {AppError} CONFLICT where there is no webhook */
export async function testSlack(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  viewer: Viewer,
): Promise<SlackTest> {
  const self = selfOf(viewer);
  const found = await findWebhook(deps.db, self);
  if (!found)
    throw conflict`No chat webhook is set${fix}set one with ${operation('POST /notifications/slack/webhook')} first`;
  const url = deps.secrets.decrypt(found.webhook, webhookRowId(self));
  const outcome = await postToWebhook(url, testMessage(deps.config, viewer), {
    clock: deps.clock,
    allowsPrivate: mayBePrivate(new URL(url), deps.config),
  });
  await noteWebhook(deps.db, self, found.webhook, learnedFrom(outcome));
  return outcome.kind === 'sent' ? { delivered: true, reason: null } : { delivered: false, reason: outcome.reason };
}

function selfOf({ userId, role, scope }: Viewer) {
  return { organizationId: scope.organizationId, userId, role };
}

/** Changes the caller's row, one change after another.
 *  @throws {AppError} UNAUTHORIZED when they were removed since the request came in */
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

/** What the audit log says of a change: each preference as REST spells it, with what it was and is. */
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

/** The message by which a member sees that their webhook works. */
function testMessage(config: Pick<Config, 'publicUrl'>, { name }: Pick<Viewer, 'name'>): IncomingWebhookSendArguments {
  return slackMessage(config, {
    label: 'Test',
    tone: 'good',
    title: 'Costkeep can post to this channel',
    lead: 'This is a test. Budget alerts, cost anomalies, alert rules and reports will look like this.',
    facts: [
      { label: 'Requested by', value: name },
      { label: 'Messages', value: 'As selected under Notifications' },
    ],
    paragraphs: [],
    action: { label: 'Open Costkeep', path: '/' },
    reason: `${name} requested a test message.`,
  });
}
