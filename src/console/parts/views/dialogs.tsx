import { useState } from 'react';
import { useMay } from '../../api/me.tsx';
import { useAllPages } from '../../api/all-pages.ts';
import { useAct } from '../../api/use-api.ts';
import { ConfirmDialog, done, FormDialog } from '../form/dialog.tsx';
import { OneField, TextField, Toggle } from '../form/fields.tsx';
import { changesSince } from '../form/changed-fields.ts';
import { useFields } from '../form/form.tsx';
import type { ViewQuery } from './address.ts';
import {
  CreateSavedView,
  DashboardViews,
  DeleteSavedView,
  UpdateSavedView,
  type SavedView,
  type ViewPage,
  type Visibility,
} from './queries.ts';

const visibilities = [
  { value: 'PRIVATE', label: 'Only me' },
  { value: 'ORGANIZATION', label: 'Everyone in the organization' },
] as const;

interface VisibilityFieldProps {
  readonly value: Visibility;
  /** Whether the choice is fixed, because the record belongs to another member. */
  readonly isFixed?: boolean;
  onChange(value: Visibility): void;
}

/** Field for the visibility of a view or dashboard; absent for Viewers, whose records stay private. */
export function VisibilityField({ value, isFixed = false, onChange }: VisibilityFieldProps) {
  const mayShare = useMay('views.share');
  if (!mayShare || isFixed) return null;
  return (
    <OneField
      label="Visible to"
      choices={visibilities}
      value={value}
      onChange={onChange}
      {...(value === 'ORGANIZATION' && {
        description: 'Members with access to some accounts see it only if it is filtered to their accounts.',
        inputWrapperOrder: ['label', 'input', 'description', 'error'],
      })}
    />
  );
}

/** Validates the name of a view or dashboard. */
export function nameFault({ name }: { readonly name: string }) {
  return { name: name.trim() === '' && 'Enter a name' };
}

/** API name and label of the name field. */
export const nameNames = { name: ['name', 'Name'] } as const;

interface SaveProps {
  readonly page: ViewPage;
  readonly query: ViewQuery;
  /** Called with the ID of the new view and its query. */
  onDone(id: string, query: ViewQuery): void;
  onClose(): void;
}

/** Saves the current filters and settings of a page as a view. */
export function SaveDialog({ page, query, onDone, onClose }: SaveProps) {
  const create = useAct(CreateSavedView);
  const hasDays = 'from' in query || 'to' in query;
  const initial = { name: '', visibility: 'PRIVATE' as Visibility, keepsDays: true };
  const { form, field, check, rest } = useFields(initial, nameFault, { of: create, names: nameNames });
  const submit = async () => {
    if (!check()) return;
    const { from: _from, to: _to, ...undated } = query;
    const kept = form.keepsDays ? query : undated;
    const input = { name: form.name.trim(), page, query: kept, visibility: form.visibility };
    const made = (await create.act({ input }))?.createSavedView;
    if (!made) return;
    onDone(made.id, kept);
    onClose();
    done(`View ${made.name} saved`);
  };
  return (
    <FormDialog
      title="Save view"
      verb="Save view"
      of={{ ...create, refusal: rest }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" withAsterisk maxLength={100} data-autofocus {...field('name')} />
      <VisibilityField {...field('visibility')} />
      {hasDays && (
        <Toggle
          label="Keep these dates"
          description="Off: the view always shows the most recent days."
          checked={form.keepsDays}
          onChange={field('keepsDays').onChange}
        />
      )}
    </FormDialog>
  );
}

interface RenameProps {
  readonly view: SavedView;
  readonly isMine: boolean;
  onClose(): void;
}

/** Changes the name and visibility of a view. */
export function RenameDialog({ view: read, isMine, onClose }: RenameProps) {
  // Keeps the first version, on which the edits are based: the view is refetched during editing.
  const [view] = useState(read);
  const update = useAct(UpdateSavedView);
  const [initial] = useState({ name: view.name, visibility: view.visibility });
  const { form, field, check, rest } = useFields(initial, nameFault, { of: update, names: nameNames });
  const submit = async () => {
    if (!check()) return;
    const input = changesSince(view.updatedAt, initial, { ...form, name: form.name.trim() });
    if (Object.keys(input).length > 0) {
      const saved = (await update.act({ id: view.id, input }))?.updateSavedView;
      if (!saved) return;
      done(`View ${saved.name} saved`);
    }
    onClose();
  };
  return (
    <FormDialog
      title="Edit view"
      verb="Save changes"
      of={{ ...update, refusal: rest }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" withAsterisk maxLength={100} data-autofocus {...field('name')} />
      <VisibilityField isFixed={!isMine} {...field('visibility')} />
    </FormDialog>
  );
}

interface DeleteProps {
  readonly view: SavedView;
  onDone(): void;
  onClose(): void;
}

/** Deletes a view, and names the dashboards that show it. */
export function DeleteDialog({ view: { id, name, visibility }, onDone, onClose }: DeleteProps) {
  const { rows: dashboards } = useAllPages(DashboardViews, {});
  const showing = (dashboards ?? []).filter(({ widgets }) => widgets.some(({ viewId }) => viewId === id));
  const whose = visibility === 'ORGANIZATION' ? ' for everyone' : '';
  const named = showing.length === 0 ? '' : `: ${showing.map((one) => `“${one.name}”`).join(', ')}`;
  return (
    <ConfirmDialog
      title="Delete this view?"
      verb="Delete view"
      text={`“${name}” is deleted${whose}. Dashboards that show it keep an empty widget${named}. This cannot be undone.`}
      mutation={DeleteSavedView}
      variables={{ id }}
      confirmation={`View ${name} deleted`}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
