import { Stack } from '@mantine/core';
import { useMay } from '../api/me.tsx';
import { useAnswer } from '../api/use-answer.ts';
import { Shown } from '../parts/shown.tsx';
import { CopiesCard } from './notifications/copies-card.tsx';
import { KindsCard } from './notifications/kinds-card.tsx';
import { Preferences } from './notifications/queries.ts';
import { WebhookCard } from './notifications/webhook-card.tsx';
import { SettingsPage } from './settings-page.tsx';

/** What the caller is told in this organization, and where. */
export function NotificationsPage() {
  const answer = useAnswer(Preferences, {});
  const mayWrite = useMay('notifications.write');
  return (
    <SettingsPage
      title="Notifications"
      lead={
        mayWrite
          ? 'What you are told in this organization, and where.'
          : 'What you are told in this organization. Viewers cannot change it.'
      }
    >
      <Shown of={answer} height={480}>
        {({ notificationPreferences: preferences }) =>
          preferences && (
            <Stack gap="md">
              <KindsCard preferences={preferences} mayWrite={mayWrite} />
              {mayWrite && (
                <CopiesCard key={preferences.additionalEmails.join()} emails={preferences.additionalEmails} />
              )}
              {mayWrite && <WebhookCard preferences={preferences} />}
            </Stack>
          )
        }
      </Shown>
    </SettingsPage>
  );
}
