import { Anchor, Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from 'wouter';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-act.ts';
import { Card } from '../../parts/card.tsx';
import { done } from '../../parts/done.ts';
import { AuthRefusal } from '../../sign-in/auth-refusal.tsx';
import { faultsOf, newPasswordFault, passwordRules } from '../../sign-in/faults.ts';
import { Form } from '../../sign-in/form.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { ChangePassword } from './queries.ts';

/** Changes the password, for who knows the one of now. */
export function PasswordCard() {
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
    done('Your password is changed. Your other sessions have ended.');
  });
  return (
    <Card title="Password">
      <Form isBusy={isBusy} onSubmit={submit} maw={420}>
        {/* Password managers learn by it whose password this is. */}
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
          <Button type="submit" loading={isBusy}>
            Change password
          </Button>
          <Anchor component={Link} href="/forgot-password" size="sm">
            Forgot it?
          </Anchor>
        </Group>
      </Form>
    </Card>
  );
}
