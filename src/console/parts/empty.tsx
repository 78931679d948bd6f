import { Center, Stack, Text } from '@mantine/core';
import { IconInbox, type Icon as TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** Why it is empty, or what would fill it. */
  readonly text?: ReactNode;
  /** A button that would fill it, or that takes filters off. */
  readonly action?: ReactNode;
  readonly icon?: TablerIcon;
}

/** Where there is nothing: says so, and what to do about it. */
export function Empty({ title, text, action, icon: Icon = IconInbox }: Props) {
  return (
    <Center p="xl" mih={160}>
      <Stack align="center" gap={6} maw={460}>
        <Icon size={28} stroke={1.4} color="var(--ink-soft)" aria-hidden />
        <Text fw={600} ta="center">
          {title}
        </Text>
        {text && (
          <Text component="div" size="sm" c="dimmed" ta="center">
            {text}
          </Text>
        )}
        {action && <div style={{ marginTop: 6 }}>{action}</div>}
      </Stack>
    </Center>
  );
}
