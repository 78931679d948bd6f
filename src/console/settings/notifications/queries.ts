import * as operations from '../../../../schema/operations.ts';
import { graphql, type ResultOf } from '../../api/graphql.ts';

const NotificationPreferencesFields = graphql(operations.NotificationPreferencesFields);

/** Notification preferences of the caller. */
export const Preferences = graphql(operations.notificationPreferences, [NotificationPreferencesFields]);

/** Updates the given preferences. */
export const UpdatePreferences = graphql(operations.updateNotificationPreferences);

/** Sets the webhook; null removes it. */
export const SetWebhook = graphql(operations.setSlackWebhook);

/** Posts a test message. */
export const TestWebhook = graphql(operations.testSlack);

/** Notification preferences, as returned by the API. */
export type NotificationPreferences = ResultOf<typeof NotificationPreferencesFields>;

/** Notification channel: email or chat. */
export type Channel = 'email' | 'slack';

/** Kind of notification. */
export type Kind = keyof NotificationPreferences[Channel];
