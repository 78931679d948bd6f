import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import classes from './costs.module.css';
import type { ColumnKey } from './costs-table.tsx';
import type { Sort } from './rows.ts';

interface ColumnLook {
  readonly title: string;
  readonly className: string;
  readonly sort?: Sort;
}

/** How each column looks; figures stand right. */
export const looks: Readonly<Record<ColumnKey, ColumnLook>> = {
  name: { title: 'Name', className: classes.name ?? '', sort: 'name' },
  category: { title: 'Category', className: `${classes.category} ${classes.tablet}` },
  provider: { title: 'Provider', className: `${classes.medium} ${classes.tablet}` },
  cost: { title: 'Cost', className: `${classes.medium} ${classes.right}`, sort: 'cost' },
  share: { title: 'Share', className: `${classes.shareColumn} ${classes.right} ${classes.phone}` },
  before: { title: 'Previous', className: `${classes.medium} ${classes.right} ${classes.phone}`, sort: 'before' },
  change: { title: 'Change', className: `${classes.medium} ${classes.right} ${classes.phone}`, sort: 'change' },
  percent: { title: 'Change %', className: `${classes.percent} ${classes.right}`, sort: 'changePercent' },
};

interface Props {
  readonly columns: readonly ColumnKey[];
  readonly sort: string;
  onSort(sort: string): void;
}

/** Names of the columns; a click sorts by one, another turns it round. */
export function TableHead({ columns, sort, onSort }: Props) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((key) => (
          <HeadCell key={key} look={looks[key]} sort={sort} onSort={onSort} />
        ))}
      </tr>
    </thead>
  );
}

function HeadCell({ look, sort, onSort }: Pick<Props, 'sort' | 'onSort'> & { readonly look: ColumnLook }) {
  const { title, className, sort: field } = look;
  if (!field) {
    return (
      <th scope="col" className={className}>
        {title}
      </th>
    );
  }
  const isUp = sort === field;
  const isDown = sort === `-${field}`;
  // Names are first wanted from A, figures from the largest.
  const next = field === 'name' ? (isUp ? '-name' : 'name') : isDown ? field : `-${field}`;
  return (
    <th scope="col" className={className} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <UnstyledButton className={classes.sort} onClick={() => onSort(next)}>
        {title}
        {isUp && <IconArrowUp size={13} aria-hidden />}
        {isDown && <IconArrowDown size={13} aria-hidden />}
      </UnstyledButton>
    </th>
  );
}
