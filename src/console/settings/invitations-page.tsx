import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { sortValue } from '../api/sort.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useAccountChoices } from '../parts/choices.ts';
import { CsvButton, queryOf } from '../parts/csv-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { ChoiceFilter, FilterBar } from '../parts/filters.tsx';
import { ListCard } from '../parts/list.tsx';
import { knownOf, pageOf, useUrlState } from '../parts/url-state.ts';
import { words } from '../words/names.ts';
import { columnsFor } from './invitations/columns.tsx';
import { InviteDialog } from './invitations/invite-dialog.tsx';
import { InviteList, type Invite } from './invitations/queries.ts';
import { RevokeDialog } from './invitations/revoke-dialog.tsx';
import { SettingsPage } from './settings-page.tsx';

const statuses = ['PENDING', 'ACCEPTED', 'EXPIRED', 'REVOKED'] as const;

/** Who was invited, and what became of it. */
export function InvitationsPage() {
  const state = useUrlState();
  const accounts = useAccountChoices();
  const [revoked, setRevoked] = useState<Invite | null>(null);
  const status = knownOf(state, 'status', statuses);
  const sort = state.one('sort');
  const answer = useAnswer(InviteList, {
    status: status.length > 0 ? status : undefined,
    sortBy: sortValue(sort),
    page: pageOf(state),
  });
  const csv = queryOf({ status: status.map((one) => one.toLowerCase()), sort_by: sort });
  const invite = () => state.set({ invite: '1' });
  return (
    <SettingsPage
      title="Invitations"
      lead="A link is good for 7 days from when it was last sent."
      actions={
        <>
          <CsvButton path={`/org/invites${csv}`} name="invitations" />
          <InviteButton onClick={invite} />
        </>
      }
    >
      <FilterBar state={state} keys={['status']}>
        <ChoiceFilter
          state={state}
          name="status"
          label="Status"
          choices={statuses.map((value) => ({ value, label: words(value) }))}
        />
      </FilterBar>
      <ListCard
        label="Invitations"
        of={answer}
        page={({ invites }) => invites}
        columns={columnsFor({ accounts, onRevoke: setRevoked })}
        keyOf={({ id }) => id}
        state={state}
        sort={sort}
        noun={['invitation']}
        filters={['status']}
        empty={
          <Empty
            title="Nobody was invited yet"
            text="Invite people by mail. They choose a password themselves."
            action={<InviteButton onClick={invite} />}
          />
        }
      />
      {state.has('invite') && <InviteDialog onClose={() => state.set({ invite: null }, { replace: true })} />}
      {revoked && <RevokeDialog invite={revoked} onClose={() => setRevoked(null)} />}
    </SettingsPage>
  );
}

function InviteButton({ onClick }: { onClick(): void }) {
  return (
    <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={onClick}>
      Invite
    </Button>
  );
}
