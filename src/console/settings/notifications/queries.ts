import * as operations from '../../../../schema/operations.ts';
import { graphql, type RecordOf } from '../../api/graphql.ts';

/** Notification preferences of the caller. */
export const Preferences = graphql(operations.notificationPreferences, [
  graphql(operations.NotificationPreferencesFields),
]);

/** Updates the given preferences. */
export const UpdatePreferences = graphql(operations.updateNotificationPreferences);

/** Sets the webhook; null removes it. */
export const SetWebhook = graphql(operations.setSlackWebhook);

/** Posts a test message. */
export const TestWebhook = graphql(operations.testSlack);

/** Notification preferences, as returned by the API. */
export type NotificationPreferences = RecordOf<typeof Preferences>;

/** Notification channel: email or chat. */
export type Channel = 'email' | 'slack';

/** Kind of notification. */
export type Kind = keyof NotificationPreferences[Channel];
