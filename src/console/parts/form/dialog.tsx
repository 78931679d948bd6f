import {
  ActionIcon,
  type ButtonProps,
  Group,
  Modal,
  type ModalProps,
  Switch,
  Text,
  Textarea,
  Tooltip,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import type { AnyVariables } from '@urql/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { TypedDocumentNode } from 'urql';
import { Act } from './menu.tsx';
import { useAct } from '../../api/use-api.ts';
import { Status } from '../page/card.tsx';
import { RefusalAlert } from '../page/page.tsx';
import { Form, type Sending } from './form.tsx';

/** Dialog that restores focus when it closes. */
export function Dialog(props: ModalProps) {
  useFocusBack(props.opened);
  return <Modal closeButtonProps={{ 'aria-label': 'Close' }} {...props} />;
}

interface FormDialogProps {
  readonly title: string;
  /** Label of the submit button. */
  readonly verb: string;
  readonly of: Sending;
  /** Styles the button for a destructive change. */
  readonly danger?: boolean | undefined;
  readonly size?: string;
  readonly children: ReactNode;
  onSubmit(): unknown;
  onClose(): void;
}

/** Form in a dialog: Enter submits, Escape closes, errors appear above the buttons. The dialog is open while it is rendered. */
export function FormDialog({ title, verb, of, danger, size = 'md', children, onSubmit, onClose }: FormDialogProps) {
  return (
    <Dialog opened onClose={onClose} title={title} size={size}>
      <Form isBusy={of.isBusy} onSubmit={onSubmit} gap="sm">
        {children}
        <RefusalAlert refusal={of.refusal} />
        <Group justify="flex-end" gap="xs" mt="xs">
          <Act label="Cancel" onClick={onClose} />
          <Act label={verb} primary type="submit" loading={of.isBusy} {...(danger && { color: 'red.8' })} />
        </Group>
      </Form>
    </Dialog>
  );
}

interface ConfirmProps<Variables extends AnyVariables> extends Pick<FormDialogProps, 'title' | 'verb' | 'danger'> {
  /** Consequences of the change, and whether it can be undone. */
  readonly text: ReactNode;
  readonly mutation: TypedDocumentNode<unknown, Variables>;
  readonly variables: Variables;
  /** Success message. */
  readonly said: string;
  onDone?(): void;
  onClose(): void;
}

/** Asks for confirmation of a destructive change, then runs it. */
export function ConfirmDialog<Variables extends AnyVariables>(props: ConfirmProps<Variables>) {
  const { title, verb, danger = true, text, mutation, variables, said, onDone, onClose } = props;
  const change = useAct(mutation);
  const submit = async () => {
    if (!(await change.act(variables))) return;
    onDone?.();
    onClose();
    done(said);
  };
  return (
    <FormDialog title={title} verb={verb} of={change} danger={danger} onSubmit={submit} onClose={onClose}>
      <Text component="div" size="sm">
        {text}
      </Text>
    </FormDialog>
  );
}

interface ConfirmButtonProps<Variables extends AnyVariables> extends Omit<ConfirmProps<Variables>, 'onClose'> {
  readonly label: string;
  readonly button?: ButtonProps;
}

/** Button that asks for confirmation before it runs its change. */
export function ConfirmButton<Variables extends AnyVariables>(props: ConfirmButtonProps<Variables>) {
  const { label, button, ...confirm } = props;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Act label={label} {...button} onClick={() => setAsking(true)} />
      {isAsking && <ConfirmDialog {...confirm} onClose={() => setAsking(false)} />}
    </>
  );
}

interface ReasonProps<Variables extends AnyVariables> extends Omit<ConfirmProps<Variables>, 'variables' | 'danger'> {
  /** @param reason the reason entered; null if empty */
  variablesOf(reason: string | null): Variables;
}

/** Changes a status, with an optional reason for others to read. */
export function ReasonDialog<Variables extends AnyVariables>(props: ReasonProps<Variables>) {
  const { title, verb, text, mutation, variablesOf, said, onClose } = props;
  const [reason, setReason] = useState('');
  const change = useAct(mutation);
  const submit = async () => {
    if (!(await change.act(variablesOf(reason.trim() || null)))) return;
    onClose();
    done(said);
  };
  return (
    <FormDialog title={title} verb={verb} of={change} onSubmit={submit} onClose={onClose}>
      <Text component="div" size="sm">
        {text}
      </Text>
      <Textarea
        label="Reason"
        description="Optional. Everyone who sees this can read it."
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

/** Last focused element outside of dialogs and menus: the one that opened them. */
let opener: HTMLElement | null = null;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest('[role="dialog"], [role="menu"]')) opener = target;
});

/** Whether nothing has the focus, because the focused element is gone. */
const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** Restores focus when a dialog closes: to the element that opened it, or to the page if that is gone. */
function useFocusBack(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      // Some dialogs disappear at once, others after a fade; in milliseconds.
      for (const ms of [20, 160]) setTimeout(giveBack, ms);
    };
  }, [isOpen]);
}

function giveBack(): void {
  if (isLost()) opener?.focus({ preventScroll: true });
  if (isLost()) document.getElementById('main')?.focus({ preventScroll: true });
}

const look = { withBorder: true, closeButtonProps: { 'aria-label': 'Close' } } as const;

/** Shows a success notification. */
export function done(message: string): void {
  notifications.show({ ...look, message, color: 'harbor', autoClose: 4000 });
}

/** Shows an error notification, for failures without an open form. */
export function failed(message: string): void {
  notifications.show({ ...look, message, color: 'red', autoClose: 8000, role: 'alert' });
}

interface Props {
  readonly row: { readonly id: string; readonly name: string; readonly enabled: boolean };
  readonly mutation: TypedDocumentNode<unknown, { id: string; input: { enabled: boolean } }>;
  readonly mayWrite: boolean;
}

/** Switch that enables or disables a list entry immediately; plain text without write permission. */
export function OnSwitch({ row: { id, name, enabled }, mutation, mayWrite }: Props) {
  const { act, refusal } = useAct(mutation);
  useEffect(() => {
    if (refusal) failed(`${name} was not changed: ${refusal.message}`);
  }, [refusal, name]);
  if (!mayWrite) return <OnOff isOn={enabled} />;
  return (
    <Switch
      aria-label={`${name} is on`}
      checked={enabled}
      onChange={(event) => void act({ id, input: { enabled: event.currentTarget.checked } })}
    />
  );
}

/** On or off, as text. */
export function OnOff({ isOn }: { readonly isOn: boolean }) {
  return <Status value={isOn ? 'ON' : 'OFF'} tone={isOn ? 'good' : 'quiet'} />;
}

interface IconActProps {
  readonly label: string;
  readonly Icon: TablerIcon;
  /** Tooltip; defaults to the label. */
  readonly tip?: string;
  onClick(): void;
}

/** Icon button with a tooltip. */
export function IconAct({ label, Icon, tip = label, onClick }: IconActProps) {
  return (
    <Tooltip label={tip}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
