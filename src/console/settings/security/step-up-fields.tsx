import { Text } from '@mantine/core';
import type { Refusal } from '../../api/refusal.ts';
import { useMe } from '../../api/me.tsx';
import type { Call } from '../../api/use-api.ts';
import { FormDialog, type FormDialogProps } from '../../parts/form/dialog.tsx';
import { PasswordField, TextField } from '../../parts/form/fields.tsx';
import { useFields } from '../../parts/form/form.tsx';

/** Password and code that confirm a change. */
export interface Confirmed {
  readonly password: string;
  readonly code: string;
}

interface Props extends Omit<FormDialogProps, 'of' | 'onSubmit'> {
  /** Consequences of the change. */
  readonly text: string;
  /** Whether TOTP is enabled, so that a code is needed, too. */
  readonly needsCode?: boolean;
  readonly of: Pick<Call, 'isBusy' | 'refusal' | 'clear'>;
  /** Validates the fields of the dialog. @returns whether there are no errors */
  check?(): boolean;
  onConfirm(confirmed: Confirmed): unknown;
}

/** Dialog for a change that requires the password, and a code if TOTP is enabled. */
export function StepUpDialog({ text, needsCode = false, of, check, onConfirm, children, ...dialog }: Props) {
  const { user } = useMe();
  const { form, field, ...fields } = useFields(
    { password: '', code: '' },
    ({ password, code }) => ({
      password: password === '' && 'Enter your password',
      code: needsCode && code.trim() === '' && 'Enter a code',
    }),
    { of, names: {} },
  );
  const isWrong = isWrongPassword(of.refusal);
  const submit = () => {
    const isGood = check?.() ?? true;
    return fields.check() && isGood && onConfirm(form);
  };
  return (
    <FormDialog of={{ ...of, refusal: isWrong ? null : of.refusal }} onSubmit={submit} {...dialog}>
      <Text size="sm">{text}</Text>
      {children}
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        data-autofocus
        {...field('password')}
        {...(isWrong && { error: 'The password is wrong' })}
      />
      {needsCode && (
        <TextField
          label="Code"
          description="The 6-digit code from the app, or a recovery code."
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={64}
          {...field('code')}
        />
      )}
    </FormDialog>
  );
}

/** Whether an API error means that the entered password is wrong. */
export function isWrongPassword(refusal: Refusal | null): boolean {
  return refusal?.code === 'FORBIDDEN' && refusal.field === 'password';
}
