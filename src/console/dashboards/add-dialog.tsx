import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { useLocation } from 'wouter';
import { useAllPages } from '../api/all-pages.ts';
import { useMe } from '../api/me.tsx';
import { Refusal, refusalOf } from '../api/refusal.ts';
import { useAct, useCall } from '../api/use-api.ts';
import { done, failed, FormDialog } from '../parts/form/dialog.tsx';
import { OneField, TextField } from '../parts/form/fields.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { isSameQuery, queryOfState, savedKey, viewQuery, type ViewQuery } from '../parts/views/address.ts';
import { SavedViewsQuery } from '../parts/views/queries.ts';
import { chartChoices } from './dialogs.tsx';
import { mostWidgets, placeFor, sizeOf } from './layout.ts';
import {
  CreateDashboard,
  DashboardQuery,
  DashboardsQuery,
  inputOf,
  UpdateDashboard,
  type DashboardRow,
  type WidgetChart,
  type WidgetInput,
} from './queries.ts';
import { mayChange } from './rights.ts';

interface Props {
  /** State of the cost explorer. */
  readonly state: UrlState;
  onClose(): void;
}

/** Adds the costs that the explorer shows to a dashboard. */
export function AddToDashboard({ state, onClose }: Props) {
  const me = useMe();
  const found = useAllPages(DashboardsQuery, { sortBy: 'NAME_ASC' });
  const viewId = state.one(savedKey);
  const views = useAllPages(SavedViewsQuery, { pages: ['COSTS'], sortBy: 'NAME_ASC' }, { pause: viewId === null });
  const query = queryOfState(state);
  const view = views.rows?.find(({ id }) => id === viewId);
  const shown =
    view && isSameQuery(query, viewQuery(view.query)) ? { viewId: view.id, query: null } : { viewId: null, query };
  const refusal = found.refusal ?? views.refusal;
  useEffect(() => {
    if (!refusal) return;
    failed(`The dashboards could not be loaded: ${refusal.message}`);
    onClose();
  }, [refusal, onClose]);
  if (!found.rows || (viewId !== null && !view && !views.isWhole)) return null;
  const own = found.rows.filter((one) => mayChange(one, me));
  return <AddForm dashboards={own} shown={shown} name={view?.name ?? ''} onClose={onClose} />;
}

interface FormProps {
  readonly dashboards: readonly DashboardRow[];
  readonly shown: { readonly viewId: string | null; readonly query: ViewQuery | null };
  /** Name of the view. */
  readonly name: string;
  onClose(): void;
}

const fresh = 'new';

type NewWidget = FormProps['shown'] & Pick<WidgetInput, 'chart' | 'title'>;

/** Adds a widget in the first free place. */
function withWidget(before: readonly WidgetInput[], widget: NewWidget): WidgetInput[] {
  const size = sizeOf(widget.chart);
  return [...before, { ...widget, ...size, ...placeFor(before, size) }];
}

/** Adds a widget to a dashboard as it is now, even if another member changes it at the same time. */
function useAddWidget() {
  const client = useClient();
  const { run, ...state } = useCall();
  const put = async (id: string, widget: NewWidget) => {
    const read = await client.query(DashboardQuery, { id }, { requestPolicy: 'network-only' }).toPromise();
    if (read.error) throw refusalOf(read.error);
    if (!read.data?.dashboard) return null;
    const { widgets, updatedAt } = read.data.dashboard;
    const input = { widgets: withWidget(widgets.map(inputOf), widget), ifUnmodifiedSince: updatedAt };
    const { data, error } = await client.mutation(UpdateDashboard, { id, input }).toPromise();
    if (error) throw refusalOf(error);
    return data?.updateDashboard ?? null;
  };
  const add = async (id: string, widget: NewWidget) => {
    const result = await run(() =>
      put(id, widget).catch((error: unknown) => {
        if (error instanceof Refusal && error.isStale) return put(id, widget);
        throw error;
      }),
    );
    return result && 'value' in result ? result.value : null;
  };
  return { add, ...state };
}

function AddForm({ dashboards, shown, name, onClose }: FormProps) {
  const [, go] = useLocation();
  const create = useAct(CreateDashboard);
  const { add, ...update } = useAddWidget();
  const open = dashboards.filter(({ widgets }) => widgets.length < mostWidgets);
  const [target, setTarget] = useState(open[0]?.id ?? fresh);
  const [newName, setNewName] = useState('');
  const [chart, setChart] = useState<WidgetChart>('BAR');
  const [title, setTitle] = useState(name);
  const dashboard = open.find(({ id }) => id === target);
  const submit = async () => {
    const widget = { ...shown, chart, title: title.trim() || null };
    const saved = dashboard
      ? await add(dashboard.id, widget)
      : (await create.act({ input: { name: newName.trim(), widgets: withWidget([], widget) } }))?.createDashboard;
    if (!saved) return;
    onClose();
    go(`/dashboards/${saved.id}`);
    done(`Added to ${saved.name}`);
  };
  const choices = [
    ...open.map(({ id, name: label }) => ({ value: id, label })),
    { value: fresh, label: 'New dashboard' },
  ];
  return (
    <FormDialog
      title="Add to dashboard"
      verb="Add to dashboard"
      of={dashboard ? update : create}
      onSubmit={submit}
      onClose={onClose}
    >
      <OneField label="Dashboard" choices={choices} value={target} searchable limit={200} onChange={setTarget} />
      {!dashboard && (
        <TextField label="Dashboard name" withAsterisk maxLength={100} value={newName} onChange={setNewName} />
      )}
      <OneField label="Show as" choices={chartChoices} value={chart} onChange={(next) => setChart(next)} />
      <TextField label="Title" placeholder="Costs" data-autofocus maxLength={100} value={title} onChange={setTitle} />
    </FormDialog>
  );
}
