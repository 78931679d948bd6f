import { signedMoney, money, percent, count, signedPercent } from '../words/format.ts';
import type { ReactNode } from 'react';
import type { ColumnKey } from './costs-table.tsx';
import { changeOf, fromMicros, micros, shareOf, sumOf } from './exact.ts';
import type { Row } from './rows.ts';
import { looks } from './table-head.tsx';
import type { CostsView } from './use-costs.ts';

interface Props {
  readonly columns: readonly ColumnKey[];
  readonly view: CostsView;
  /** Rows that were searched for, if any were: they get a sum of their own. */
  readonly found: readonly Row[] | null;
}

/** What the rows add up to: the API's own total. */
export function TableFoot({ columns, view, found }: Props) {
  const { total, before, rows } = view;
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
    category: null,
    provider: null,
    cost: money(cost, currency),
    share: share === null ? '–' : percent(share),
    before: before === null ? null : money(before, currency),
    change: before === null ? null : signedMoney(fromMicros(micros(cost) - micros(before)), currency),
    percent: change === null ? '–' : signedPercent(change),
  };
  return (
    <tr>
      {columns.map((key) => (
        <td key={key} className={looks[key].className}>
          {cells[key]}
        </td>
      ))}
    </tr>
  );
}
