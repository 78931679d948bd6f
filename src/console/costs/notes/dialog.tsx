import { Group } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { useAccountChoices } from '../../parts/choices/choices.tsx';
import { done, FormDialog } from '../../parts/form/dialog.tsx';
import { AnyField, TextField } from '../../parts/form/fields.tsx';
import { changesSince } from '../../parts/form/changed-fields.ts';
import { useFields } from '../../parts/form/form.tsx';
import { dayFieldFaults } from '../../parts/list/day-range.tsx';
import { CreateNote, UpdateNote, type Note } from './queries.ts';

/** Maximum length of a note's range, in days. */
const mostDays = 366;

interface Props {
  /** The note to change; absent for a new one. */
  readonly note?: Note;
  /** Day of a new note. */
  readonly day: string;
  /** Account of a new note, if the chart shows only one. */
  readonly accountId?: string | null;
  onClose(): void;
}

interface Fields {
  readonly text: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly accountId: string | null;
}

const names = {
  text: ['text', 'Note'],
  startDate: ['startDate', 'First day'],
  endDate: ['endDate', 'Last day'],
  accountId: ['accountId', 'Account'],
} as const;

/** Adds a note to a day or a range of days, or changes one. */
export function NoteDialog({ note: read, day, accountId = null, onClose }: Props) {
  // Keeps the first version, on which the edits are based: the note is refetched during editing.
  const [note] = useState(read);
  const { accountAccess } = useMe();
  const mustChoose = accountAccess !== null;
  const create = useAct(CreateNote);
  const update = useAct(UpdateNote);
  const of = note ? update : create;
  const [initial] = useState(() => pick(note ?? { text: '', startDate: day, endDate: day, accountId }));
  const faults = (fields: Fields) => faultsOf(fields, mustChoose);
  const { form, set, field, check, rest } = useFields<Fields, keyof Fields>(initial, faults, { of, names });
  const accounts = useAccountChoices();
  const submit = async () => {
    if (!check()) return;
    const input = { ...form, text: form.text.trim() };
    const saved = note ? await change(note, input) : await create.act({ input });
    if (!saved) return;
    onClose();
    done(note ? 'Note saved' : 'Note added');
  };
  const change = async ({ id, updatedAt }: Note, after: Fields) => {
    const input = changesSince(updatedAt, initial, after);
    return Object.keys(input).length === 0 || (await update.act({ id, input }));
  };
  return (
    <FormDialog
      title={note ? 'Edit note' : 'Add note'}
      verb={note ? 'Save changes' : 'Add note'}
      of={{ ...of, refusal: rest }}
      fields={{ form, set }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Note"
        placeholder="Migration to Graviton began"
        withAsterisk
        maxLength={500}
        data-autofocus
        {...field('text')}
      />
      <Group grow align="flex-start">
        <TextField type="date" label="First day" {...field('startDate')} />
        <TextField type="date" label="Last day" {...field('endDate')} />
      </Group>
      <AnyField
        label="Account"
        description={
          mustChoose
            ? 'Members with access to the account see the note.'
            : 'With an account, only members with access to it see the note; otherwise everyone does.'
        }
        placeholder={mustChoose ? 'Choose an account' : 'None'}
        choices={accounts}
        required={mustChoose}
        {...field('accountId')}
      />
    </FormDialog>
  );
}

function pick({ text, startDate, endDate, accountId }: Fields): Fields {
  return { text, startDate, endDate, accountId };
}

function faultsOf({ text, accountId, ...range }: Fields, mustChoose: boolean) {
  return {
    text: text.trim() === '' && 'Enter a note',
    ...dayFieldFaults(range, mostDays),
    accountId: mustChoose && accountId === null && 'Choose an account',
  };
}
