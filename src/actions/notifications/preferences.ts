import { z } from 'zod';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import { can } from '../../tenancy/auth/permissions.ts';
import type { AnnouncementKind } from './announcement.ts';

/** Of what somebody wants to be told by one channel, in the words of the API. */
export interface ChannelPreferences {
  readonly budget_alerts: boolean;
  readonly anomaly_alerts: boolean;
  readonly alert_rules: boolean;
  readonly reports: boolean;
}

/** The preference that decides of each kind. */
export const preferenceOf = {
  budget_alert: 'budget_alerts',
  anomaly_alert: 'anomaly_alerts',
  alert_rule: 'alert_rules',
  report: 'reports',
} as const satisfies Record<AnnouncementKind, keyof ChannelPreferences>;

const stored = z
  .object({
    budget_alerts: z.boolean(),
    anomaly_alerts: z.boolean(),
    alert_rules: z.boolean(),
    reports: z.boolean(),
  })
  .partial();

/** The preferences of a channel as they hold: what was never chosen is on. A Viewer, who may not choose, is told of their own
 *  things alone, and so of no anomalies.
 *  @param json as stored; null where nothing was ever chosen */
export function channelPreferences(json: unknown, role: Role): ChannelPreferences {
  const { budget_alerts = true, anomaly_alerts = true, alert_rules = true, reports = true } = stored.parse(json ?? {});
  const mayChoose = can(role, 'notifications.write');
  return { budget_alerts, anomaly_alerts: anomaly_alerts && mayChoose, alert_rules, reports };
}
