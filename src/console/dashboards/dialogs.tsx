import { Select } from '@mantine/core';
import { useState } from 'react';
import { useAllPages } from '../api/all-pages.ts';
import { useAct } from '../api/use-api.ts';
import { done, FormDialog } from '../parts/form/dialog.tsx';
import { OneField, TextField } from '../parts/form/fields.tsx';
import type { Choice } from '../parts/list/filters.tsx';
import { changesSince } from '../parts/form/changed-fields.ts';
import { useFields } from '../parts/form/form.tsx';
import { nameFault, nameNames, VisibilityField } from '../parts/views/dialogs.tsx';
import { SavedViewsQuery, type Visibility } from '../parts/views/queries.ts';
import { CreateDashboard, UpdateDashboard, type Dashboard, type Widget, type WidgetChart } from './queries.ts';

/** Charts of a widget. */
export const chartChoices: readonly Choice<WidgetChart>[] = [
  { value: 'BAR', label: 'Bars' },
  { value: 'AREA', label: 'Areas' },
  { value: 'LINE', label: 'Lines' },
  { value: 'CUMULATIVE', label: 'Cumulative' },
  { value: 'TABLE', label: 'Table' },
  { value: 'NUMBER', label: 'Number with change' },
];

interface DashboardDialogProps {
  /** The dashboard to change; absent for a new one. */
  readonly dashboard?: Pick<Dashboard, 'id' | 'name' | 'visibility' | 'updatedAt'>;
  readonly isMine: boolean;
  /** Called with the ID of the saved dashboard. */
  onDone?(id: string): void;
  onClose(): void;
}

/** Creates a dashboard, or changes its name and visibility. */
export function DashboardDialog({ dashboard: read, isMine, onDone, onClose }: DashboardDialogProps) {
  // Keeps the first version, on which the edits are based: the dashboard is refetched during editing.
  const [dashboard] = useState(read);
  const create = useAct(CreateDashboard);
  const update = useAct(UpdateDashboard);
  const of = dashboard ? update : create;
  const [initial] = useState({
    name: dashboard?.name ?? '',
    visibility: dashboard?.visibility ?? ('PRIVATE' as Visibility),
  });
  const { form, field, check, rest } = useFields(initial, nameFault, { of, names: nameNames });
  const submit = async () => {
    if (!check()) return;
    const input = { ...form, name: form.name.trim() };
    const saved = dashboard ? await change(dashboard, input) : (await create.act({ input }))?.createDashboard;
    if (!saved) return;
    onDone?.(saved.id);
    onClose();
    done(dashboard ? `Dashboard ${saved.name} saved` : `Dashboard ${saved.name} created`);
  };
  const change = async (before: Pick<Dashboard, 'id' | 'name' | 'updatedAt'>, after: typeof initial) => {
    const input = changesSince(before.updatedAt, initial, after);
    if (Object.keys(input).length === 0) return before;
    return (await update.act({ id: before.id, input }))?.updateDashboard;
  };
  return (
    <FormDialog
      title={dashboard ? 'Edit dashboard' : 'New dashboard'}
      verb={dashboard ? 'Save changes' : 'Create dashboard'}
      of={{ ...of, refusal: rest }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" withAsterisk maxLength={100} data-autofocus {...field('name')} />
      <VisibilityField isFixed={!isMine} {...field('visibility')} />
    </FormDialog>
  );
}

/** Content and chart of a widget. */
export type WidgetForm = Pick<Widget, 'viewId' | 'view' | 'query' | 'chart' | 'title'>;

interface WidgetDialogProps {
  /** The widget to change; absent for a new one. */
  readonly widget?: WidgetForm;
  onSave(form: WidgetForm): void;
  onClose(): void;
}

/** Query of a widget without a saved view. */
const byService = { group: 'service' };
const ownQuery = 'query';

/** Adds or changes a widget of the layout that is being edited. */
export function WidgetDialog({ widget, onSave, onClose }: WidgetDialogProps) {
  const views = useAllPages(SavedViewsQuery, { pages: ['COSTS'], sortBy: 'NAME_ASC' }).rows ?? [];
  const [source, setSource] = useState(widget?.viewId ?? ownQuery);
  const [chart, setChart] = useState<WidgetChart>(widget?.chart ?? 'BAR');
  const [title, setTitle] = useState(widget?.title ?? '');
  const own = { value: ownQuery, label: widget?.query ? 'Current query' : 'Costs by service' };
  const known = views.map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = source === ownQuery || known.some(({ value }) => value === source);
  const submit = () => {
    const view = views.find(({ id }) => id === source) ?? (source === widget?.viewId ? widget.view : null);
    const shown =
      source === ownQuery
        ? { viewId: null, view: null, query: widget?.query ?? byService }
        : { viewId: source, view, query: null };
    onSave({ ...shown, chart, title: title.trim() || (source === ownQuery ? own.label : null) });
    onClose();
  };
  return (
    <FormDialog
      title={widget ? 'Edit widget' : 'Add widget'}
      verb={widget ? 'Apply' : 'Add widget'}
      of={{ isBusy: false, refusal: null }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label="Saved view"
        description="Save more views in the cost explorer."
        data={[own, ...known, ...(isKnown ? [] : [{ value: source, label: 'View not available' }])]}
        value={source}
        allowDeselect={false}
        searchable
        limit={200}
        onChange={(value) => setSource(value ?? ownQuery)}
      />
      <OneField label="Show as" choices={chartChoices} value={chart} onChange={(next) => setChart(next)} />
      <TextField
        label="Title"
        data-autofocus
        description="Default: the name of the view"
        maxLength={100}
        value={title}
        onChange={setTitle}
      />
    </FormDialog>
  );
}
