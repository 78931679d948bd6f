import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Answer } from '../api/use-answer.ts';
import { Card } from './card.tsx';
import { Empty } from './empty.tsx';
import { Pager, PastTheEnd, type Pages } from './pager.tsx';
import { Shown } from './shown.tsx';
import { DataTable, type Column } from './table.tsx';
import type { UrlState } from './url-state.ts';

interface Props<Data, Row> {
  readonly label: string;
  readonly of: Answer<Data>;
  /** The list in the answer; null when the API gave none. */
  readonly page: (data: Data) => { readonly data: readonly Row[]; readonly pagination: Pages } | null | undefined;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly hrefOf?: (row: Row) => string;
  readonly state: UrlState;
  /** The sort of now, for lists that can be sorted: it is kept in the address as `sort`. */
  readonly sort?: string | null;
  readonly noun: readonly [one: string, many?: string];
  /** In place of a list that has nothing without any filter. */
  readonly empty: ReactNode;
  /** Keys of the address that filter the list. */
  readonly filters?: readonly string[];
  readonly title?: string;
  readonly actions?: ReactNode;
}

/** A list of the API as a card: its table, its pages, and what stands there when it is empty, filtered away or refused. */
export function ListCard<Data, Row>(props: Props<Data, Row>) {
  const { of, page, title, actions, state, filters = [] } = props;
  const asked = ['sort', ...filters];
  if (of.refusal?.code === 'VALIDATION_ERROR' && state.has(...asked)) {
    return (
      <Card>
        <BadQuestion message={of.refusal.message} state={state} asked={asked} />
      </Card>
    );
  }
  return (
    <Card flush {...(title && { title })} actions={actions}>
      <Shown of={of} height={360}>
        {(data) => {
          const found = page(data);
          return found ? <ListBody {...props} rows={found.data} pages={found.pagination} /> : props.empty;
        }}
      </Shown>
    </Card>
  );
}

interface BodyProps<Data, Row> extends Props<Data, Row> {
  readonly rows: readonly Row[];
  readonly pages: Pages;
}

function ListBody<Data, Row>({ rows, pages, state, filters = [], ...props }: BodyProps<Data, Row>) {
  if (rows.length === 0 && pages.total > 0) return <PastTheEnd of={pages} state={state} />;
  if (rows.length === 0) return state.has(...filters) ? <NothingLeft state={state} filters={filters} /> : props.empty;
  const { label, columns, keyOf, hrefOf, sort, noun } = props;
  return (
    <>
      <DataTable
        label={label}
        rows={rows}
        columns={columns}
        keyOf={keyOf}
        {...(hrefOf && { hrefOf })}
        {...(sort !== undefined && { sort, onSort: (next: string) => state.set({ sort: next }) })}
      />
      <Pager of={pages} state={state} noun={noun} />
    </>
  );
}

interface BadQuestionProps {
  readonly message: string;
  readonly state: UrlState;
  readonly asked: readonly string[];
}

/** An address that asks what the API does not answer, such as an unknown sort: what it said, and the list without it. */
function BadQuestion({ message, state, asked }: BadQuestionProps) {
  const clear = () => state.set(Object.fromEntries(asked.map((key) => [key, null])));
  return (
    <div role="alert">
      <Empty
        icon={IconAlertTriangle}
        title="This address cannot be shown"
        text={<span style={{ overflowWrap: 'anywhere' }}>{message}</span>}
        action={<Button onClick={clear}>Show the whole list</Button>}
      />
    </div>
  );
}

function NothingLeft({ state, filters }: { readonly state: UrlState; readonly filters: readonly string[] }) {
  const clear = () => state.set(Object.fromEntries(filters.map((key) => [key, null])));
  return (
    <Empty
      title="Nothing matches the filters"
      action={
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      }
    />
  );
}
