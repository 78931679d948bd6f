import { Box, Group, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './card.module.css';

interface Props {
  readonly title?: string;
  /** A quiet remark beside the title, or below it on phones. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  /** Content reaches the card's edges: tables. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A region of a page with a heading. */
export function Card({ title, note, actions, flush = false, children }: Props) {
  const id = useId();
  return (
    <Box component="section" className={classes.card} {...(title && { 'aria-labelledby': id })}>
      {(title || actions) && (
        <Group className={classes.head} justify="space-between" gap="xs">
          <Group gap="xs" align="baseline">
            {title && (
              <Title order={2} size="h5" id={id}>
                {title}
              </Title>
            )}
            {note && (
              <Text component="span" size="xs" c="dimmed">
                {note}
              </Text>
            )}
          </Group>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </Box>
  );
}
