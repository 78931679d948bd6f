import { arg, choice, fix, invalid, mention, operation } from '../../kit/errors/errors.ts';
import { newId } from '../../kit/ids.ts';
import { nameRule, parseName } from '../../tenancy/login/input.ts';
import { accountsOf, parseQuery, type ViewQuery } from '../views/view.ts';

/** Chart types of a widget. */
export type WidgetChart = 'bar' | 'line' | 'area' | 'cumulative' | 'table' | 'number';

/** The place of a widget: columns and rows of the grid, from 0 at the top left. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A widget as clients send it. */
export interface WidgetInput extends Place {
  readonly id?: string | null;
  readonly viewId?: string | null;
  readonly query?: object | null;
  readonly chart: WidgetChart;
  readonly title?: string | null;
}

/** A widget as stored: of a saved view, or with a query for the cost explorer. */
export interface Widget extends Place {
  readonly id: string;
  readonly viewId: string | null;
  readonly query: ViewQuery | null;
  /** Values of the query's account filter. */
  readonly accountIds: readonly string[];
  readonly chart: WidgetChart;
  /** Null: the name of the view. */
  readonly title: string | null;
}

/** Columns of the grid. */
const columns = 12;
/** Bounds of widgets and of their places. */
export const widgetsRule = { maxItems: 40 } as const;
export const titleRule = nameRule;
export const placeRules = {
  x: { minimum: 0, maximum: columns - 1 },
  y: { minimum: 0, maximum: 999 },
  w: { minimum: 1, maximum: columns },
  h: { minimum: 1, maximum: 20 },
} as const;

/** Parses the widgets of a dashboard.
 *  @throws {AppError} VALIDATION_ERROR naming the field, such as `widgets[2].w` */
export function parseWidgets(inputs: readonly WidgetInput[], field: string): Widget[] {
  if (inputs.length > widgetsRule.maxItems)
    throw invalid`${arg(field)} has ${inputs.length} widgets; at most ${widgetsRule.maxItems} are allowed`;
  const ids = new Set<string>();
  return inputs.map((input, index) => {
    const at = `${field}[${index}]`;
    const widget = parseWidget(input, at);
    if (ids.has(widget.id)) throw invalid`${arg(`${at}.id`, widget.id)} repeats the id of another widget`;
    ids.add(widget.id);
    return widget;
  });
}

function parseWidget(
  { id, viewId = null, query = null, chart, title = null, ...place }: WidgetInput,
  at: string,
): Widget {
  if ((viewId === null) === (query === null))
    throw invalid`${arg(at)} must have either a ${mention('view_id')} or a query${fix}give it one of them`;
  const parsed = query === null ? null : parseQuery(query, `${at}.query`);
  return {
    id: id ?? newId(new Date()),
    viewId,
    query: parsed,
    accountIds: parsed === null ? [] : accountsOf(parsed),
    chart,
    title: title === null ? null : parseName(title, `${at}.title`),
    ...parsePlace(place, at),
  };
}

function parsePlace({ x, y, w, h }: Place, at: string): Place {
  for (const [name, value] of Object.entries({ x, y, w, h })) {
    const { minimum, maximum } = placeRules[name as keyof Place];
    if (value < minimum || value > maximum)
      throw invalid`${arg(`${at}.${name}`, value)} must be ${minimum} to ${maximum}`;
  }
  if (x + w > columns)
    throw invalid`${arg(`${at}.w`, w)} must be at most ${columns - x} for a widget in column ${x} of a ${columns}-column grid`;
  return { x, y, w, h };
}

/** Reads widgets from their column. */
export function storedWidgets(stored: unknown): readonly Widget[] {
  return Array.isArray(stored) ? (stored as readonly Widget[]) : [];
}

/** Returns the error for a view that a widget cannot show. */
export function notACostView(index: number, viewId: string): Error {
  return invalid`${arg(`widgets[${index}].view_id`, viewId)} is not a saved view of the page ${choice('page', 'costs')} that you can see${fix}use an id from ${operation('GET /views')}`;
}
