import type { ReactNode } from 'react';
import type { Choosable } from '../../parts/list/columns.tsx';
import { SortButton } from '../../parts/list/table.tsx';
import type { UrlState } from '../../parts/list/url-state.ts';
import { count, money, percent, signedMoney, signedPercent } from '../../words/format.ts';
import classes from '../costs.module.css';
import { dimensionLabel } from '../dimensions.ts';
import { changeOf, fromMicros, micros, type Row, shareOf, type Sort, sumOf } from './rows.ts';
import type { CostsView, Shares } from '../use-costs.ts';

/** Possible columns of the table. */
export type ColumnKey =
  'name' | 'second' | 'quantity' | 'direct' | 'shared' | 'cost' | 'share' | 'before' | 'change' | 'percent';

/** Column with heading, style and sort key. */
export interface ColumnLook extends Choosable {
  readonly key: ColumnKey;
  readonly className: string;
  readonly sort: Sort | null;
}

const right = classes.right ?? '';
const amount = `${classes.medium} ${right}`;

/** Columns for an answer; numbers are right-aligned. */
export function columnsOf({ question, rows, before, isWhole, shares }: CostsView): ColumnLook[] {
  const { groups, granularity } = question;
  const [first, then] = groups;
  const hasQuantity = rows.some(({ quantity }) => quantity !== null);
  const look = (key: ColumnKey, title: string, className = '', sort: Sort | null = null): ColumnLook => ({
    key,
    title,
    className,
    // The API sorts truncated results only by cost, change and name.
    sort: isWhole || sort === 'cost' || sort === 'change' || sort === 'name' ? sort : null,
  });
  const onWide = (column: ColumnLook, hideOn: 'phone' | 'tablet' = 'phone'): ColumnLook => ({ ...column, hideOn });
  return [
    look('name', dimensionLabel(first, granularity), classes.name, 'name'),
    ...(then ? [onWide(look('second', dimensionLabel(then), classes.name))] : []),
    ...(hasQuantity ? [onWide(look('quantity', 'Quantity', `${classes.quantity} ${right}`), 'tablet')] : []),
    ...(shares
      ? [onWide(look('direct', 'Direct', amount, 'direct')), onWide(look('shared', 'Shared', amount, 'shared'))]
      : []),
    look('cost', shares ? 'Total' : 'Cost', amount, 'cost'),
    onWide(look('share', 'Share', `${classes.shareColumn} ${right}`)),
    ...(before
      ? [
          onWide(look('before', 'Previous', amount, 'before')),
          onWide(look('change', 'Change', amount, 'change')),
          look('percent', 'Change %', `${classes.percent} ${right}`, 'changePercent'),
        ]
      : []),
  ];
}

/** Classes of a cell. */
export function classOf({ className, hideOn }: ColumnLook): string {
  return hideOn ? `${className} ${classes[hideOn]}` : className;
}

/** Widths of columns in narrow tables, in px; costs.module.css has the same. */
const narrow: Readonly<Record<ColumnKey, number>> = {
  name: 116,
  second: 116,
  quantity: 150,
  direct: 120,
  shared: 120,
  cost: 120,
  share: 142,
  before: 120,
  change: 120,
  percent: 84,
};

/** Width in px that the columns shown at every width need; a narrower table scrolls sideways. */
export function minWidthOf(columns: readonly ColumnLook[]): number {
  return columns.reduce((sum, { key, hideOn }) => (hideOn ? sum : sum + narrow[key]), 0);
}

interface Props {
  readonly columns: readonly ColumnLook[];
  readonly view: CostsView;
  readonly state: UrlState;
}

/** Table header; the first click sorts by a column, the next reverses it. */
export function TableHead({ columns, view: { question }, state }: Props) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((look) => (
          <HeadCell key={look.key} look={look} sort={question.sort} onSort={(sort) => state.set({ sort })} />
        ))}
      </tr>
    </thead>
  );
}

interface HeadCellProps {
  readonly look: ColumnLook;
  readonly sort: string;
  onSort(sort: string): void;
}

function HeadCell({ look, sort, onSort }: HeadCellProps) {
  const { title, sort: field } = look;
  const className = classOf(look);
  if (field === null) {
    return (
      <th scope="col" className={className}>
        {title}
      </th>
    );
  }
  const isUp = sort === field;
  const isDown = sort === `-${field}`;
  const order = isUp ? 'ascending' : isDown ? 'descending' : 'none';
  // Names start ascending, numbers descending.
  const next = field === 'name' ? (isUp ? '-name' : 'name') : isDown ? field : `-${field}`;
  return (
    <th scope="col" className={className} aria-sort={order}>
      <SortButton title={title} order={order} onClick={() => onSort(next)} />
    </th>
  );
}

interface TableFootProps {
  readonly columns: readonly ColumnLook[];
  readonly view: CostsView;
  /** Rows matching the search, if any; they get their own subtotal. */
  readonly found: readonly Row[] | null;
}

/** Footer with the remaining groups and the API's total. */
export function TableFoot({ columns, view, found }: TableFootProps) {
  const { total, before, rows, other, shares } = view;
  return (
    <tfoot>
      {found && (
        <FootLine
          columns={columns}
          view={view}
          name={`${count(found.length)} of ${count(rows.length)} found`}
          cost={sumOf(found.map(({ cost }) => cost))}
          before={before && sumOf(found.map((row) => row.before ?? 0))}
          shares={
            shares && {
              direct: sumOf(found.map(({ direct }) => direct ?? 0)),
              shared: sumOf(found.map(({ shared }) => shared ?? 0)),
            }
          }
        />
      )}
      {other && (
        <FootLine
          columns={columns}
          view={view}
          name={`Other (${count(other.count)})`}
          cost={other.cost}
          before={before && other.before}
          shares={shares && other}
        />
      )}
      <FootLine
        columns={columns}
        view={view}
        name="Total"
        cost={total}
        before={before && before.total}
        shares={shares}
      />
    </tfoot>
  );
}

interface LineProps extends Pick<TableFootProps, 'columns' | 'view'> {
  readonly name: string;
  readonly cost: number;
  readonly before: number | null;
  readonly shares: Shares | null;
}

function FootLine({ columns, view: { currency, total, unknownChange }, name, cost, before, shares }: LineProps) {
  const share = shareOf(cost, total);
  const change = before === null || unknownChange !== null ? null : changeOf(cost, before);
  const cells: Readonly<Record<ColumnKey, ReactNode>> = {
    name,
    second: null,
    quantity: null,
    direct: shares && money(shares.direct, currency),
    shared: shares && money(shares.shared, currency),
    cost: money(cost, currency),
    share: share === null ? '–' : percent(share),
    before: before === null ? null : money(before, currency),
    change:
      before === null || unknownChange !== null
        ? null
        : signedMoney(fromMicros(micros(cost) - micros(before)), currency),
    percent: change === null ? '–' : signedPercent(change),
  };
  return (
    <tr>
      {columns.map((look) => (
        <td key={look.key} className={classOf(look)}>
          {cells[look.key]}
        </td>
      ))}
    </tr>
  );
}
