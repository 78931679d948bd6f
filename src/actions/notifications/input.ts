import type { ChannelPreferences } from './announcement.ts';
import { arg, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { notNull } from '../../kit/errors/refusals.ts';
import { snakeOf } from '../../kit/text/case.ts';
import { emailRule, parseEmail } from '../../tenancy/login/input.ts';

/** The settings of a channel, with descriptions. */
export const channelSettings = {
  budgetAlerts: 'Threshold alerts of budgets.',
  anomalyAlerts: 'Anomalies in accounts in the member’s scope. Not for Viewers.',
  alertRules: 'Alerts of alert rules.',
  reports: 'Reports, scheduled or requested.',
} as const;

/** Changes to one channel's preferences: absent fields stay unchanged. */
export type ChannelChange = { readonly [Setting in keyof typeof channelSettings]?: boolean | null | undefined };

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
  const given = Object.entries(change ?? {}).filter(([, value]) => value !== undefined);
  const entries = given.map(([setting, value]) => [snakeOf(setting), value] as const);
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
