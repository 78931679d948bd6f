import { useMemo } from 'react';
import { Card } from '../parts/card.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { SearchFilter } from '../parts/filters.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { counted } from '../words/format.ts';
import type { Grouping } from './address.ts';
import { CostsTable } from './costs-table.tsx';
import { tableCsv } from './csv.ts';
import { found, sorted } from './rows.ts';
import type { CostsView } from './use-costs.ts';

const nouns: Readonly<Record<Grouping, readonly [string, string?]>> = {
  service: ['service'],
  account: ['account'],
  region: ['region'],
  provider: ['provider'],
  tag: ['tag value'],
};

const titles: Readonly<Record<Grouping, string>> = {
  service: 'By service',
  account: 'By account',
  region: 'By region',
  provider: 'By provider',
  tag: 'By tag',
};

interface Props {
  readonly state: UrlState;
  readonly view: CostsView;
}

/** The figures of the chart as a table: every group, with what it was. */
export function TableCard({ state, view }: Props) {
  const { rows, question } = view;
  const { group, range, filters } = question;
  const sort = state.one('sort') ?? '-cost';
  const find = state.one('find') ?? '';
  const ordered = useMemo(() => sorted(rows, sort), [rows, sort]);
  const shown = useMemo(() => found(ordered, find), [ordered, find]);
  const csv = tableCsv(question);
  const title = group === 'tag' ? `By ${filters.tagKey ?? 'tag'}` : titles[group];
  return (
    <Card
      flush
      title={title}
      note={counted(rows.length, ...nouns[group])}
      actions={
        <>
          {rows.length > 12 && <SearchFilter state={state} name="find" label="Find in the table" />}
          {csv && <CsvButton path={csv} name={`costs-by-${group}-${range.from}-${range.to}`} isWhole />}
        </>
      }
    >
      <CostsTable
        label={`Costs ${title.toLowerCase()}`}
        state={state}
        view={view}
        rows={shown}
        sort={sort}
        isFound={find !== ''}
      />
    </Card>
  );
}
