import { Group } from '@mantine/core';
import { Act } from '../../parts/form/menu.tsx';
import * as operations from '../../../../schema/operations.ts';
import { graphql } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { done } from '../../parts/form/dialog.tsx';
import { PasswordField } from '../../parts/form/fields.tsx';
import { Form, useFields } from '../../parts/form/form.tsx';
import { Card } from '../../parts/page/card.tsx';
import { TextLink, RefusalAlert } from '../../parts/page/page.tsx';
import { newPasswordFault, passwordRules } from '../../sign-in/faults.ts';
import { SettingsPage } from '../settings-page.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { TwoStepCard } from './two-step-card.tsx';
import { isWrongPassword } from './step-up-fields.tsx';

const ChangePassword = graphql(operations.changePassword);

/** Security settings: second factors, passkeys, password. */
export function SecurityPage() {
  return (
    <SettingsPage title="Security" lead="Sign-in and security, across all your organizations.">
      <TwoStepCard />
      <PasskeysCard />
      <PasswordCard />
    </SettingsPage>
  );
}

/** Changes the password; requires the current one. */
function PasswordCard() {
  const { user } = useMe();
  const { act, isBusy, refusal, clear } = useAct(ChangePassword);
  const { form, set, field, check, rest } = useFields(
    { password: '', newPassword: '' },
    ({ password, newPassword }) => ({
      password: password === '' && 'Enter your current password',
      newPassword: newPasswordFault(newPassword),
    }),
    {
      of: { refusal, clear },
      names: { password: ['password', 'The current password'], newPassword: ['new_password', 'The new password'] },
    },
  );
  const isWrong = isWrongPassword(refusal);
  const submit = async () => {
    if (!check() || !(await act(form))) return;
    set({ password: '', newPassword: '' });
    done('Password changed. Other sessions ended.');
  };
  return (
    <Card title="Password">
      <Form isBusy={isBusy} onSubmit={submit} maw={420}>
        {/* Shows password managers which account the password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...field('password')}
          {...(isWrong && { error: 'The password is wrong' })}
        />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          description={passwordRules}
          {...field('newPassword')}
        />
        {!isWrong && <RefusalAlert refusal={rest} onOver={clear} />}
        <Group justify="space-between">
          <Act label="Change password" primary type="submit" loading={isBusy} />
          <TextLink href="/forgot-password">Forgot your password?</TextLink>
        </Group>
      </Form>
    </Card>
  );
}
