import { Stack } from '@mantine/core';
import { useLayoutEffect, useRef, type ReactNode, type SubmitEvent } from 'react';

interface Props {
  readonly isBusy: boolean;
  onSubmit(event: SubmitEvent<HTMLFormElement>): void;
  /** Most that it is wide, in px. */
  readonly maw?: number;
  readonly children: ReactNode;
}

/** A form whose first wrong field is gone to once it was sent: by whom ever the fault was found, here or on the server. */
export function Form({ isBusy, onSubmit, maw, children }: Props) {
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
