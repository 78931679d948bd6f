import { ActionIcon } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { useMemo, type CSSProperties, type ReactNode } from 'react';
import { useAnswer } from '../api/use-api.ts';
import { lastCompleteDay } from '../costs/period.ts';
import { CompleteThrough } from '../costs/queries.ts';
import { faultsOf, questionOf, rangeOf } from '../costs/question.ts';
import { Act, ActMenu } from '../parts/form/menu.tsx';
import { Card } from '../parts/page/card.tsx';
import { Empty, Shown, TextLink } from '../parts/page/page.tsx';
import { fixedState, pageHref, viewHref, viewQuery, type ViewQuery } from '../parts/views/address.ts';
import { days } from '../words/format.ts';
import classes from './dashboards.module.css';
import type { Step } from './layout.ts';
import type { Widget } from './queries.ts';
import type { useGridDrag } from './use-grid-drag.ts';
import { WidgetBody } from './widget-body.tsx';

/** What an editor of the layout can do with a widget. */
export interface Editing {
  readonly gripOf: ReturnType<typeof useGridDrag>;
  onStep(id: string, step: Step): void;
  onEdit(widget: Widget): void;
}

interface Props {
  readonly widget: Widget;
  /** Null unless the layout is being edited. */
  readonly editing: Editing | null;
  /** Removes the widget; null for members who may not. */
  readonly onRemove: (() => void) | null;
}

/** Title of a widget. */
export function titleOf({ title, view, viewId }: Widget): string {
  return title ?? view?.name ?? (viewId === null ? 'Costs' : 'View not available');
}

/** Widget in its place on the grid. */
export function WidgetCard({ widget, editing, onRemove }: Props) {
  const { x, y, w, h, viewId, view } = widget;
  const title = titleOf(widget);
  const place = { '--x': x, '--y': y, '--w': w, '--h': h } as CSSProperties;
  const query = viewQuery(view ? view.query : widget.query);
  const isGone = viewId !== null && !view;
  return (
    <div className={classes.place} style={place}>
      <Card
        title={title}
        actions={
          editing ? (
            <Tools widget={widget} editing={editing} onRemove={onRemove} />
          ) : (
            !isGone && <Open widget={widget} query={query} />
          )
        }
      >
        {isGone ? <Gone onRemove={onRemove} /> : <Asked widget={widget} query={query} title={title} />}
      </Card>
      {editing && (
        <button
          type="button"
          className={classes.resize}
          aria-label={`Resize ${title} with the arrow keys`}
          {...editing.gripOf(widget.id, 'resize')}
        />
      )}
    </div>
  );
}

/** The view of a widget is deleted, or private to another member. */
function Gone({ onRemove }: Pick<Props, 'onRemove'>) {
  return (
    <Empty
      title="View not available"
      text="The saved view of this widget was deleted or is not shared with you."
      action={onRemove && <Act label="Remove" onClick={onRemove} />}
    />
  );
}

function Open({ widget: { view }, query }: { readonly widget: Widget; readonly query: ViewQuery }) {
  const href = view ? viewHref({ id: view.id, page: 'COSTS', query }) : pageHref('COSTS', query);
  return (
    <TextLink href={href} size="xs">
      Open in Costs
    </TextLink>
  );
}

interface AskedProps extends Pick<Props, 'widget'> {
  readonly query: ViewQuery;
  readonly title: string;
}

/** Reads the query of a widget as the explorer reads its address. */
function Asked({ widget: { chart, h }, query, title }: AskedProps) {
  const state = useMemo(() => fixedState(query), [query]);
  const hasDays = state.has('to');
  const known = useAnswer(CompleteThrough, {}, { pause: hasDays });
  const lastDay = lastCompleteDay(known.data?.costsDaily?.completeThrough ?? null);
  const faults = faultsOf(state, rangeOf(state, lastDay));
  const question = useMemo(() => questionOf(state, lastDay), [state, lastDay]);
  if (faults.length > 0) return <Faulty texts={faults.map(({ text }) => text)} />;
  if (!hasDays && known.data === null)
    return (
      <Shown of={known} height={90}>
        {() => null}
      </Shown>
    );
  return (
    <>
      <WidgetBody title={title} question={question} chart={chart} rows={h} />
      <span className={classes.days}>{days(question.range.from, question.range.to)}</span>
    </>
  );
}

function Faulty({ texts }: { readonly texts: readonly ReactNode[] }) {
  return <Empty title="This view is not valid" text={<>{texts} Open it in Costs to correct it.</>} />;
}

/** Grip and menu of a widget: everything that dragging does is in the menu, too. */
function Tools({ widget, editing, onRemove }: Props & { readonly editing: Editing }) {
  const { id } = widget;
  const title = titleOf(widget);
  const step = (label: string, by: Step) => ({ label, onClick: () => editing.onStep(id, by) });
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.grip}
        aria-label={`Move ${title} with the arrow keys`}
        {...editing.gripOf(id, 'move')}
      >
        <IconGripVertical size={18} aria-hidden />
      </ActionIcon>
      <ActMenu
        label={`Actions for ${title}`}
        items={[
          { label: 'Edit widget', onClick: () => editing.onEdit(widget) },
          '-',
          step('Move left', { x: -1 }),
          step('Move right', { x: 1 }),
          step('Move up', { y: -1 }),
          step('Move down', { y: 1 }),
          step('Wider', { w: 1 }),
          step('Narrower', { w: -1 }),
          step('Taller', { h: 1 }),
          step('Shorter', { h: -1 }),
          onRemove && { label: 'Remove', danger: true, onClick: onRemove },
        ]}
      />
    </>
  );
}
