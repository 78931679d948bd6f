import { useLocation } from 'wouter';
import type { VariablesOf } from '../../api/graphql.ts';
import { useAct } from '../../api/use-api.ts';
import { done } from '../../parts/form/dialog.tsx';
import { Page } from '../../parts/page/page.tsx';
import { ChangeSettings, ChangeSource, ReplaceCredentials, type Account } from '../queries.ts';
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
  const change = useChange(account, edit);
  const submit = async (filled: Filled) => {
    if (!(await change.act(filled))) return false;
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

type Changed = VariablesOf<typeof ChangeSource>;

/** Returns a submit function for the changed part: settings, credentials, or both. */
function useChange({ id, provider }: Account, edit: Edit) {
  const settingsAct = useAct(ChangeSettings);
  const credentialsAct = useAct(ReplaceCredentials);
  const bothAct = useAct(ChangeSource);
  const act = ({ way, kind, values }: Filled): Promise<unknown> => {
    const credentials: Changed['credentials'] | null = credentialsOf(kind, values);
    if (edit === 'credentials') return credentials ? credentialsAct.act({ id, credentials }) : Promise.resolve(null);
    const settings = changedSettingsOf(provider, way, values);
    return credentials ? bothAct.act({ id, settings, credentials }) : settingsAct.act({ id, settings });
  };
  return {
    act,
    isBusy: settingsAct.isBusy || credentialsAct.isBusy || bothAct.isBusy,
    refusal: settingsAct.refusal ?? credentialsAct.refusal ?? bothAct.refusal,
  };
}
