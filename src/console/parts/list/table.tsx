import { Checkbox, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { Fragment, type MouseEvent, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { isRecord } from '../../api/refusal.ts';
import { OwnMoney, type OwnAmounts } from './own-money.tsx';
import classes from './table.module.css';

/** Widest tables, in px, that hide a column; table.module.css has the same. */
export const widths = { half: 500, phone: 660, tablet: 940, laptop: 1020 } as const;

/** Column of a table. */
export interface Column<Row> {
  /** Unique in its table, unless there is a key. */
  readonly title: string;
  readonly key?: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned. */
  readonly align?: 'right';
  /** The API's sort field; makes the column sortable. */
  readonly sortBy?: string;
  /** Hidden in tables up to a width in px, see `widths`: `half` is half of a small window, or a phone. */
  readonly hideOn?: keyof typeof widths | undefined;
  /** Takes the remaining width and wraps long words. */
  readonly grow?: boolean;
}

type More<Row> = Omit<Column<Row>, 'title' | 'cell'>;

/** Column of amounts in the organization's currency, with those in the currency of their row. */
export function moneyColumn<Name extends string, Row extends OwnAmounts<Name>>(
  title: string,
  name: Name,
  more: More<Row> = {},
): Column<Row> {
  const cell = (row: Row) => <OwnMoney row={row} name={name} />;
  return { title, align: 'right', cell, ...more };
}

/** Column with the buttons of a row, which need no heading. */
export function actsColumn<Row>(cell: Column<Row>['cell']): Column<Row> {
  return { key: 'acts', title: '', align: 'right', cell };
}

/** The ID of a row. */
export function idOf(row: unknown): string {
  return isRecord(row) ? String(row['id']) : '';
}

/** Rows by key. */
export type RowsByKey<Row> = ReadonlyMap<string, Row>;

/** Selected rows of a table; other pages may have some of them. */
export interface Selection<Row> {
  readonly chosen: RowsByKey<Row>;
  set(chosen: RowsByKey<Row>): void;
  /** Name of a row, for its checkbox. */
  nameOf(row: Row): string;
}

interface Props<Row> {
  /** Accessible name of the table. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Unique key of a row; default: its ID. */
  readonly keyOf?: ((row: Row) => string) | undefined;
  /** Link of a row: its first cell becomes a link, and clicks anywhere in the row follow it. */
  readonly hrefOf?: ((row: Row) => string) | undefined;
  /** Current API sort, such as `-cost`. */
  readonly sort?: string | null;
  readonly onSort?: (sort: string) => void;
  /** Footer row, such as a total; one cell per column, by title. */
  readonly foot?: Readonly<Record<string, ReactNode>>;
  /** Adds a checkbox to each row, and one for all rows to the head. */
  readonly selection?: Selection<Row> | undefined;
}

/** Table of up to a hundred rows. It scrolls inside its card if it is longer or wider than the window, and hides columns by
 *  their `hideOn`. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, rows, columns, keyOf = idOf, foot, selection } = props;
  return (
    <Table.ScrollContainer
      minWidth={0}
      type="native"
      className={classes.scroll}
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      <Table className={classes.table} verticalSpacing={8} horizontalSpacing="md" highlightOnHover={!!props.hrefOf}>
        <caption>
          <VisuallyHidden>{label}</VisuallyHidden>
        </caption>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th className={classes.pick}>
                <AllRows rows={new Map(rows.map((row) => [keyOf(row), row]))} selection={selection} />
              </Table.Th>
            )}
            {columns.map((column) => (
              <HeadCell key={keyOfColumn(column)} column={column} sort={props.sort ?? null} onSort={props.onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <BodyRow key={keyOf(row)} row={row} columns={columns} href={props.hrefOf?.(row)}>
              {selection && (
                <Table.Td className={classes.pick} data-select>
                  <OneRow id={keyOf(row)} row={row} selection={selection} />
                </Table.Td>
              )}
            </BodyRow>
          ))}
        </Table.Tbody>
        {foot && (
          <Table.Tfoot>
            <Table.Tr>
              {selection && <Table.Td />}
              {columns.map((column) => (
                <Table.Td key={keyOfColumn(column)} {...cellProps(column)}>
                  {foot[column.title]}
                </Table.Td>
              ))}
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </Table.ScrollContainer>
  );
}

function keyOfColumn<Row>({ key, title }: Column<Row>): string {
  return key ?? title;
}

function cellProps<Row>({ align, hideOn, grow }: Column<Row>) {
  const names = [hideOn && classes[hideOn], grow && classes.grow, align && classes.right];
  return { className: names.filter(Boolean).join(' ') };
}

interface AllRowsProps<Row> {
  /** Rows of the page. */
  readonly rows: RowsByKey<Row>;
  readonly selection: Selection<Row>;
}

/** Checkbox that selects all rows of the page, or none of them. */
function AllRows<Row>({ rows, selection: { chosen, set } }: AllRowsProps<Row>) {
  const count = [...rows.keys()].filter((key) => chosen.has(key)).length;
  return (
    <Checkbox
      aria-label="Select all rows"
      checked={count > 0 && count === rows.size}
      indeterminate={count > 0 && count < rows.size}
      onChange={(event) => set(withRows(chosen, rows, event.currentTarget.checked))}
    />
  );
}

interface OneRowProps<Row> {
  readonly id: string;
  readonly row: Row;
  readonly selection: Selection<Row>;
}

function OneRow<Row>({ id, row, selection: { chosen, set, nameOf } }: OneRowProps<Row>) {
  return (
    <Checkbox
      aria-label={`Select ${nameOf(row)}`}
      checked={chosen.has(id)}
      onChange={(event) => set(withRows(chosen, new Map([[id, row]]), event.currentTarget.checked))}
    />
  );
}

/** Adds rows to selected ones, or removes them. */
function withRows<Row>(chosen: RowsByKey<Row>, rows: RowsByKey<Row>, isChosen: boolean): RowsByKey<Row> {
  return new Map([...[...chosen].filter(([key]) => !rows.has(key)), ...(isChosen ? rows : [])]);
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>;
  readonly sort: string | null;
  readonly onSort: ((sort: string) => void) | undefined;
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const { sortBy, title } = column;
  if (title === '') return <Table.Td {...cellProps(column)} />;
  if (!sortBy || !onSort) return <Table.Th {...cellProps(column)}>{title}</Table.Th>;
  const isUp = sort === sortBy;
  const isDown = sort === `-${sortBy}`;
  const order = isUp ? 'ascending' : isDown ? 'descending' : 'none';
  return (
    <Table.Th {...cellProps(column)} aria-sort={order}>
      <SortButton title={title} order={order} onClick={() => onSort(isDown ? sortBy : `-${sortBy}`)} />
    </Table.Th>
  );
}

interface SortButtonProps {
  readonly title: string;
  readonly order: 'ascending' | 'descending' | 'none';
  onClick(): void;
}

/** Heading of a column that sorts by it. */
export function SortButton({ title, order, onClick }: SortButtonProps) {
  return (
    <UnstyledButton className={classes.sort} onClick={onClick}>
      {title}
      {order === 'ascending' && <IconArrowUp size={13} aria-hidden />}
      {order === 'descending' && <IconArrowDown size={13} aria-hidden />}
    </UnstyledButton>
  );
}

interface BodyRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly href: string | undefined;
  /** Cells before the columns. */
  readonly children?: ReactNode;
}

function BodyRow<Row>({ row, columns, href, children }: BodyRowProps<Row>) {
  const [, go] = useLocation();
  const follow = (event: MouseEvent) => {
    const onControl = event.target instanceof Element && event.target.closest('a, button, input, label, [data-select]');
    if (href && !onControl && !getSelection()?.toString()) go(href);
  };
  return (
    <Table.Tr className={href ? classes.link : undefined} onClick={follow}>
      {children}
      {columns.map((column, index) => (
        <Table.Td key={keyOfColumn(column)} {...cellProps(column)}>
          {href && index === 0 ? (
            <Link href={href} className={classes.name}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** Cell with two lines: a name, and muted context below. */
export function TwoLines({ top, below }: { readonly top: ReactNode; readonly below: ReactNode }) {
  return (
    <>
      <div>{top}</div>
      <Text component="div" size="xs" c="dimmed" className={classes.below}>
        {below}
      </Text>
    </>
  );
}

/** Email address that breaks before its punctuation, rather than within a word, if it is longer than the line. */
export function EmailText({ email }: { readonly email: string }) {
  return email.split(/(?=[@.])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** Muted context for a cell: repeats a `phone` column in tables so narrow that they hide it. */
export function PhoneNote({ children }: { readonly children: ReactNode }) {
  return (
    <Text component="div" size="xs" c="dimmed" className={classes.phoneNote}>
      {children}
    </Text>
  );
}

/** Two elements in one line; in narrow tables the second wraps below the first. */
export function Pair({ children }: { readonly children: ReactNode }) {
  return <div className={classes.pair}>{children}</div>;
}
