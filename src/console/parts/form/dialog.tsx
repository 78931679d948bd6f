import { Button, Group, Modal, type ModalProps, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, type RefObject, type SubmitEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { Refusal } from '../../api/refusal.ts';
import { RefusalAlert } from '../page/shown.tsx';

/** A dialog, after which the focus is where it was before. */
export function Dialog(props: ModalProps) {
  useFocusBack(props.opened);
  return <Modal closeButtonProps={{ 'aria-label': 'Close' }} {...props} />;
}

interface FormDialogProps {
  readonly title: string;
  /** The button that sends the form. */
  readonly verb: string;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  /** The act destroys something. */
  readonly danger?: boolean;
  readonly size?: string;
  readonly children: ReactNode;
  onSubmit(): void;
  onClose(): void;
}

/** A form in a dialog: Enter sends it, Escape leaves it, its first wrong field is gone to, a refusal stands above its
 *  buttons. */
export function FormDialog(props: FormDialogProps) {
  const { title, verb, isOpen, isBusy, refusal, danger = false, size = 'md', children, onSubmit, onClose } = props;
  const { form, sent } = useWrongField(isBusy);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // A dialog opened inside a page's form must not send that one too.
    event.stopPropagation();
    sent();
    onSubmit();
  };
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title} size={size}>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack gap="sm">
          {children}
          <RefusalAlert refusal={refusal} />
          <Group justify="flex-end" gap="xs" mt="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} {...(danger && { color: 'red.8' })}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

interface ConfirmProps extends Omit<FormDialogProps, 'children' | 'size'> {
  /** What will happen, and whether it can be undone. */
  readonly text: ReactNode;
}

/** Asks before something is destroyed. */
export function ConfirmDialog({ text, ...props }: ConfirmProps) {
  return (
    <FormDialog danger {...props}>
      <Text component="div" size="sm">
        {text}
      </Text>
    </FormDialog>
  );
}

interface ReasonProps extends Omit<FormDialogProps, 'children' | 'size' | 'onSubmit'> {
  readonly text: ReactNode;
  /** @param reason what was written; null for nothing */
  onSubmit(reason: string | null): void;
}

/** Asks for an optional reason, which others will read. */
export function ReasonDialog({ text, onSubmit, ...props }: ReasonProps) {
  const [reason, setReason] = useState('');
  return (
    <FormDialog {...props} onSubmit={() => onSubmit(reason.trim() || null)}>
      <Text component="div" size="sm">
        {text}
      </Text>
      <Textarea
        label="Reason"
        description="Optional. Everybody who sees this can read it."
        maxLength={500}
        autosize
        minRows={2}
        maxRows={8}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** What had the focus last outside of dialogs and menus: what opened them. */
let opener: HTMLElement | null = null;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest('[role="dialog"], [role="menu"]')) opener = target;
});

/** Whether the focus is lost: what had it went away. */
const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** Gives the focus back to what opened a dialog, or, where that is gone, to the page, once the dialog is closed. */
function useFocusBack(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      // Some are gone at once, others when they have faded.
      for (const ms of [20, 160]) setTimeout(giveBack, ms);
    };
  }, [isOpen]);
}

function giveBack(): void {
  if (isLost()) opener?.focus({ preventScroll: true });
  if (isLost()) document.getElementById('main')?.focus({ preventScroll: true });
}

/** For forms: once one was sent, its first wrong field is gone to, by whom ever the fault was found, here or on the server.
 *  @returns where the form goes, and what it calls as it is sent */
export function useWrongField(isBusy: boolean): { readonly form: RefObject<HTMLFormElement | null>; sent(): void } {
  const form = useRef<HTMLFormElement>(null);
  const wasSent = useRef(false);
  useEffect(() => {
    if (!wasSent.current || isBusy) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!wrong) return;
    wasSent.current = false;
    wrong.focus();
  });
  const sent = useCallback(() => {
    wasSent.current = true;
  }, []);
  return { form, sent };
}
