import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A password or another secret, which can be looked at, by keyboard too. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
      {...props}
      // Mantine says it of the frame alone.
      aria-invalid={props.error ? true : undefined}
    />
  );
}
