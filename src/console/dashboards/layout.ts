/** Place of a widget, in columns and rows of the grid. */
export interface Place {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

type Area = Omit<Place, 'id'>;

/** Columns of the grid. */
export const columns = 12;
/** Maximum height of a widget in rows. */
const mostRows = 20;
/** Maximum number of widgets. */
export const mostWidgets = 40;

/** Changes of a place by columns and rows. */
export interface Step {
  readonly x?: number;
  readonly y?: number;
  readonly w?: number;
  readonly h?: number;
}

/** Moves or resizes a widget within the grid; others make room below it, and all move up as far as they can. */
export function changed<Widget extends Place>(widgets: readonly Widget[], id: string, step: Step): Widget[] {
  const next = widgets.map((widget) => (widget.id === id ? stepped(widget, step) : widget));
  return settled(next, id);
}

function stepped<Widget extends Place>(widget: Widget, { x = 0, y = 0, w = 0, h = 0 }: Step): Widget {
  const width = clamp(widget.w + w, 1, columns - widget.x);
  return {
    ...widget,
    w: width,
    h: clamp(widget.h + h, 1, mostRows),
    x: clamp(widget.x + x, 0, columns - width),
    y: Math.max(0, widget.y + y),
  };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** Removes overlaps and empty rows; keeps the order of the list.
 *  @param first the widget that keeps its place, if there is one */
export function settled<Widget extends Place>(widgets: readonly Widget[], first: string | null = null): Widget[] {
  const placed: Widget[] = [];
  const order = widgets.toSorted(
    (one, other) => Number(other.id === first) - Number(one.id === first) || byPlace(one, other),
  );
  for (const widget of order) placed.push(free(widget, placed));
  const raised: Widget[] = [];
  for (const widget of placed.toSorted(byPlace)) raised.push(free({ ...widget, y: 0 }, raised));
  const byId = new Map(raised.map((widget) => [widget.id, widget]));
  return widgets.map((widget) => byId.get(widget.id) ?? widget);
}

/** The first place in the widget's columns, at or below it, that overlaps none. */
function free<Widget extends Place>(widget: Widget, others: readonly Place[]): Widget {
  let { y } = widget;
  while (others.some((other) => overlaps({ ...widget, y }, other))) y += 1;
  return { ...widget, y };
}

function overlaps(one: Area, other: Area): boolean {
  return one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
}

/** Compares places from top to bottom, then from left to right. */
export function byPlace(one: Place, other: Place): number {
  return one.y - other.y || one.x - other.x;
}

/** Size of a new widget. */
export function sizeOf(chart: string): { w: number; h: number } {
  return chart === 'NUMBER' ? { w: 3, h: 2 } : { w: 6, h: 4 };
}

/** First place for a new widget, beside or below the others. */
export function placeFor(widgets: readonly Area[], { w, h }: { w: number; h: number }): { x: number; y: number } {
  for (let y = 0; ; y += 1)
    for (let x = 0; x + w <= columns; x += 1)
      if (!widgets.some((other) => overlaps({ x, y, w, h }, other))) return { x, y };
}
