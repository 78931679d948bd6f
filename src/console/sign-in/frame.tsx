import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { Logo } from '../shell/logo.tsx';
import classes from './frame.module.css';

interface Props {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Below the card: the way to another page. */
  readonly foot?: ReactNode;
  /** A wider card, for more than a few fields. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** One card on a quiet ground: everything that comes before the console itself. */
export function Frame({ title, lead, foot, isWide = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Costkeep`;
    // What had the focus is gone: those who listen hear where they are now.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className={classes.ground}>
      <main className={isWide ? classes.wide : classes.column}>
        <div className={classes.logo}>
          <Logo />
        </div>
        <div className={classes.card}>
          <Title order={1} size="h3" fw={640} lts="-0.01em" ref={heading} tabIndex={-1} className={classes.title}>
            {title}
          </Title>
          {lead && (
            <Text component="div" size="sm" c="dimmed" mt={4}>
              {lead}
            </Text>
          )}
          <div className={classes.content}>{children}</div>
        </div>
        {foot && (
          <Text component="div" size="sm" c="dimmed" ta="center" className={classes.foot}>
            {foot}
          </Text>
        )}
      </main>
    </div>
  );
}

interface FormProps {
  readonly isBusy: boolean;
  onSubmit(event: SubmitEvent<HTMLFormElement>): void;
  /** Most that it is wide, in px. */
  readonly maw?: number;
  readonly children: ReactNode;
}

/** A form whose first wrong field is gone to once it was sent: by whom ever the fault was found, here or on the server. */
export function Form({ isBusy, onSubmit, maw, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const wasSent = useRef(false);
  useLayoutEffect(() => {
    const wrong =
      wasSent.current && !isBusy ? form.current?.querySelector<HTMLElement>('input[aria-invalid="true"]') : null;
    if (!wrong) return;
    wasSent.current = false;
    wrong.focus();
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    wasSent.current = true;
    onSubmit(event);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md" {...(maw && { maw })}>
        {children}
      </Stack>
    </form>
  );
}
