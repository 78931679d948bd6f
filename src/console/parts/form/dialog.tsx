import {
  ActionIcon,
  Button,
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
import { useAct } from '../../api/use-api.ts';
import { Status } from '../page/card.tsx';
import { RefusalAlert } from '../page/page.tsx';
import { Form, type Sending } from './form.tsx';

/** A dialog, after which the focus is where it was before. */
export function Dialog(props: ModalProps) {
  useFocusBack(props.opened);
  return <Modal closeButtonProps={{ 'aria-label': 'Close' }} {...props} />;
}

interface FormDialogProps {
  readonly title: string;
  /** The button that sends the form. */
  readonly verb: string;
  readonly of: Sending;
  /** The change destroys something. */
  readonly danger?: boolean | undefined;
  readonly size?: string;
  readonly children: ReactNode;
  onSubmit(): unknown;
  onClose(): void;
}

/** A form in a dialog: Enter sends it, Escape closes it, a refusal stands above its buttons. It is open while it is
 *  rendered. */
export function FormDialog({ title, verb, of, danger, size = 'md', children, onSubmit, onClose }: FormDialogProps) {
  return (
    <Dialog opened onClose={onClose} title={title} size={size}>
      <Form isBusy={of.isBusy} onSubmit={onSubmit} gap="sm">
        {children}
        <RefusalAlert refusal={of.refusal} />
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={of.isBusy} {...(danger && { color: 'red.8' })}>
            {verb}
          </Button>
        </Group>
      </Form>
    </Dialog>
  );
}

interface ConfirmProps<Variables extends AnyVariables> extends Pick<FormDialogProps, 'title' | 'verb' | 'danger'> {
  /** What will happen, and whether it can be undone. */
  readonly text: ReactNode;
  readonly mutation: TypedDocumentNode<unknown, Variables>;
  readonly variables: Variables;
  /** Says that it is done. */
  readonly said: string;
  onDone?(): void;
  onClose(): void;
}

/** Asks before a change that destroys something, and makes it. */
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

/** A button that asks before it makes its change. */
export function ConfirmButton<Variables extends AnyVariables>(props: ConfirmButtonProps<Variables>) {
  const { label, button, ...confirm } = props;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" {...button} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && <ConfirmDialog {...confirm} onClose={() => setAsking(false)} />}
    </>
  );
}

interface ReasonProps<Variables extends AnyVariables> extends Omit<ConfirmProps<Variables>, 'variables' | 'danger'> {
  /** @param reason what was written; null for nothing */
  variablesOf(reason: string | null): Variables;
}

/** Changes a status, with an optional reason that others will read. */
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

/** The element outside of dialogs and menus that had the focus last: the one that opened them. */
let opener: HTMLElement | null = null;

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest('[role="dialog"], [role="menu"]')) opener = target;
});

/** Whether the element that had the focus is gone. */
const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** Returns the focus to the element that opened a dialog, or to the page where that is gone, once the dialog is closed. */
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

const look = { withBorder: true, closeButtonProps: { 'aria-label': 'Close' } } as const;

/** Tells at the window's edge that something was done. */
export function done(message: string): void {
  notifications.show({ ...look, message, color: 'harbor', autoClose: 4000 });
}

/** Tells that something did not work, where no form is open that could. */
export function failed(message: string): void {
  notifications.show({ ...look, message, color: 'red', autoClose: 8000, role: 'alert' });
}

interface Props {
  readonly row: { readonly id: string; readonly name: string; readonly enabled: boolean };
  readonly mutation: TypedDocumentNode<unknown, { id: string; input: { enabled: boolean } }>;
  readonly mayWrite: boolean;
}

/** Turns an entry of a list on or off at once; a word for those who may not. */
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

/** Whether something is on, in a word. */
export function OnOff({ isOn }: { readonly isOn: boolean }) {
  return <Status value={isOn ? 'ON' : 'OFF'} tone={isOn ? 'good' : 'quiet'} />;
}

interface IconActProps {
  readonly label: string;
  readonly Icon: TablerIcon;
  /** Shown on hover; the label where absent. */
  readonly tip?: string;
  onClick(): void;
}

/** A button that is an icon, with its name on hover. */
export function IconAct({ label, Icon, tip = label, onClick }: IconActProps) {
  return (
    <Tooltip label={tip}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
