import { PasskeysCard } from './security/passkeys-card.tsx';
import { PasswordCard } from './security/password-card.tsx';
import { TwoStepCard } from './security/two-step-card.tsx';
import { SettingsPage } from './settings-page.tsx';

/** How the caller logs in: second factors, passkeys, password. */
export function SecurityPage() {
  return (
    <SettingsPage title="Security" lead="How you prove that it is you. It holds in every organization of yours.">
      <TwoStepCard />
      <PasskeysCard />
      <PasswordCard />
    </SettingsPage>
  );
}
