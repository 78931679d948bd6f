import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './setting-row.module.css';

interface Props {
  readonly label: string;
  /** How it stands, beside the label. */
  readonly state?: ReactNode;
  readonly text?: ReactNode;
  /** What can be done about it, on the right; below on phones. */
  readonly children?: ReactNode;
}

/** One setting of a card: what it is, how it stands, what can be done about it. */
export function SettingRow({ label, state, text, children }: Props) {
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <Group gap="xs">
          <Text component="h3" fw={550} size="sm">
            {label}
          </Text>
          {state}
        </Group>
        {text && (
          <Text component="div" size="sm" c="dimmed" mt={2}>
            {text}
          </Text>
        )}
      </div>
      {children && <div className={classes.acts}>{children}</div>}
    </div>
  );
}
