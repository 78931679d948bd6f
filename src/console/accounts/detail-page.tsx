import { useParams } from 'wouter';
import { useMay } from '../api/me.tsx';
import { useAnswer } from '../api/use-answer.ts';
import { Page } from '../parts/page.tsx';
import { usePolling } from '../parts/polling.ts';
import { Shown } from '../parts/shown.tsx';
import { useUrlState } from '../parts/url-state.ts';
import { providerName } from '../words/names.ts';
import { AccountActions } from './detail/actions.tsx';
import { AccountWhole } from './detail/whole.tsx';
import { editOf, EditSource } from './edit-source.tsx';
import { AccountDetail, isSyncing } from './queries.ts';

const crumbs = [['Accounts', '/accounts']] as const;

/** One account: its bills, its sync, how it is connected, and what can be done with it. */
export function AccountPage() {
  const { id = '' } = useParams<{ id: string }>();
  const mayWrite = useMay('accounts.write');
  const state = useUrlState();
  const answer = useAnswer(AccountDetail, { id });
  usePolling(answer, ({ account }) => account !== null && isSyncing(account), 2000);
  const account = answer.data?.account ?? null;
  const edit = mayWrite && account ? editOf(state.one('edit'), account) : null;
  if (account && edit) return <EditSource account={account} edit={edit} />;
  return (
    <Page
      title={account?.name ?? 'Account'}
      lead={account && <Lead account={account} />}
      crumbs={crumbs}
      actions={account && <AccountActions account={account} mayWrite={mayWrite} />}
    >
      <Shown of={answer} height={480}>
        {(data) => data.account && <AccountWhole account={data.account} mayWrite={mayWrite} />}
      </Shown>
    </Page>
  );
}

function Lead({ account: { provider, externalId } }: { readonly account: { provider: string; externalId: string } }) {
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      {providerName(provider)} · {externalId}
    </span>
  );
}
