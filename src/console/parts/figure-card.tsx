import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './figure-card.module.css';

interface Props {
  readonly label: string;
  readonly value: ReactNode;
  /** What the figure is compared with, or made of. */
  readonly below?: ReactNode;
  /** Where more of it is. */
  readonly href?: string;
}

/** One figure that matters, large, with its name above. A row of them stands in `SimpleGrid`. */
export function FigureCard({ label, value, below, href }: Props) {
  return (
    <Box className={classes.card}>
      <Text size="xs" c="dimmed" fw={550}>
        {href ? (
          <Link href={href} className={classes.link}>
            {label}
          </Link>
        ) : (
          label
        )}
      </Text>
      <Text component="div" className={classes.value}>
        {value}
      </Text>
      {below && (
        <Text component="div" size="sm" c="dimmed">
          {below}
        </Text>
      )}
    </Box>
  );
}
