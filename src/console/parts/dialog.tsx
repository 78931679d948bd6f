import { Button, Group, Modal, Stack, Text, Textarea, type ModalProps } from '@mantine/core';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import type { Refusal } from '../api/refusal.ts';
import { useFocusBack } from './focus-back.ts';
import { RefusalAlert } from './refusal.tsx';
import { useWrongField } from './wrong-field.ts';

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
