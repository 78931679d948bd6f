import { useMemo } from 'react';
import { Card } from '../parts/card.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { SearchFilter } from '../parts/filters.tsx';
import type { UrlState } from '../parts/url-state.ts';
import { count } from '../words/format.ts';
import { CostsTable } from './costs-table.tsx';
import { tableCsv } from './csv.ts';
import { dimensionName, dimensionPlural } from './dimensions.ts';
import { ExportMenu } from './export-menu.tsx';
import type { Question } from './question.ts';
import { found } from './rows.ts';
import type { CostsView } from './use-costs.ts';

interface Props {
  readonly state: UrlState;
  readonly view: CostsView;
}

/** The figures of the chart as a table: every group beside the period before. */
export function TableCard({ state, view }: Props) {
  const { rows, question } = view;
  const { range, groups } = question;
  const find = state.one('find') ?? '';
  const shown = useMemo(() => found(rows, find), [rows, find]);
  const title = titleOf(question);
  const name = title.toLowerCase().replaceAll(/[^\w.-]+/g, '-');
  return (
    <Card
      flush
      title={title}
      note={noteOf(view)}
      actions={
        <>
          {rows.length > 12 && groups[0] !== 'day' && (
            <SearchFilter state={state} name="find" label="Find in the table" />
          )}
          <ExportMenu question={question} />
          <CsvButton path={tableCsv(question)} name={`costs-${name}-${range.from}-${range.to}`} isWhole />
        </>
      }
    >
      <CostsTable label={`Costs b${title.slice(1)}`} state={state} view={view} rows={shown} isFound={find !== ''} />
    </Card>
  );
}

function titleOf({ groups, granularity }: Question): string {
  const [first, then] = groups;
  if (first === 'day') return granularity === 'daily' ? 'By day' : 'By month';
  return then ? `By ${dimensionName(first)} and ${dimensionName(then)}` : `By ${dimensionName(first)}`;
}

function noteOf({ question: { groups, granularity }, rows, other }: CostsView): string {
  const [first, then] = groups;
  if (other) return `Top ${count(rows.length)} of ${count(rows.length + other.count)}`;
  const noun = then ? 'rows' : first === 'day' && granularity === 'monthly' ? 'months' : dimensionPlural(first);
  return rows.length === 1 ? '' : `${count(rows.length)} ${noun}`;
}
