import { z } from 'zod';

/** Jobs delay only jobs of the same lane: an unresponsive server delays neither evaluation nor messages of other channels. */
export type Lane = 'main' | 'sync' | 'mail' | 'chat';

/** The payload of a job kind, and how its jobs are queued. */
export interface JobKind<Payload> {
  /** Ids, not rows: a job reads the current state when it runs. Validated when the job is queued and when it runs. */
  readonly payload: z.ZodType<Payload>;
  readonly lane: Lane;
  /** Replaces a waiting job with the same key. Absent: every job is queued. */
  readonly key?: (payload: Payload) => string;
  /** Jobs with the same queue name run one after another. Absent: jobs run in parallel. */
  readonly queueName?: (payload: Payload) => string | undefined;
  /** The last free slot of the lane is reserved for a job whose flag differs from those of the running jobs. */
  readonly flag?: (payload: Payload) => string;
  /** Default: 25 attempts. The n-th retry waits about e^n seconds, at most 6 hours. */
  readonly maxAttempts?: number;
}

/** Scheduled jobs carry graphile-worker's own `_cron`. */
const nothing = z.looseObject({});
const organization = z.object({ organizationId: z.string() });
const account = z.object({ organizationId: z.string(), accountId: z.string() });
const anomaly = z.object({ organizationId: z.string(), anomalyId: z.string() });
const report = z.object({
  organizationId: z.string(),
  reportId: z.string(),
  mailTo: z.string().optional(),
  /** For the recipients of this value of a virtual tag. */
  forValue: z.string().optional(),
});
const delivery = z.object({ organizationId: z.uuid(), deliveryId: z.uuid() });

/** Serializes an account's syncs. */
const accountQueue = ({ accountId }: z.output<typeof account>) => `sync:${accountId}`;

/** Serializes an organization's evaluations, so that slow ones leave workers to reports, alerts and other organizations. */
const evaluationQueue = ({ organizationId }: z.output<typeof organization>) => `evaluate:${organizationId}`;

// Jobs queued by earlier versions use these names and keys, so they must never change.
const kinds = {
  /** Many attempts, because only interruptions use one up. */
  sync: kind({
    payload: account,
    lane: 'sync',
    key: accountQueue,
    queueName: accountQueue,
    flag: ({ organizationId }) => organizationId,
    maxAttempts: 25,
  }),
  sync_all: kind({ payload: nothing, lane: 'main' }),
  evaluate: kind({
    payload: account,
    lane: 'main',
    key: ({ accountId }) => `evaluate:${accountId}`,
    queueName: evaluationQueue,
    maxAttempts: 5,
  }),
  purge_account: kind({ payload: account, lane: 'main', key: ({ accountId }) => `purge_account:${accountId}` }),
  evaluate_all: kind({ payload: nothing, lane: 'main', key: () => 'evaluate_all' }),
  evaluate_tags: kind({
    payload: account,
    lane: 'main',
    key: ({ accountId }) => `evaluate_tags:${accountId}`,
    queueName: evaluationQueue,
  }),
  evaluate_virtual_tags: kind({
    payload: organization,
    lane: 'main',
    key: ({ organizationId }) => `evaluate_virtual_tags:${organizationId}`,
    queueName: evaluationQueue,
  }),
  check_budgets: kind({
    payload: organization,
    lane: 'main',
    key: ({ organizationId }) => `check_budgets:${organizationId}`,
  }),
  check_alert_rules: kind({
    payload: organization,
    lane: 'main',
    key: ({ organizationId }) => `check_alert_rules:${organizationId}`,
  }),
  tell_budget_alert: kind({
    payload: z.object({
      organizationId: z.string(),
      budgetId: z.string(),
      /** Absent in jobs of earlier versions, whose budgets are all monthly. */
      period: z.enum(['monthly', 'quarterly', 'yearly']).optional(),
      /** The first month of the period. */
      month: z.string(),
      threshold: z.string(),
    }),
    lane: 'main',
    key: ({ budgetId, period = 'monthly', month, threshold }) =>
      `tell_budget_alert:${budgetId}:${period === 'monthly' ? '' : `${period}:`}${month}:${threshold}`,
  }),
  tell_anomaly: kind({ payload: anomaly, lane: 'main', key: ({ anomalyId }) => `tell_anomaly:${anomalyId}` }),
  /** One at a time, so that a slow model occupies at most one worker; retried for several hours. */
  explain_anomaly: kind({
    payload: anomaly,
    lane: 'chat',
    key: ({ anomalyId }) => `explain_anomaly:${anomalyId}`,
    queueName: () => 'explain',
    maxAttempts: 10,
  }),
  generate_report: kind({ payload: report, lane: 'main', key: ({ reportId }) => `report:${reportId}`, maxAttempts: 5 }),
  tell_report: kind({ payload: report, lane: 'main', key: ({ reportId }) => `tell_report:${reportId}` }),
  run_schedules: kind({ payload: nothing, lane: 'main' }),
  deliver_email: kind({ payload: delivery, lane: 'mail', key: ({ deliveryId }) => `deliver ${deliveryId}` }),
  /** One queue per webhook, so that a hanging webhook delays only its own messages. */
  deliver_slack: kind({
    // Jobs of earlier versions have no user.
    payload: delivery.extend({ userId: z.string().optional() }),
    lane: 'chat',
    key: ({ deliveryId }) => `deliver ${deliveryId}`,
    queueName: ({ organizationId, userId }) => userId && `slack:${organizationId}:${userId}`,
  }),
  /** One queue per channel of an organization, for the same reason. */
  deliver_channel: kind({
    payload: delivery.extend({ channelId: z.uuid() }),
    lane: 'chat',
    key: ({ deliveryId }) => `deliver ${deliveryId}`,
    queueName: ({ channelId }) => `channel:${channelId}`,
  }),
  /** Retried for about four days. */
  send_mail: kind({
    payload: z.object({ key: z.string(), sealed: z.base64(), goodUntil: z.iso.datetime().nullable() }),
    lane: 'mail',
    key: ({ key }) => `mail ${key}`,
  }),
  /** Encrypted, because the payload contains an email address and the origin of the request. */
  forgot_password: kind({ payload: z.object({ id: z.uuid(), sealed: z.base64() }), lane: 'main' }),
  /** For one organization, or all of them. */
  fetch_exchange_rates: kind({
    payload: z.looseObject({ organizationId: z.string().optional() }),
    lane: 'chat',
    key: ({ organizationId }) => (organizationId ? `fetch_exchange_rates:${organizationId}` : 'fetch_exchange_rates'),
    queueName: () => 'fetch_exchange_rates',
    maxAttempts: 8,
  }),
  audit_retention: kind({ payload: nothing, lane: 'main' }),
  identity_retention: kind({ payload: nothing, lane: 'main' }),
  delivery_retention: kind({ payload: nothing, lane: 'main' }),
  report_retention: kind({ payload: nothing, lane: 'main' }),
  collect_facts: kind({ payload: nothing, lane: 'main' }),
  /** One at a time, however many servers there are. */
  backup: kind({ payload: nothing, lane: 'main', key: () => 'backup', queueName: () => 'backup', maxAttempts: 3 }),
};

/** Name of a job kind. */
export type JobName = keyof typeof kinds;

type Payloads = { readonly [Name in JobName]: z.output<(typeof kinds)[Name]['payload']> };

/** Payload of a job kind. */
export type PayloadOf<Name extends JobName> = Payloads[Name];

/** Every job kind, by name. */
export const jobKinds: { readonly [Name in JobName]: JobKind<Payloads[Name]> } = kinds;

function kind<Payload>(one: JobKind<Payload>): JobKind<Payload> {
  return one;
}
