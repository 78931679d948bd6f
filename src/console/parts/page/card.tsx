import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import classes from './card.module.css';
import figureCardClasses from './figure-card.module.css';

interface Props {
  readonly title?: string | undefined;
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

/** What is known of something: a name and its value. Null values are left out. */
export type Fact = readonly [name: string, value: ReactNode | null];

/** Facts below one another, as a description list. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name} className={classes.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface FigureCardProps {
  readonly label: string;
  readonly value: ReactNode;
  /** What the figure is compared with, or made of. */
  readonly below?: ReactNode;
  /** Where more of it is. */
  readonly href?: string;
}

/** One figure that matters, large, with its name above. A row of them stands in `SimpleGrid`. */
export function FigureCard({ label, value, below, href }: FigureCardProps) {
  return (
    <Box className={figureCardClasses.card}>
      <Text size="xs" c="dimmed" fw={550}>
        {href ? (
          <Link href={href} className={figureCardClasses.link}>
            {label}
          </Link>
        ) : (
          label
        )}
      </Text>
      <Text component="div" className={figureCardClasses.value}>
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
