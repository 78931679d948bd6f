import { IconExternalLink } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { chosenDays } from '../../parts/list/day-range.tsx';
import type { UrlState } from '../../parts/list/url-state.ts';
import { count, money, percent, signedMoney, signedPercent } from '../../words/format.ts';
import chart from '../../charts/chart.module.css';
import classes from '../costs.module.css';
import { drilled } from '../drill.ts';
import type { Row } from './rows.ts';
import type { CostsView } from '../use-costs.ts';
import { classOf, type ColumnKey, type ColumnLook } from './head.tsx';
import { Track } from '../../parts/page/card.tsx';
import { noValue, escaped } from '../dimensions.ts';

interface LineProps {
  readonly row: Row;
  readonly index: number;
  readonly state: UrlState;
  readonly view: CostsView;
  readonly columns: readonly ColumnLook[];
}

/** Row of a group or day; its name links to the next drill-down step. */
export const RowLine = memo(({ row, index, state, view, columns }: LineProps) => {
  const { currency } = view;
  const [, second] = row.keys;
  const href = hrefOf(row, state, view);
  const isSecondHidden = columns.some(({ key, hideOn }) => key === 'second' && hideOn !== undefined);
  const cells: Readonly<Record<ColumnKey, ReactNode>> = {
    name: (
      <span className={classes.nameLine}>
        <span className={chart.swatch} style={{ background: row.colour }} />
        <span className={classes.names} data-second={isSecondHidden ? second?.label : undefined}>
          <Name row={row} href={href} />
        </span>
        <ResourceLink row={row} at={0} />
      </span>
    ),
    second: second && (
      <span className={classes.nameLine}>
        <span className={classes.secondText} title={second.value ?? second.label}>
          {second.label}
        </span>
        <ResourceLink row={row} at={1} />
      </span>
    ),
    quantity: row.quantity !== null && <Quantity quantity={row.quantity} unit={row.unit} />,
    direct: row.direct !== null && money(row.direct, currency),
    shared: row.shared !== null && money(row.shared, currency),
    cost: money(row.cost, currency),
    share: <Share percent={row.share} />,
    ...comparisonCells(row, currency),
  };
  // The table handles link clicks (see card.tsx): a listener and a router per link would be slow with a thousand rows.
  return (
    <tr aria-rowindex={index + 2} data-line={index} data-link={href === null ? undefined : true}>
      {columns.map((look) => (
        <td key={look.key} className={classOf(look)}>
          {cells[look.key]}
        </td>
      ))}
    </tr>
  );
});

/** Link that filters by the row and groups by the next dimension; for a day, sets the range. Null if there is nothing more
 *  to see: for the days at the end of a drill-down, for the only day, for a day without costs, and for an empty value, which no URL can
 *  hold. */
function hrefOf({ keys, days, cost }: Row, state: UrlState, { question: { range } }: CostsView): string | null {
  const isOnly = days !== null && days.from === range.from && days.to === range.to;
  const isLast = days !== null && (state.has('path') || isOnly || cost === 0);
  if (isLast || keys.some(({ value }) => value === '')) return null;
  const values = keys.map(({ dimension, value }) => ({ dimension, value: value === null ? noValue : escaped(value) }));
  return `/costs${state.with(drilled(state, values, days ? { ...chosenDays(days), granularity: null } : {}))}`;
}

function Name({ row: { name, keys }, href }: { readonly row: Row; readonly href: string | null }) {
  const title = keys[0]?.value ?? name;
  return href === null ? (
    <span className={classes.nameText} title={title}>
      {name}
    </span>
  ) : (
    <a href={href} className={classes.nameText} title={title}>
      {name}
    </a>
  );
}

/** Link to the resource page, beside the name.
 *  @param at index of the row value that it belongs to */
function ResourceLink({ row: { keys, resourceId }, at }: Pick<LineProps, 'row'> & { readonly at: number }) {
  if (resourceId === null || keys[at]?.dimension !== 'resource') return null;
  const name = keys[at].label;
  return (
    <a
      href={`/inventory/${resourceId}`}
      className={classes.open}
      aria-label={`Open resource ${name}`}
      title="Open resource"
    >
      <IconExternalLink size={15} aria-hidden />
    </a>
  );
}

function Quantity({ quantity, unit }: { readonly quantity: number; readonly unit: string | null }) {
  const text = `${count(quantity, 2)} ${unit ?? ''}`;
  return <span title={text}>{text}</span>;
}

function Share({ percent: value }: { readonly percent: number | null }) {
  if (value === null) return '–';
  return (
    <>
      <Track percent={value} className={classes.share} />
      <span className={classes.shareText}>{percent(value)}</span>
    </>
  );
}

/** Comparison cells: increases are styled as bad, decreases as good; the sign shows the same without colour. */
function comparisonCells({ before, change, changePercent }: Row, currency: string) {
  if (before === null) return { before: null, change: null, percent: null };
  const was = money(before, currency);
  if (change === null) return { before: was, change: '–', percent: '–' };
  if (Math.abs(change) < 0.005) return { before: was, change: '–', percent: '–' };
  const color = change > 0 ? 'var(--bad)' : 'var(--good)';
  return {
    before: was,
    change: <span style={{ color }}>{signedMoney(change, currency)}</span>,
    percent: (
      <span style={{ color }}>
        {changePercent === null ? (before === 0 ? 'new' : '–') : signedPercent(changePercent)}
      </span>
    ),
  };
}
