import { Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { TypedDocumentNode } from 'urql';
import { useAct } from '../../api/use-api.ts';
import { useAssigneeChoices, usePeople } from '../choices/choices.tsx';
import { counted } from '../../words/format.ts';
import { Card } from '../page/card.tsx';
import { RefusalAlert } from '../page/page.tsx';
import { ActDialog, done } from './dialog.tsx';
import { AnyField } from './fields.tsx';
import { Form } from './form.tsx';
import { Act, Muted } from './menu.tsx';
import { RestoredNote } from './restored-note.tsx';
import { useUnsavedFields } from './unsaved.ts';

// Shared by anomalies and recommendations.

interface Triaged {
  readonly id: string;
  readonly accountId: string;
  readonly assigneeId: string | null;
  readonly note: string | null;
}

type Update = TypedDocumentNode<
  unknown,
  { id: string; input: { assigneeId?: string | null; note?: string | null; ifNote?: string | null } }
>;

interface Props {
  readonly record: Triaged;
  readonly mutation: Update;
  readonly mayWrite: boolean;
}

/** Assignee and note of a record, edited in place. */
export function TriageCard(props: Props) {
  const { record, mayWrite } = props;
  const personName = usePeople();
  return (
    <Card title="Assignee and note">
      <Stack gap="md">
        {mayWrite ? (
          <AssigneeField {...props} />
        ) : (
          <div>
            <Muted size="xs">Assignee</Muted>
            <Text size="sm">{record.assigneeId === null ? 'Unassigned' : personName(record.assigneeId)}</Text>
          </div>
        )}
        {mayWrite ? <NoteField key={record.id} {...props} /> : <Note text={record.note} />}
      </Stack>
    </Card>
  );
}

function AssigneeField({ record: { id, accountId, assigneeId }, mutation }: Props) {
  const choices = useAssigneeChoices([accountId]);
  const { act, isBusy, refusal, clear } = useAct(mutation);
  const assign = async (next: string | null) => {
    if (await act({ id, input: { assigneeId: next } })) done(next === null ? 'Unassigned.' : 'Assigned.');
  };
  return (
    <>
      <AnyField
        label="Assignee"
        placeholder="Unassigned"
        choices={choices}
        value={assigneeId}
        disabled={isBusy}
        maw={320}
        onChange={(next) => void assign(next)}
      />
      <RefusalAlert refusal={refusal} onOver={clear} />
    </>
  );
}

function Note({ text }: { readonly text: string | null }) {
  return (
    <div>
      <Muted size="xs">Note</Muted>
      <Text size="sm" maw={860} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text ?? 'No note'}
      </Text>
    </div>
  );
}

function NoteField({ record: { id, note }, mutation }: Props) {
  // Keeps the note on which the edits are based: the record is refetched during editing.
  const [edit, setEdit] = useState<{ readonly typed: string; readonly read: string | null } | null>(null);
  const change = useAct(mutation);
  const stored = note ?? '';
  const { discard } = useUnsavedFields({
    form: { note: edit?.typed ?? stored },
    initial: { note: edit ? (edit.read ?? '') : stored },
    set: (fields: { note: string }) => setEdit({ typed: fields.note, read: note }),
  });
  if (edit === null)
    return (
      <div>
        <Note text={note} />
        <Act
          label={note === null ? 'Add note' : 'Edit note'}
          size="compact-sm"
          mt={6}
          onClick={() => setEdit({ typed: stored, read: note })}
        />
      </div>
    );
  const { typed, read } = edit;
  const save = async () => {
    if (!(await change.act({ id, input: { note: typed.trim() || null, ifNote: read } }))) return;
    setEdit(null);
    done('Note saved.');
  };
  return (
    <Form isBusy={change.isBusy} onSubmit={save} gap="xs">
      <RestoredNote onDiscard={discard} />
      <NoteInput value={typed} onChange={(text) => setEdit({ typed: text, read })} />
      <RefusalAlert refusal={change.refusal} onOver={change.clear} />
      <Group gap="xs">
        <Act label="Save note" primary type="submit" size="compact-sm" loading={change.isBusy} />
        <Act label="Cancel" size="compact-sm" onClick={() => setEdit(null)} />
      </Group>
    </Form>
  );
}

/** Focuses the field as soon as it replaces the button that opened it. */
function focus(field: HTMLElement | null): void {
  field?.focus({ preventScroll: true });
}

function NoteInput({ value, onChange }: { readonly value: string; onChange(value: string): void }) {
  return (
    <Textarea
      label="Note"
      description="Visible to everyone with access."
      maxLength={2000}
      autosize
      minRows={2}
      maxRows={12}
      maw={860}
      ref={focus}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type UpdateAll = TypedDocumentNode<unknown, { input: { ids: string[]; assigneeId: string | null } }>;

interface AssignProps {
  readonly rows: readonly Pick<Triaged, 'id' | 'accountId'>[];
  readonly noun: readonly [one: string, many?: string];
  readonly mutation: UpdateAll;
  onDone(): void;
  onClose(): void;
}

/** Assigns several records to a member with access to all of them, or unassigns them. */
export function AssignDialog({ rows, noun: [one, many], mutation, onDone, onClose }: AssignProps) {
  const [assigneeId, setAssignee] = useState<string | null>(null);
  const choices = useAssigneeChoices(rows.map(({ accountId }) => accountId));
  const count = counted(rows.length, one, many);
  return (
    <ActDialog
      title={`Assign ${count}`}
      verb={assigneeId === null ? 'Unassign' : 'Assign'}
      mutation={mutation}
      variables={{ input: { ids: rows.map(({ id }) => id), assigneeId } }}
      confirmation={assigneeId === null ? `${count} unassigned.` : `${count} assigned.`}
      onDone={onDone}
      onClose={onClose}
    >
      <AnyField
        label="Assignee"
        placeholder="Unassigned"
        description="Members with access to the accounts."
        choices={choices}
        value={assigneeId}
        data-autofocus
        // Its options would cover the buttons of the dialog, which opens with the focus here.
        openOnFocus={false}
        onChange={setAssignee}
      />
    </ActDialog>
  );
}
