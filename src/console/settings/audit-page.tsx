import { useState } from 'react';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { dayFaults } from '../parts/address-faults.ts';
import { BadAddress } from '../parts/bad-address.tsx';
import { CsvButton, queryOf } from '../parts/csv-button.tsx';
import { DayRangePicker } from '../parts/day-range.tsx';
import { Empty } from '../parts/empty.tsx';
import { ChoiceFilter, FilterBar } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { knownOf, pageOf, useUrlState, type UrlState } from '../parts/url-state.ts';
import { addDays, today } from '../words/days.ts';
import { actionChoices, actions } from './audit/actions.ts';
import { columnsFor } from './audit/columns.tsx';
import { EntryDialog } from './audit/entry-dialog.tsx';
import { Actors, AuditList, type Entry } from './audit/queries.ts';
import { SettingsPage } from './settings-page.tsx';

const filters = ['action', 'person', 'from', 'to'];

/** Who did what, when and from where. */
export function AuditPage() {
  const state = useUrlState();
  const [opened, setOpened] = useState<Entry | null>(null);
  const action = knownOf(state, 'action', actions);
  const actorId = state.all('person');
  const [startDate, endDate] = [state.one('from'), state.one('to')];
  const faults = dayFaults({ from: startDate, to: endDate }, Infinity);
  const isGood = faults.length === 0;
  const sort = state.one('sort');
  const asked = {
    action: action.length > 0 ? action : undefined,
    actorId: actorId.length > 0 ? actorId : undefined,
    startDate,
    endDate,
  };
  const answer = useAnswer(AuditList, { ...asked, sortBy: sortValue(sort), page: pageOf(state) }, { pause: !isGood });
  const csv = queryOf({
    action: action.map((one) => one.toLowerCase()),
    actor_id: actorId,
    start_date: startDate,
    end_date: endDate,
    sort_by: sort,
  });
  return (
    <SettingsPage
      title="Audit log"
      lead="Who did what, when and from where. Entries never change and are kept 90 days."
      actions={isGood && <CsvButton path={`/audit-logs${csv}`} name="audit-log" />}
    >
      {isGood ? (
        <>
          <Filters state={state} />
          <ListCard
            label="Audit log"
            of={answer}
            page={({ auditLogs }) => auditLogs}
            columns={columnsFor(setOpened)}
            keyOf={({ id }) => id}
            state={state}
            sort={sort}
            noun={['entry', 'entries']}
            filters={filters}
            empty={<Empty title="Nothing is recorded yet" />}
          />
        </>
      ) : (
        <BadAddress state={state} faults={faults} what="the audit log" />
      )}
      {opened && <EntryDialog entry={opened} onClose={() => setOpened(null)} />}
    </SettingsPage>
  );
}

function Filters({ state }: { readonly state: UrlState }) {
  const { data } = useAnswer(Actors, {});
  const people = (data?.members?.data ?? []).map(({ user }) => ({
    value: user.id,
    label: `${user.name} · ${user.email}`,
  }));
  const range = { from: state.one('from') ?? addDays(today(), -89), to: state.one('to') ?? today() };
  return (
    <FilterBar state={state} keys={filters}>
      <DayRangePicker value={range} onChange={({ from, to }) => state.set({ from, to })} />
      <ChoiceFilter state={state} name="action" label="Action" choices={actionChoices} />
      <ChoiceFilter state={state} name="person" label="Person" choices={people} />
    </FilterBar>
  );
}
