import { graphql, type ResultOf } from '../../api/graphql.ts';

/** What the caller is told, and where. */
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

/** Changes of what the caller is told. */
export const UpdatePreferences = graphql(`
  mutation UpdatePreferences($email: ChannelPreferencesInput, $slack: ChannelPreferencesInput) {
    updateNotificationPreferences(input: { email: $email, slack: $slack }) {
      slackConfigured
    }
  }
`);

/** Changes who gets a copy of each mail. */
export const UpdateCopies = graphql(`
  mutation UpdateCopies($additionalEmails: [String!]) {
    updateNotificationPreferences(input: { additionalEmails: $additionalEmails }) {
      additionalEmails
    }
  }
`);

/** Sets the webhook, or takes it away with null. */
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

/** What the caller is told, as the API has it. */
export type NotificationPreferences = NonNullable<ResultOf<typeof Preferences>['notificationPreferences']>;

/** A channel: by mail, or by chat message. */
export type Channel = 'email' | 'slack';

/** What can be told. */
export type Kind = keyof NotificationPreferences[Channel];
