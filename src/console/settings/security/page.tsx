import { Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Act } from '../../parts/form/menu.tsx';
import * as operations from '../../../../schema/operations.ts';
import { graphql } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { done } from '../../parts/form/dialog.tsx';
import { PasswordField } from '../../parts/form/fields.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Card } from '../../parts/page/card.tsx';
import { TextLink } from '../../parts/page/page.tsx';
import { AuthRefusal, faultsOf, newPasswordFault, passwordRules } from '../../sign-in/faults.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { TwoStepCard } from './two-step-card.tsx';

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
  const form = useForm({
    initialValues: { password: '', newPassword: '' },
    validate: {
      password: (text) => (text === '' ? 'Enter your current password' : null),
      newPassword: newPasswordFault,
    },
    onValuesChange: clear,
  });
  const isWrong = refusal?.code === 'FORBIDDEN' && refusal.field === 'password';
  const faults = faultsOf(refusal, {
    password: ['password', 'The current password'],
    newPassword: ['new_password', 'The new password'],
  });
  const submit = form.onSubmit(async (values) => {
    if (!(await act(values))) return;
    form.reset();
    done('Password changed. Other sessions ended.');
  });
  return (
    <Card title="Password">
      <Form isBusy={isBusy} onSubmit={submit} maw={420}>
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
          error={form.errors['password'] ?? faults.password ?? (isWrong && 'The password is wrong')}
        />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          description={passwordRules}
          {...form.getInputProps('newPassword')}
          error={form.errors['newPassword'] ?? faults.newPassword}
        />
        {!isWrong && Object.keys(faults).length === 0 && <AuthRefusal refusal={refusal} onOver={clear} />}
        <Group justify="space-between">
          <Act label="Change password" primary type="submit" loading={isBusy} />
          <TextLink href="/forgot-password">Forgot it?</TextLink>
        </Group>
      </Form>
    </Card>
  );
}
