import { Alert, Group, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Dialog } from '../form/dialog.tsx';
import { Act } from '../form/menu.tsx';
import { CodeBlock } from './copy.tsx';

interface Props {
  readonly title: string;
  readonly secret: string;
  /** Name of the secret, for the copy button. */
  readonly label: string;
  /** How to use it. */
  readonly children: ReactNode;
  onClose(): void;
}

/** Shows a new secret, which the server does not show again. Only its button closes it. */
export function SecretDialog({ title, secret, label, children, onClose }: Props) {
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
          Copy it now. It is not shown again.
        </Alert>
        <CodeBlock code={secret} label={label} />
        {children}
        <Group justify="flex-end">
          <Act label="I have copied it" primary onClick={onClose} data-autofocus />
        </Group>
      </Stack>
    </Dialog>
  );
}
