import { useLocation } from 'wouter';
import { useAct } from '../../api/use-api.ts';
import { done } from '../../parts/form/dialog.tsx';
import { Page } from '../../parts/page/page.tsx';
import { UpdateAccount, type Account } from '../queries.ts';
import { SourceForm } from './source-form.tsx';
import type { Filled } from './use-source-form.ts';
import { changedSettingsOf, credentialsOf, needsOtherCredentials, valuesOf, wayOf } from './values.ts';

/** Part of an account's source to edit. */
type Edit = 'settings' | 'credentials' | 'reconnect';

const texts = {
  settings: { title: 'Change settings', verb: 'Save and sync', done: 'Saved. A sync has started.' },
  credentials: {
    title: 'Replace credentials',
    verb: 'Replace',
    done: 'Credentials replaced. A sync has started.',
  },
  reconnect: { title: 'Reconnect', verb: 'Reconnect', done: 'Reconnected. A sync has started.' },
} as const satisfies Record<Edit, object>;

/** Returns the requested edit from the URL, if it is possible for this account in its current state. */
export function editOf(asked: string | null, { status, provider, settings }: Account): Edit | null {
  if (status === 'DISCONNECTED') return asked === 'reconnect' ? asked : null;
  if (asked === 'settings') return asked;
  const hasCredentials = wayOf(provider, settings).credentials.length > 0;
  return asked === 'credentials' && hasCredentials ? asked : null;
}

/** Guided form for an existing account. */
export function EditSource({ account, edit }: { readonly account: Account; readonly edit: Edit }) {
  const { id, name, provider, settings } = account;
  const [, go] = useLocation();
  const back = `/accounts/${id}`;
  const start = valuesOf(settings);
  const change = useAct(UpdateAccount);
  const submit = async ({ way, kind, values }: Filled) => {
    const credentials = credentialsOf(kind, values);
    const input = {
      ...(credentials && { credentials }),
      ...(edit !== 'credentials' && { settings: changedSettingsOf(provider, way, values) }),
    };
    if (!(await change.act({ id, input }))) return false;
    done(texts[edit].done);
    go(back);
    return true;
  };
  return (
    <Page
      title={texts[edit].title}
      lead={name}
      crumbs={[
        ['Accounts', '/accounts'],
        [name, back],
      ]}
    >
      <SourceForm
        provider={provider}
        wayNow={wayOf(provider, settings)}
        start={start}
        hasName={false}
        hasSettings={edit !== 'credentials'}
        asksCredentials={(values) => edit !== 'settings' || needsOtherCredentials(start, values)}
        verb={texts[edit].verb}
        back={back}
        isBusy={change.isBusy}
        refusal={change.refusal}
        onSubmit={submit}
      />
    </Page>
  );
}
