import type { ChannelPreferences } from './announcement.ts';
import { arg, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { notNull } from '../../kit/errors/refusals.ts';
import { emailRule, parseEmail } from '../../tenancy/login/input.ts';

/** Changes to one channel's preferences: absent fields stay unchanged. */
export interface ChannelChange {
  readonly budgetAlerts?: boolean | null | undefined;
  readonly anomalyAlerts?: boolean | null | undefined;
  readonly alertRules?: boolean | null | undefined;
  readonly reports?: boolean | null | undefined;
}

/** Changes to preferences: absent fields stay unchanged. */
export interface PreferencesChange {
  readonly email?: ChannelChange | null | undefined;
  readonly slack?: ChannelChange | null | undefined;
  readonly additionalEmails?: readonly string[] | null | undefined;
}

/** A validated change. */
export interface ParsedChange {
  readonly email: Partial<ChannelPreferences>;
  readonly slack: Partial<ChannelPreferences>;
  /** Absent: unchanged. */
  readonly additionalEmails?: readonly string[];
}

/** Bounds of the additional addresses: larger groups should use a mailing list, which has one address. */
export const additionalEmailsRule = { maxItems: 20, items: emailRule } as const;

/** Parses a change of preferences.
 *  @throws {AppError} VALIDATION_ERROR naming the field, or when nothing is given */
export function parsePreferences({ email, slack, additionalEmails }: PreferencesChange): ParsedChange {
  if (additionalEmails === null) throw invalid`${arg('additional_emails')} cannot be null${fix}send [] for none`;
  const change = {
    email: parseChannel('email', email),
    slack: parseChannel('slack', slack),
    ...(additionalEmails !== undefined && { additionalEmails: parseAddresses(additionalEmails) }),
  };
  if (Object.keys({ ...change.email, ...change.slack }).length === 0 && additionalEmails === undefined)
    throw invalid`Nothing to change${fix}send at least one of ${mention('email', 'slack', 'additional_emails')}, with the fields to change`;
  return change;
}

function parseChannel(name: string, change: ChannelChange | null | undefined): Partial<ChannelPreferences> {
  if (change === null) throw notNull(name);
  const { budgetAlerts, anomalyAlerts, alertRules, reports } = change ?? {};
  const named = { budget_alerts: budgetAlerts, anomaly_alerts: anomalyAlerts, alert_rules: alertRules, reports };
  const entries = Object.entries(named).filter(([, value]) => value !== undefined);
  for (const [key, value] of entries)
    if (value === null) throw invalid`${arg(`${name}.${key}`)} cannot be null${fix}send true or false`;
  return Object.fromEntries(entries);
}

function parseAddresses(texts: readonly string[]): string[] {
  const addresses = [...new Set(texts.map((text, index) => parseEmail(text, `additional_emails[${index}]`)))];
  const most = additionalEmailsRule.maxItems;
  if (addresses.length > most)
    throw invalid`${arg('additional_emails')} has ${addresses.length} addresses; at most ${most} are allowed`;
  return addresses;
}
