import { Alert, Group } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { Act } from './menu.tsx';

interface Props {
  /** Discards the restored changes; null if there are none. */
  readonly onDiscard: (() => void) | null;
}

/** States that unsaved changes were restored when the form was opened again. */
export function RestoredNote({ onDiscard }: Props) {
  if (!onDiscard) return null;
  const discard = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    // The button disappears, and with it the focus.
    const first = currentTarget.closest('form')?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea');
    (first ?? document.getElementById('main'))?.focus();
    onDiscard();
  };
  return (
    <Alert role="status" icon={<IconInfoCircle size={18} aria-hidden />}>
      <Group gap="xs">
        Your unsaved changes were restored.
        <Act label="Discard changes" size="compact-sm" onClick={discard} />
      </Group>
    </Alert>
  );
}
