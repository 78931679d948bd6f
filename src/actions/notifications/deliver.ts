import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../kit/deps.ts';
import { MailRefusedError } from '../../kit/mail/mail.ts';
import { fileToDeliver, type DeliveredFile } from '../reports/download.ts';
import { beginAttempt, endAttempt, findDue, accessOf, queueDelivery, type DueDelivery, type Ending } from './store.ts';
import { labelOf, letterOf } from './letter.ts';
import { postToWebhook, type Outcome } from './webhook/post.ts';
import { holds } from './announcement.ts';
import { slackMessage, type SlackContent } from './slack.ts';
import { mayBePrivate } from './webhook/address.ts';
import { findWebhook, noteWebhook, webhookRowId } from './preferences-store.ts';
import { postToChannel, stateAfter } from './channels/post.ts';
import { findChannelToPost, noteChannel } from './channels/store.ts';

type DeliverDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'log' | 'mailer' | 'queue' | 'secrets'>;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Backoff after each failed attempt, in ms. After two days an announcement is no longer news. */
export const backoffMs: readonly number[] = [
  10 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
  2 * hour,
  4 * hour,
  8 * hour,
  16 * hour,
  16 * hour,
];

/** Attempts a delivery and queues a retry after a transient failure. Does nothing if the delivery was sent, has failed
 *  permanently, or belongs to another job, since jobs can run twice.
 *
 *  Each attempt is recorded before it starts and after it ends. If the process dies in between, the delivery is attempted
 *  again; emails keep their Message-ID, so that receivers can deduplicate them.
 *  @param input `runAt`: when the job was due. A repeated earlier job does not count as the next attempt */
export async function deliver(
  deps: DeliverDeps,
  input: { readonly organizationId: string; readonly deliveryId: string; readonly runAt: Date },
): Promise<void> {
  const delivery = await findDue(deps.db, input);
  if (!delivery) return;
  const obstacle = await obstacleTo(deps, delivery);
  if (obstacle) return finish(deps, delivery, { status: 'failed', lastError: obstacle });
  return delivery.channel === 'email' ? deliverMail(deps, delivery) : deliverToWebhook(deps, delivery);
}

async function deliverMail(deps: DeliverDeps, delivery: DueDelivery): Promise<void> {
  if (!(await beginAttempt(deps.db, delivery))) return;
  await settle(deps, delivery, await sendMail(deps, delivery));
}

/** Posts a delivery to a webhook, unless its server has requested a pause. */
async function deliverToWebhook(deps: DeliverDeps, delivery: DueDelivery): Promise<void> {
  const found = await destinationOf(deps, delivery);
  if (typeof found === 'string') return finish(deps, delivery, { status: 'failed', lastError: found });
  const { pausedUntil } = found;
  if (pausedUntil !== null && pausedUntil > deps.clock.now())
    return finish(deps, delivery, { status: 'pending', lastError: null, nextAttemptAt: pausedUntil });
  if (!(await beginAttempt(deps.db, delivery))) return;
  const outcome = await found.post(
    { ...delivery.announcement, label: labelOf(delivery) },
    await fileOf(deps, delivery, { canAttach: false }),
  );
  await insist(deps, () => found.note(outcome));
  await settle(deps, delivery, outcome);
}

/** A webhook of a member, or a channel of the organization. */
interface Destination {
  /** Not before this time, as requested by its server. */
  readonly pausedUntil: Date | null;
  post(content: SlackContent, file: DeliveredFile | null): Promise<Outcome>;
  /** Updates the state of the webhook or channel after an attempt. */
  note(outcome: Outcome): Promise<void>;
}

/** Returns the destination of a delivery, or why there is none. */
function destinationOf(deps: DeliverDeps, delivery: DueDelivery): Promise<Destination | string> {
  return delivery.channelId === null
    ? webhookOf(deps, delivery)
    : channelOf(deps, { ...delivery, channelId: delivery.channelId });
}

async function webhookOf(deps: DeliverDeps, delivery: DueDelivery): Promise<Destination | string> {
  const owner = { organizationId: delivery.organizationId, userId: delivery.recipient };
  const found = await findWebhook(deps.db, owner);
  if (!found) return 'The webhook was removed';
  const { webhook, pausedUntil } = found;
  return {
    pausedUntil,
    post(content, file) {
      const url = deps.secrets.decrypt(webhook, webhookRowId(owner));
      const options = { clock: deps.clock, allowsPrivate: mayBePrivate(new URL(url), deps.config) };
      return postToWebhook(url, slackMessage(deps.config, content, file), options);
    },
    note: (outcome) => noteWebhook(deps.db, owner, webhook, learnedFrom(outcome)),
  };
}

async function channelOf(
  deps: DeliverDeps,
  delivery: DueDelivery & { readonly channelId: string },
): Promise<Destination | string> {
  const { id, organizationId, channelId, createdAt } = delivery;
  const channel = await findChannelToPost(deps.db, { organizationId, id: channelId });
  if (!channel) return 'The channel was deleted';
  if (!channel.enabled) return 'The channel is disabled';
  const type = delivery.announcement.kind;
  return {
    pausedUntil: channel.pausedUntil,
    post: (content, file) => postToChannel(deps, channel, { id, type, createdAt, organizationId, content, file }),
    note: (outcome) => noteChannel(deps.db, channel, stateAfter(outcome, deps.clock.now())),
  };
}

const onlySaved = 'Not sent: email is not configured. The server saved it in its data folder';

async function sendMail(deps: DeliverDeps, delivery: DueDelivery): Promise<Outcome> {
  try {
    const letter = letterOf(deps.config, delivery, await fileOf(deps, delivery, { canAttach: true }));
    await deps.mailer.send(letter, `delivery ${delivery.id}`);
    return deps.mailer.onlySaves ? { kind: 'refused', reason: onlySaved } : { kind: 'sent' };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = error.message.slice(0, 500);
    return error instanceof MailRefusedError ? { kind: 'refused', reason } : { kind: 'later', reason, notBefore: null };
  }
}

/** Returns the file of a delivery; null without one, or if its report is gone. */
async function fileOf(
  deps: DeliverDeps,
  { organizationId, announcement: { attachment } }: DueDelivery,
  channel: { readonly canAttach: boolean },
): Promise<DeliveredFile | null> {
  return attachment ? fileToDeliver(deps, { organizationId, reportId: attachment.reportId }, channel) : null;
}

/** Returns the state of a webhook after an attempt. A temporarily unavailable server is not a problem of the webhook. */
export function learnedFrom(outcome: Outcome): { problem: string | null; pausedUntil: Date | null } {
  if (outcome.kind === 'sent') return { problem: null, pausedUntil: null };
  const problem = outcome.isWebhookGone ? outcome.reason : null;
  return { problem, pausedUntil: outcome.kind === 'later' ? outcome.notBefore : null };
}

/** Returns why a delivery must no longer be sent: a member may have been removed or restricted after it was queued. */
async function obstacleTo({ db }: Pick<Deps, 'db'>, delivery: DueDelivery): Promise<string | null> {
  const { organizationId, userIds, accountIds } = delivery;
  if (userIds.length === 0) return null;
  const access = await accessOf(db, organizationId, userIds);
  for (const userId of userIds) {
    const own = access.get(userId);
    if (own === undefined) return 'The recipient is no longer a member';
    if (!holds(own, accountIds)) return 'The recipient no longer has access to all of its accounts';
  }
  return null;
}

async function settle(deps: DeliverDeps, delivery: DueDelivery, outcome: Outcome): Promise<void> {
  const now = deps.clock.now();
  if (outcome.kind === 'sent') return finish(deps, delivery, { status: 'sent', sentAt: now });
  const wait = backoffMs[delivery.attempts];
  if (outcome.kind === 'refused' || wait === undefined)
    return finish(deps, delivery, { status: 'failed', lastError: outcome.reason });
  const own = now.getTime() + wait;
  const nextAttemptAt = new Date(Math.max(own, outcome.notBefore?.getTime() ?? own));
  return finish(deps, delivery, { status: 'pending', lastError: outcome.reason, nextAttemptAt });
}

/** Records and logs the end of an attempt. The only place where attempts are logged. */
async function finish(deps: DeliverDeps, delivery: DueDelivery, ending: Ending): Promise<void> {
  await insist(deps, () =>
    deps.db.$transaction(async (db) => {
      await endAttempt(db, delivery, ending);
      if (ending.status === 'pending') await queueDelivery(db, deps, delivery, ending.nextAttemptAt);
    }),
  );
  const { id, channel, announcement, attempts } = delivery;
  const about = { delivery: id, channel, subject: announcement.subjectKey, attempt: attempts + 1 };
  if (ending.status === 'sent') deps.log.info(about, 'A notification was sent');
  else if (ending.status === 'failed')
    deps.log[ending.lastError === onlySaved ? 'info' : 'error'](
      { ...about, reason: ending.lastError },
      'A notification will not be sent',
    );
  else
    deps.log.warn(
      {
        ...about,
        reason: ending.lastError ?? 'The server requested a pause',
        next: ending.nextAttemptAt,
      },
      'A notification was not sent yet',
    );
}

/** Attempts to record a result, one second apart. */
const tries = 30;

/** Retries a write: a database outage right after a message was sent must not cause a duplicate. */
async function insist({ log }: Pick<Deps, 'log'>, write: () => Promise<void>): Promise<void> {
  for (let left = tries; ; left -= 1) {
    try {
      return await write();
    } catch (err) {
      if (left <= 1) throw err;
      log.warn({ err }, 'The result of a delivery attempt could not be stored; retrying');
      await sleep(second);
    }
  }
}
