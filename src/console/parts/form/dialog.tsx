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
import type { FieldState } from './drafts.ts';
import { Form, type Sending } from './form.tsx';
import { RestoredNote } from './restored-note.tsx';
import { useUnsavedFields } from './unsaved.ts';

/** Dialog that takes the focus when it opens and restores it when it closes. */
export function Dialog({ children, ...props }: ModalProps) {
  useFocusBack(props.opened);
  return (
    <Modal closeButtonProps={{ 'aria-label': 'Close' }} {...props}>
      <div ref={focusFirst}>{children}</div>
    </Modal>
  );
}

/** Focuses the first field as soon as it exists. Mantine does so in a timer, and keys pressed before it would still reach the
 *  element that opened the dialog: a fast typist's Enter followed the link behind it. */
function focusFirst(content: HTMLElement | null): void {
  content?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });
}

export interface FormDialogProps {
  readonly title: string;
  /** Label of the submit button. */
  readonly verb: string;
  readonly of: Sending;
  /** Styles the button for a destructive change. */
  readonly danger?: boolean | undefined;
  readonly size?: string;
  /** Once they have changed, closing the dialog requires confirmation, except by Cancel. Absent if they are few and short. */
  readonly fields?: FieldState;
  readonly children?: ReactNode;
  onSubmit(): unknown;
  onClose(): void;
  /** Reads again what others have changed, after the dialog closed; default: reloads the page.
   *  @param id the changed record; null if unknown */
  onReload?(id: string | null): void;
}

/** Form in a dialog: Enter submits, Escape closes, errors appear above the buttons. The dialog is open while it is rendered. A
 *  stray click beside it does not discard what was entered. */
export function FormDialog(props: FormDialogProps) {
  const { title, verb, of, danger, size = 'md', fields, children, onSubmit, onClose, onReload } = props;
  const { mayDiscard, discard } = useUnsavedFields(fields, title);
  const reload = () => {
    onClose();
    onReload?.(of.refusal?.resourceId ?? null);
  };
  return (
    <Dialog opened onClose={() => mayDiscard() && onClose()} title={title} size={size} closeOnClickOutside={false}>
      <Form isBusy={of.isBusy} onSubmit={onSubmit} gap="sm">
        <RestoredNote onDiscard={discard} />
        {children}
        <RefusalAlert refusal={of.refusal} onOver={of.clear} onReload={onReload && reload} />
        <Group justify="flex-end" gap="xs" mt="xs">
          <Act label="Cancel" onClick={onClose} />
          <Act label={verb} primary type="submit" loading={of.isBusy} {...(danger && { color: 'red.8' })} />
        </Group>
      </Form>
    </Dialog>
  );
}

interface ActDialogProps<Variables extends AnyVariables> extends Pick<
  FormDialogProps,
  'title' | 'verb' | 'danger' | 'size' | 'fields' | 'onClose' | 'onReload'
> {
  /** Consequences of the change, and whether it can be undone. */
  readonly text?: ReactNode;
  readonly mutation: TypedDocumentNode<unknown, Variables>;
  /** Input of the mutation. A function reads it from the fields: null if they are invalid, undefined if nothing has changed. */
  readonly variables: Variables | (() => Variables | null | undefined);
  /** Success message. */
  readonly confirmation: string;
  /** Fields. */
  readonly children?: ReactNode;
  onDone?(): void;
}

/** Dialog that runs a change. */
export function ActDialog<Variables extends AnyVariables>(props: ActDialogProps<Variables>) {
  const { text, mutation, variables, confirmation, children, onDone, ...dialog } = props;
  const change = useAct(mutation);
  const submit = async () => {
    const input = typeof variables === 'function' ? variables() : variables;
    if (input === null || (input && !(await change.act(input)))) return;
    onDone?.();
    dialog.onClose();
    if (input) done(confirmation);
  };
  return (
    <FormDialog of={change} onSubmit={submit} {...dialog}>
      {text && (
        <Text component="div" size="sm">
          {text}
        </Text>
      )}
      {children}
    </FormDialog>
  );
}

type ConfirmProps<Variables extends AnyVariables> = Omit<ActDialogProps<Variables>, 'children'>;

/** Asks for confirmation of a destructive change, then runs it. */
export function ConfirmDialog<Variables extends AnyVariables>(props: ConfirmProps<Variables>) {
  return <ActDialog danger {...props} />;
}

interface ConfirmButtonProps<Variables extends AnyVariables> extends Omit<ConfirmProps<Variables>, 'onClose'> {
  readonly label: string;
  readonly button?: ButtonProps & { readonly 'aria-label'?: string };
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
  /** @param reason the reason entered; undefined if empty, which keeps the reason of a record that already has the status */
  variablesOf(reason?: string): Variables;
}

/** Changes a status, with an optional reason for others to read. */
export function ReasonDialog<Variables extends AnyVariables>({ variablesOf, ...dialog }: ReasonProps<Variables>) {
  const [reason, setReason] = useState('');
  return (
    <ActDialog
      {...dialog}
      // The variables identify the changed records, of which a list can have several.
      fields={{ form: { reason, of: variablesOf() }, set: (draft: { reason: string }) => setReason(draft.reason) }}
      variables={() => variablesOf(reason.trim() || undefined)}
    >
      <Textarea
        label="Reason"
        description="Optional. Visible to everyone with access."
        maxLength={500}
        autosize
        minRows={2}
        maxRows={8}
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ActDialog>
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
  /** Success message. */
  readonly confirmation?: (isOn: boolean) => string;
}

/** Switch that enables or disables a list entry immediately; plain text without write permission. */
export function OnSwitch({ row: { id, name, enabled }, mutation, mayWrite, confirmation }: Props) {
  const { act, refusal } = useAct(mutation);
  useEffect(() => {
    if (refusal) failed(`${name} was not changed: ${refusal.message}`);
  }, [refusal, name]);
  if (!mayWrite) return <Status value={enabled ? 'ENABLED' : 'DISABLED'} tone={enabled ? 'good' : 'quiet'} />;
  const turn = async (isOn: boolean) => {
    if ((await act({ id, input: { enabled: isOn } })) && confirmation) done(confirmation(isOn));
  };
  return (
    <Switch
      aria-label={`${name} is on`}
      checked={enabled}
      onChange={(event) => void turn(event.currentTarget.checked)}
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
  readonly loading?: boolean;
  onClick(): void;
}

/** Icon button with a tooltip. */
export function IconAct({ label, Icon, tip = label, loading = false, onClick }: IconActProps) {
  return (
    <Tooltip label={tip}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} loading={loading} onClick={onClick}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
