import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../api/me.tsx';
import type { Refusal } from '../../api/refusal.ts';
import { AuthRefusal } from '../../sign-in/faults.tsx';
import { PasswordField } from '../../parts/form/fields.tsx';

/** Reauthentication by password, and by code if TOTP is enabled; required for changes that weaken sign-in. */
export interface StepUp {
  readonly password: string;
  readonly code: string;
  readonly faults: { readonly password: string | null; readonly code: string | null };
  set(change: Partial<Pick<StepUp, 'password' | 'code'>>): void;
  /** Shows what is missing. @returns whether nothing is */
  check(): boolean;
}

/** @param needsCode whether TOTP is enabled */
export function useStepUp(needsCode: boolean): StepUp {
  const [given, setGiven] = useState({ password: '', code: '' });
  const [faults, setFaults] = useState<StepUp['faults']>({ password: null, code: null });
  return {
    ...given,
    faults,
    set: (change) => setGiven({ ...given, ...change }),
    check() {
      const password = given.password === '' ? 'Enter your password' : null;
      const code = needsCode && given.code.trim() === '' ? 'Enter a code' : null;
      setFaults({ password, code });
      return password === null && code === null;
    },
  };
}

interface Props {
  readonly of: StepUp;
  readonly needsCode: boolean;
  readonly refusal: Refusal | null;
  clear(): void;
}

/** Fields for the password and, with an authenticator app, a code. */
export function StepUpFields({ of, needsCode, refusal, clear }: Props) {
  const { user } = useMe();
  const isWrong = refusal?.code === 'FORBIDDEN' && refusal.field === 'password';
  const set = (change: Parameters<StepUp['set']>[0]) => {
    clear();
    of.set(change);
  };
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        data-autofocus
        value={of.password}
        error={of.faults.password ?? (isWrong && 'The password is wrong')}
        onChange={(event) => set({ password: event.currentTarget.value })}
      />
      {needsCode && (
        <TextInput
          label="Code"
          description="The 6 digits of the app, or a recovery code."
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={64}
          value={of.code}
          error={of.faults.code}
          onChange={(event) => set({ code: event.currentTarget.value })}
        />
      )}
      {!isWrong && <AuthRefusal refusal={refusal} onOver={clear} />}
    </>
  );
}
