import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { CodeBlock } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { moment } from '../../words/format.ts';
import type { NewToken } from './queries.ts';

/** Shows a new token, once, and how it is used. */
export function MadeDialog({ token, onClose }: { readonly token: NewToken; onClose(): void }) {
  const usage = [
    `export COSTKEEP_TOKEN=${token.token}`,
    `curl -H "Authorization: Bearer $COSTKEEP_TOKEN" \\`,
    `  ${location.origin}/api/v1/costs/summary`,
  ].join('\n');
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={`Token for ${token.name}`}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="md">
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
          Copy it now. It is not shown again.
        </Alert>
        <CodeBlock code={token.token} label="the token" />
        <div>
          <Text size="sm" fw={550} mb={4}>
            How to use it
          </Text>
          <CodeBlock code={usage} label="the example" />
        </div>
        <Text size="sm" c="dimmed">
          {token.readOnly ? 'It may read.' : 'It may do all that your role may do.'}{' '}
          {token.expiresAt ? `It ends on ${moment(token.expiresAt)}.` : 'It does not end by itself.'} The whole API is
          described at{' '}
          <Anchor href="/docs" target="_blank" rel="noreferrer" underline="always" inherit>
            {location.host}/docs
          </Anchor>
          .
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            I have copied it
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
