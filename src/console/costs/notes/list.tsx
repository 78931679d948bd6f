import { Group, Stack, Text } from '@mantine/core';
import { IconNote, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay, useMe, type Me } from '../../api/me.tsx';
import { ConfirmDialog } from '../../parts/form/dialog.tsx';
import { Act, ActMenu, Muted } from '../../parts/form/menu.tsx';
import type { UrlState } from '../../parts/list/url-state.ts';
import { days, shortDay, shortDays } from '../../words/format.ts';
import classes from './notes.module.css';
import { DeleteNote, type Note } from './queries.ts';

interface DayNotesProps {
  readonly notes: readonly Note[];
  onAdd(): void;
  onEdit(note: Note): void;
}

/** Notes of a day, with the button that adds one. */
export function DayNotes({ notes, onAdd, onEdit }: DayNotesProps) {
  const mayWrite = useMay('annotations.write');
  const me = useMe();
  const [deleted, setDeleted] = useState<Note | null>(null);
  if (notes.length === 0 && !mayWrite) return null;
  return (
    <Stack gap={6} mb="sm">
      {notes.length > 0 && (
        <ul className={`plain ${classes.notes}`} aria-label="Notes">
          {notes.map((note) => (
            <li key={note.id} className={classes.note}>
              <div>
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {note.text}
                </Text>
                <Muted size="xs">{originOf(note, me)}</Muted>
              </div>
              {mayWrite && mayChange(note, me) && (
                <ActMenu
                  label={`Actions for the note ${note.text}`}
                  items={[
                    { label: 'Edit note', Icon: IconPencil, onClick: () => onEdit(note) },
                    { label: 'Delete note', Icon: IconTrash, danger: true, onClick: () => setDeleted(note) },
                  ]}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {mayWrite && (
        <Group>
          <Act label="Add note" Icon={IconNote} size="xs" onClick={onAdd} />
        </Group>
      )}
      {deleted && (
        <ConfirmDialog
          title="Delete this note?"
          verb="Delete note"
          text={`“${deleted.text}” is deleted for everyone. This cannot be undone.`}
          mutation={DeleteNote}
          variables={{ id: deleted.id }}
          confirmation="Note deleted"
          onClose={() => setDeleted(null)}
        />
      )}
    </Stack>
  );
}

/** Whether a member may change a note: their own or, as an Admin, any. A note on all accounts requires access to all of them. */
function mayChange({ createdById, accountId }: Note, { user, role, accountAccess }: Me): boolean {
  const isOwner = createdById === user.id || role === 'ADMIN' || role === 'SUPER_ADMIN';
  return isOwner && (accountId !== null || accountAccess === null);
}

function originOf({ startDate, endDate, account, createdById, createdBy }: Note, { user }: Me): string {
  const who = createdById === user.id ? 'You' : (createdBy?.name ?? 'Former member');
  return [who, account?.name, startDate === endDate ? null : days(startDate, endDate)].filter(Boolean).join(' · ');
}

/** Notes shown below a chart. */
const most = 5;

interface ChartNotesProps {
  readonly notes: readonly Note[];
  readonly state: UrlState;
}

/** Notes of a chart's days; each opens its first day. */
export function ChartNotes({ notes, state }: ChartNotesProps) {
  if (notes.length === 0) return null;
  const shown = notes.slice(0, most);
  return (
    <ul className={`plain ${classes.below}`} aria-label="Notes in this period">
      {shown.map(({ id, text, startDate, endDate }) => (
        <li key={id}>
          <Act
            label={shortDays(startDate, endDate)}
            variant="transparent"
            size="compact-sm"
            p={0}
            aria-label={`Open ${shortDay(startDate)}`}
            onClick={() => state.set({ day: startDate })}
          />{' '}
          {text}
        </li>
      ))}
      {notes.length > shown.length && <li>{notes.length - shown.length} more</li>}
    </ul>
  );
}
