import type { ReactNode } from 'react';
import { count, money, percent, signedMoney, signedPercent } from '../words/format.ts';
import { changeOf, fromMicros, micros, shareOf, sumOf } from './exact.ts';
import type { Row } from './rows.ts';
import type { ColumnKey, ColumnLook } from './table-head.tsx';
import type { CostsView } from './use-costs.ts';

interface Props {
  readonly columns: readonly ColumnLook[];
  readonly view: CostsView;
  /** Rows that were searched for, if any were: they get a sum of their own. */
  readonly found: readonly Row[] | null;
}

/** The groups beyond the rows, and the API's own total. */
export function TableFoot({ columns, view, found }: Props) {
  const { total, before, rows, other } = view;
  return (
    <tfoot>
      {found && (
        <FootLine
          columns={columns}
          view={view}
          name={`${count(found.length)} of ${count(rows.length)} found`}
          cost={sumOf(found.map(({ cost }) => cost))}
          before={before && sumOf(found.map((row) => row.before ?? 0))}
        />
      )}
      {other && (
        <FootLine
          columns={columns}
          view={view}
          name={`Other (${count(other.count)})`}
          cost={other.cost}
          before={before && other.before}
        />
      )}
      <FootLine columns={columns} view={view} name="Total" cost={total} before={before && before.total} />
    </tfoot>
  );
}

interface LineProps extends Pick<Props, 'columns' | 'view'> {
  readonly name: string;
  readonly cost: number;
  readonly before: number | null;
}

function FootLine({ columns, view: { currency, total }, name, cost, before }: LineProps) {
  const share = shareOf(cost, total);
  const change = before === null ? null : changeOf(cost, before);
  const cells: Readonly<Record<ColumnKey, ReactNode>> = {
    name,
    second: null,
    quantity: null,
    cost: money(cost, currency),
    share: share === null ? '–' : percent(share),
    before: before === null ? null : money(before, currency),
    change: before === null ? null : signedMoney(fromMicros(micros(cost) - micros(before)), currency),
    percent: change === null ? '–' : signedPercent(change),
  };
  return (
    <tr>
      {columns.map(({ key, className }) => (
        <td key={key} className={className}>
          {cells[key]}
        </td>
      ))}
    </tr>
  );
}
