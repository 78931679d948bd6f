import { Text, Title, Box, Center } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { Logo } from '../shell/logo.tsx';
import classes from './frame.module.css';

interface Props {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Link to another page, below the card. */
  readonly foot?: ReactNode;
  /** Wider card, for more than a few fields. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** Centred card for all pages outside the console, such as login. */
export function Frame({ title, lead, foot, isWide = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Costkeep`;
    // The focused element is gone: announce the new card to screen readers.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className={classes.ground}>
      <main className={isWide ? classes.wide : classes.column}>
        <Center mb={22}>
          <Logo />
        </Center>
        <div className={classes.card}>
          <Title order={1} size="h3" fw={640} lts="-0.01em" ref={heading} tabIndex={-1} className={classes.title}>
            {title}
          </Title>
          {lead && (
            <Text component="div" size="sm" c="dimmed" mt={4}>
              {lead}
            </Text>
          )}
          <Box mt={20}>{children}</Box>
        </div>
        {foot && (
          <Text component="div" size="sm" c="dimmed" ta="center" mt={18} className={classes.foot}>
            {foot}
          </Text>
        )}
      </main>
    </div>
  );
}
