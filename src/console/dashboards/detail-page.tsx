import { IconLayoutGridAdd, IconPencil, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { MeQuery, useMe } from '../api/me.tsx';
import { type Answer, useAct, useAnswer } from '../api/use-api.ts';
import { ConfirmDialog, done } from '../parts/form/dialog.tsx';
import { Act, ActMenu } from '../parts/form/menu.tsx';
import { RestoredNote } from '../parts/form/restored-note.tsx';
import { useUnsavedFields } from '../parts/form/unsaved.ts';
import { Empty, Page, RefetchAlert, RefusalAlert, Shown } from '../parts/page/page.tsx';
import classes from './dashboards.module.css';
import { DashboardDialog, WidgetDialog, type WidgetForm } from './dialogs.tsx';
import { byPlace, changed, mostWidgets, placeFor, settled, sizeOf, type Step } from './layout.ts';
import {
  DashboardQuery,
  DeleteDashboard,
  inputOf,
  newWidgetId,
  UpdateDashboard,
  type Dashboard,
  type Widget,
} from './queries.ts';
import { mayChange } from './rights.ts';
import { DashboardSwitcher, overviewHref } from './switcher.tsx';
import { useGridDrag } from './use-grid-drag.ts';
import { WidgetCard } from './widget-card.tsx';

/** Page of a dashboard. */
export function DashboardPage() {
  const { id = '' } = useParams<{ id: string }>();
  const answer = useAnswer(DashboardQuery, { id });
  const found = answer.data?.dashboard ?? null;
  if (found) return <Loaded key={found.id} dashboard={found} answer={answer} />;
  if (answer.refusal?.status === 404 || (answer.data && !found)) return <Missing />;
  return (
    <Page title="Dashboard" actions={<DashboardSwitcher current={null} />}>
      <Shown of={answer} height={480}>
        {() => null}
      </Shown>
    </Page>
  );
}

/** The dashboard was deleted or is not shared. Refetches the caller, whose start page it may have been. */
function Missing() {
  const { again } = useAnswer(MeQuery, {});
  useEffect(again, [again]);
  return (
    <Page title="Dashboard" crumbs={[['Dashboards', '/dashboards']]}>
      <Empty
        title="Dashboard not available"
        text="It was deleted, or it is not shared with you."
        action={<Act label="Go to the overview" primary href={overviewHref} />}
      />
    </Page>
  );
}

type Opened = 'rename' | 'delete' | 'add' | Widget | null;

interface LoadedProps {
  readonly dashboard: Dashboard;
  readonly answer: Answer<unknown>;
}

function Loaded({ dashboard, answer }: LoadedProps) {
  const me = useMe();
  const [opened, open] = useState<Opened>(null);
  const layout = useLayout(dashboard);
  const mayEdit = mayChange(dashboard, me);
  return (
    <Page
      title={dashboard.name}
      lead={dashboard.visibility === 'PRIVATE' ? 'Visible to you only' : 'Shared with the organization'}
      actions={
        <>
          {layout.draft === null && <DashboardSwitcher current={dashboard} />}
          {mayEdit && <Acts layout={layout} onOpen={open} />}
        </>
      }
    >
      <RestoredNote onDiscard={layout.discard} />
      <RefetchAlert of={answer} />
      <RefusalAlert refusal={layout.refusal} />
      <Grid dashboard={dashboard} layout={layout} mayEdit={mayEdit} onOpen={open} />
      <Dialogs {...{ dashboard, layout, opened }} onClose={() => open(null)} />
    </Page>
  );
}

/** Layout that is being edited, with the `updatedAt` of the dashboard on which the edits are based. */
interface Editing {
  readonly widgets: readonly Widget[];
  readonly updatedAt: string;
}

type Layout = ReturnType<typeof useLayout>;

/** Layout of a dashboard: as stored, or a draft while it is being edited. */
function useLayout(dashboard: Dashboard) {
  const { act, isBusy, refusal, clear } = useAct(UpdateDashboard);
  // Keeps the `updatedAt` from the start of editing, because the dashboard is refetched meanwhile.
  const [editing, setEditing] = useState<Editing | null>(null);
  const draft = editing?.widgets ?? null;
  const widgets = draft ?? dashboard.widgets;
  const stored = settled(dashboard.widgets);
  const edit = (change: (before: readonly Widget[]) => readonly Widget[]) =>
    setEditing((before) => {
      const { widgets: now, updatedAt } = before ?? { ...dashboard, widgets: stored };
      return { widgets: change(now), updatedAt };
    });
  const { discard } = useUnsavedFields({
    form: { widgets: draft ?? stored },
    initial: { widgets: stored },
    set: (fields: { widgets: readonly Widget[] }) => edit(() => fields.widgets),
  });
  const store = async (next: readonly Widget[], ifUnmodifiedSince: string) => {
    const saved = await act({ id: dashboard.id, input: { widgets: next.map(inputOf), ifUnmodifiedSince } });
    if (!saved) return;
    setEditing(null);
    done(`Dashboard ${dashboard.name} saved`);
  };
  return {
    widgets,
    draft,
    discard,
    isBusy,
    refusal,
    edit,
    begin: () => edit((before) => before),
    cancel() {
      setEditing(null);
      clear();
    },
    save: () => editing && store(editing.widgets, editing.updatedAt),
    step: (id: string, step: Step) => edit((before) => changed(before, id, step)),
    /** Removes a widget from the draft, or from the stored dashboard if there is no draft. */
    remove(id: string) {
      const rest = widgets.filter((widget) => widget.id !== id);
      if (draft) edit(() => settled(rest));
      else void store(rest, dashboard.updatedAt);
    },
  };
}

interface ActsProps {
  readonly layout: Layout;
  onOpen(opened: Opened): void;
}

function Acts({ layout, onOpen }: ActsProps) {
  const isFull = layout.widgets.length >= mostWidgets;
  const add = <Act label="Add widget" Icon={IconLayoutGridAdd} disabled={isFull} onClick={() => onOpen('add')} />;
  if (layout.draft === null)
    return (
      <>
        {add}
        <Act label="Edit layout" Icon={IconPencil} onClick={layout.begin} />
        <ActMenu
          label="Actions for this dashboard"
          items={[
            { label: 'Rename or share', Icon: IconPencil, onClick: () => onOpen('rename') },
            { label: 'Delete dashboard', Icon: IconTrash, danger: true, onClick: () => onOpen('delete') },
          ]}
        />
      </>
    );
  return (
    <>
      {add}
      <Act label="Cancel" onClick={layout.cancel} />
      <Act label="Save layout" primary loading={layout.isBusy} onClick={() => void layout.save()} />
    </>
  );
}

interface GridProps extends ActsProps {
  readonly dashboard: Dashboard;
  readonly mayEdit: boolean;
}

function Grid({ dashboard, layout, mayEdit, onOpen }: GridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const gripOf = useGridDrag(grid, layout.step);
  const { widgets, draft } = layout;
  if (widgets.length === 0)
    return (
      <Empty
        title="No widgets yet"
        text="Widgets show saved views of the cost explorer as a chart, a table or a total."
        action={mayEdit && <Act label="Add widget" primary onClick={() => onOpen('add')} />}
      />
    );
  const editing = draft && { gripOf, onStep: layout.step, onEdit: onOpen };
  // Phones show one column in this order. It is fixed during editing, so that the focus is kept.
  const shown = draft ?? settled(widgets).toSorted(byPlace);
  return (
    <div ref={grid} className={classes.grid} aria-label={`Widgets of ${dashboard.name}`} role="group">
      {shown.map((widget) => (
        <WidgetCard
          key={widget.id}
          widget={widget}
          editing={editing}
          onRemove={mayEdit ? () => layout.remove(widget.id) : null}
        />
      ))}
    </div>
  );
}

interface DialogsProps {
  readonly dashboard: Dashboard;
  readonly layout: Layout;
  readonly opened: Opened;
  onClose(): void;
}

function Dialogs({ dashboard, layout, opened, onClose }: DialogsProps) {
  const { user } = useMe();
  const [, go] = useLocation();
  if (opened === null) return null;
  const add = (form: WidgetForm) =>
    layout.edit((before) => {
      const size = sizeOf(form.chart);
      return [...before, { ...form, ...size, ...placeFor(before, size), id: newWidgetId(before.length) }];
    });
  if (opened === 'rename')
    return <DashboardDialog dashboard={dashboard} isMine={dashboard.createdById === user.id} onClose={onClose} />;
  if (opened === 'add') return <WidgetDialog onSave={add} onClose={onClose} />;
  if (opened === 'delete')
    return (
      <ConfirmDialog
        title="Delete this dashboard?"
        verb="Delete dashboard"
        text={`“${dashboard.name}” is deleted${dashboard.visibility === 'PRIVATE' ? '' : ' for everyone'}. Its saved views are kept. This cannot be undone.`}
        mutation={DeleteDashboard}
        variables={{ id: dashboard.id }}
        confirmation={`Dashboard ${dashboard.name} deleted`}
        onDone={() => go('/dashboards', { replace: true })}
        onClose={onClose}
      />
    );
  const { id } = opened;
  const change = (form: WidgetForm) =>
    layout.edit((before) => before.map((one) => (one.id === id ? { ...one, ...form } : one)));
  return <WidgetDialog widget={opened} onSave={change} onClose={onClose} />;
}
