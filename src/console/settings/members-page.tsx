import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useMay } from '../api/me.tsx';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useAccountChoices } from '../parts/choices.ts';
import { CsvButton, queryOf } from '../parts/csv-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { knownOf, pageOf, useUrlState } from '../parts/url-state.ts';
import { words } from '../words/names.ts';
import { columnsFor } from './members/columns.tsx';
import { MemberDialogs, type Opened } from './members/dialogs.tsx';
import { MemberList } from './members/queries.ts';
import { SettingsPage } from './settings-page.tsx';

const roles = ['SUPER_ADMIN', 'ADMIN', 'MEMBER', 'VIEWER'] as const;
const filters = ['search', 'role'];

/** Who belongs to the organization, with which role, and what they may see. */
export function MembersPage() {
  const state = useUrlState();
  const mayWrite = useMay('members.write');
  const accounts = useAccountChoices();
  const [opened, setOpened] = useState<Opened | null>(null);
  const role = knownOf(state, 'role', roles);
  const search = state.one('search');
  const sort = state.one('sort');
  const answer = useAnswer(MemberList, {
    search,
    role: role.length > 0 ? role : undefined,
    sortBy: sortValue(sort),
    page: pageOf(state),
  });
  const csv = queryOf({ search, role: role.map((one) => one.toLowerCase()), sort_by: sort });
  return (
    <SettingsPage
      title="Members"
      lead="Who belongs to the organization, and what they may do and see."
      actions={
        <>
          <CsvButton path={`/org/members${csv}`} name="members" />
          {mayWrite && <InviteButton />}
        </>
      }
    >
      <FilterBar state={state} keys={filters}>
        <SearchFilter state={state} name="search" label="Name or address" />
        <ChoiceFilter
          state={state}
          name="role"
          label="Role"
          choices={roles.map((value) => ({ value, label: words(value) }))}
        />
      </FilterBar>
      <ListCard
        label="Members"
        of={answer}
        page={({ members }) => members}
        columns={columnsFor({ accounts, mayWrite, onOpen: setOpened })}
        keyOf={({ id }) => id}
        state={state}
        sort={sort}
        noun={['member']}
        filters={filters}
        empty={<Empty title="No members" />}
      />
      {opened && <MemberDialogs opened={opened} onClose={() => setOpened(null)} />}
    </SettingsPage>
  );
}

function InviteButton() {
  return (
    <Button component={Link} href="/settings/invitations?invite=1" leftSection={<IconUserPlus size={16} aria-hidden />}>
      Invite
    </Button>
  );
}
