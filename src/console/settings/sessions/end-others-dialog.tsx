import { Text } from '@mantine/core';
import { useState } from 'react';
import { useClient } from 'urql';
import { useAct } from '../../api/use-act.ts';
import { refusalOf, type Refusal } from '../../api/refusal.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { done } from '../../parts/done.ts';
import { AuthRefusal } from '../../sign-in/auth-refusal.tsx';
import { counted } from '../../words/format.ts';
import { RevokeSession, Sessions } from './queries.ts';

/** Most sessions that one question lists. */
const most = 100;

/** Ends every session but this one.
 *  @param props `others`: how many there are */
export function EndOthersDialog({ others, onClose }: { readonly others: number; onClose(): void }) {
  const client = useClient();
  const { act, refusal, clear } = useAct(RevokeSession);
  const [listing, setListing] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** @returns whether all of them have ended */
  const endAll = async () => {
    const variables = { page: 1, perPage: most, sortBy: null };
    const { data, error } = await client.query(Sessions, variables, { requestPolicy: 'network-only' }).toPromise();
    setListing(error ? refusalOf(error) : null);
    if (!data?.sessions) return false;
    for (const { id, current } of data.sessions.data) {
      // The API ends them one by one; its limit may say that it is enough for now.
      if (!current && !(await act({ id }))) return false;
    }
    return true;
  };
  const submit = async () => {
    setBusy(true);
    const isDone = await endAll();
    setBusy(false);
    if (!isDone) return;
    onClose();
    done('Your other sessions have ended.');
  };
  return (
    <FormDialog
      title="End all other sessions?"
      verb="End them"
      danger
      isOpen
      isBusy={isBusy}
      refusal={null}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Text size="sm">
        {counted(others, 'session')} of yours {others === 1 ? 'ends' : 'end'}, in every browser but this one. API tokens
        stay good.
      </Text>
      <AuthRefusal refusal={listing ?? refusal} onOver={clear} />
    </FormDialog>
  );
}
