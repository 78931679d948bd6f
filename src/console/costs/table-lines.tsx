import { memo, type ReactNode } from 'react';
import { colourOf, rest } from '../charts/colours.ts';
import { Disclosure } from '../parts/table.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { money, percent, signedMoney, signedPercent } from '../words/format.ts';
import { providerName } from '../words/names.ts';
import classes from './costs.module.css';
import type { ColumnKey } from './costs-table.tsx';
import { shareOf } from './exact.ts';
import { narrowingTo, nextOf, type SubGroup } from './groups.ts';
import { comparisonOf, type Comparison, type Row } from './rows.ts';
import { looks } from './table-head.tsx';
import { groupedBy } from './toolbar.tsx';
import type { CostsView } from './use-costs.ts';
import { partsOf } from './use-split.ts';

interface LineProps {
  readonly row: Row;
  readonly index: number;
  readonly state: UrlState;
  readonly view: CostsView;
  readonly columns: readonly ColumnKey[];
  readonly isOpen: boolean;
  onToggle(key: string): void;
}

/** A group: its name leads to what it is made of. */
export const RowLine = memo(({ row, index, state, view, columns, isOpen, onToggle }: LineProps) => {
  const { question, currency } = view;
  const href = hrefOf(row, state, view);
  const colour = row.rank < partsOf(question) && row.cost !== 0 ? colourOf(row.rank) : rest;
  const cells: Readonly<Record<ColumnKey, ReactNode>> = {
    name: (
      <span className={classes.nameLine}>
        <span className={classes.swatch} style={{ background: colour }} />
        <Name name={row.name} href={href} />
        {(row.subGroups?.length ?? 0) > 1 && (
          <Disclosure isOpen={isOpen} label={`sub-accounts of ${row.name}`} onToggle={() => onToggle(row.key)} />
        )}
      </span>
    ),
    category: row.category,
    provider: row.provider && providerName(row.provider),
    cost: money(row.cost, currency),
    share: <Share percent={row.share} />,
    ...comparisonCells(row, currency),
  };
  return <Cells {...{ columns, cells, href, index }} />;
});

/** A sub-account of the account above. */
export const SubLine = memo(({ row, sub, index, state, view, columns }: LineProps & { readonly sub: SubGroup }) => {
  const { currency, total } = view;
  const was = row.earlier?.subGroups?.find(({ id }) => id === sub.id)?.cost ?? 0;
  const before = row.before === null ? null : was;
  const href = `/costs${state.with({ account: row.value, subAccount: sub.id, ...groupedBy(state, 'service') })}`;
  const cells: Readonly<Record<ColumnKey, ReactNode>> = {
    name: <Name name={sub.name} href={href} />,
    category: null,
    provider: null,
    cost: money(sub.cost, currency),
    share: <Share percent={shareOf(sub.cost, total)} />,
    ...comparisonCells(comparisonOf(sub.cost, before), currency),
  };
  return <Cells {...{ columns, cells, href, index }} isSub />;
});

/** Where a group is looked into: narrowed to it, split by the next dimension. Null where there is nothing more to see. */
function hrefOf(row: Row, state: UrlState, { question: { group, filters } }: CostsView): string | null {
  const next = nextOf(group, filters);
  if (next === null || row.value === '') return null;
  return `/costs${state.with({ ...groupedBy(state, next), ...(group === 'tag' && { tagKey: filters.tagKey }), ...narrowingTo(row, group, row.isShared) })}`;
}

interface CellsProps {
  readonly columns: readonly ColumnKey[];
  readonly cells: Readonly<Record<ColumnKey, ReactNode>>;
  readonly href: string | null;
  readonly index: number;
  readonly isSub?: boolean;
}

// The table follows links, see costs-table.tsx: a listener and a router for each of thousands of lines would be felt.
function Cells({ columns, cells, href, index, isSub = false }: CellsProps) {
  return (
    <tr
      aria-rowindex={index + 2}
      data-line={index}
      data-link={href === null ? undefined : true}
      className={isSub ? classes.sub : undefined}
    >
      {columns.map((key) => (
        <td key={key} className={looks[key].className}>
          {cells[key]}
        </td>
      ))}
    </tr>
  );
}

function Name({ name, href }: { readonly name: string; readonly href: string | null }) {
  if (href === null) return <span className={classes.nameText}>{name}</span>;
  return (
    <a href={href} className={classes.nameText} title={name}>
      {name}
    </a>
  );
}

function Share({ percent: value }: { readonly percent: number | null }) {
  if (value === null) return '–';
  return (
    <>
      <span className={classes.share}>
        <span style={{ width: `${Math.max(0, Math.min(100, value))}%` }} />
      </span>
      <span className={classes.shareText}>{percent(value)}</span>
    </>
  );
}

type ComparisonColumn = 'before' | 'change' | 'percent';

/** Costs that rise are marked as bad, those that fall as good; sign and colour say the same. */
function comparisonCells(comparison: Comparison, currency: string): Record<ComparisonColumn, ReactNode> {
  const { before, change, changePercent } = comparison;
  if (before === null || change === null) return { before: null, change: null, percent: null };
  const was = money(before, currency);
  if (Math.abs(change) < 0.005) return { before: was, change: '–', percent: '–' };
  const color = change > 0 ? 'var(--bad)' : 'var(--good)';
  const said = changePercent === null ? 'new' : signedPercent(changePercent);
  return {
    before: was,
    change: <span style={{ color }}>{signedMoney(change, currency)}</span>,
    percent: <span style={{ color }}>{said}</span>,
  };
}
