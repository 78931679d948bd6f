import { graphql, type ResultOf } from '../../api/graphql.ts';

/** Notification preferences of the caller. */
export const Preferences = graphql(`
  query Preferences {
    notificationPreferences {
      email {
        budgetAlerts
        anomalyAlerts
        alertRules
        reports
      }
      slack {
        budgetAlerts
        anomalyAlerts
        alertRules
        reports
      }
      additionalEmails
      slackConfigured
      slackProblem
    }
  }
`);

/** Updates notification preferences. */
export const UpdatePreferences = graphql(`
  mutation UpdatePreferences($email: ChannelPreferencesInput, $slack: ChannelPreferencesInput) {
    updateNotificationPreferences(input: { email: $email, slack: $slack }) {
      slackConfigured
    }
  }
`);

/** Updates the additional email recipients. */
export const UpdateCopies = graphql(`
  mutation UpdateCopies($additionalEmails: [String!]) {
    updateNotificationPreferences(input: { additionalEmails: $additionalEmails }) {
      additionalEmails
    }
  }
`);

/** Sets the webhook; null removes it. */
export const SetWebhook = graphql(`
  mutation SetWebhook($url: String) {
    setSlackWebhook(url: $url) {
      slackConfigured
    }
  }
`);

/** Posts a test message. */
export const TestWebhook = graphql(`
  mutation TestWebhook {
    testSlack {
      delivered
      reason
    }
  }
`);

/** Notification preferences, as returned by the API. */
export type NotificationPreferences = NonNullable<ResultOf<typeof Preferences>['notificationPreferences']>;

/** Notification channel: email or chat. */
export type Channel = 'email' | 'slack';

/** Kind of notification. */
export type Kind = keyof NotificationPreferences[Channel];
