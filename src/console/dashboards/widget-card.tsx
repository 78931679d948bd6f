import { ActionIcon } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { useMemo, type CSSProperties } from 'react';
import { useMe } from '../api/me.tsx';
import { useAnswer } from '../api/use-api.ts';
import { lastDayOf } from '../costs/last-day.ts';
import { LastCompleteDay } from '../costs/queries.ts';
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
import { Faulty, WidgetBody } from './widget-body.tsx';

/** Actions of a layout editor on a widget. */
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
function titleOf({ title, view, viewId }: Widget): string {
  return title ?? view?.name ?? (viewId === null ? 'Costs' : 'View not available');
}

/** Widget in its place on the grid. */
export function WidgetCard({ widget, editing, onRemove }: Props) {
  const { x, y, w, h, viewId, view, chart } = widget;
  const title = titleOf(widget);
  const place = { '--x': x, '--y': y, '--w': w, '--h': h } as CSSProperties;
  const isGone = viewId !== null && !view;
  const stored = view ? view.query : widget.query;
  const query = useMemo(() => viewQuery(stored), [stored]);
  const asked = useQuestion(query, isGone);
  return (
    <div className={classes.place} style={place}>
      <Card
        title={title}
        isOneLine
        note={asked.question && days(asked.question.range.from, asked.question.range.to)}
        flush={chart === 'TABLE' && asked.question !== null}
        actions={
          editing ? (
            <Tools widget={widget} editing={editing} onRemove={onRemove} />
          ) : (
            !isGone && <Open widget={widget} query={query} />
          )
        }
      >
        {isGone ? <Gone onRemove={onRemove} /> : <Asked asked={asked} query={query} widget={widget} title={title} />}
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

/** Reads the query of a widget as the explorer reads its address; the question is null until its days are known, and if it is
 *  not valid. */
function useQuestion(query: ViewQuery, isGone: boolean) {
  const state = useMemo(() => fixedState(query), [query]);
  const known = useAnswer(LastCompleteDay, {}, { pause: isGone, isLasting: true });
  const lastDay = lastDayOf(known.data);
  const fiscalStart = useMe().organization.fiscalYearStartMonth;
  const faults = faultsOf(state, rangeOf(state, lastDay, fiscalStart)).map(({ text }) => text);
  const isReady = !isGone && faults.length === 0 && known.data !== null;
  const question = useMemo(
    () => (isReady ? questionOf(state, lastDay, fiscalStart) : null),
    [state, lastDay, fiscalStart, isReady],
  );
  return { question, faults, known };
}

interface AskedProps extends Pick<Props, 'widget'> {
  readonly asked: ReturnType<typeof useQuestion>;
  readonly query: ViewQuery;
  readonly title: string;
}

function Asked({ asked: { question, faults, known }, query, widget: { chart, h }, title }: AskedProps) {
  if (faults.length > 0) return <Faulty texts={faults} />;
  if (question) return <WidgetBody title={title} query={query} question={question} chart={chart} rows={h} />;
  return (
    <Shown of={known} height={90}>
      {() => null}
    </Shown>
  );
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
