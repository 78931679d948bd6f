import { Alert, Group, Stack, TagsInput, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import * as operations from '../../../../schema/operations.ts';
import { graphql, type RecordOf, type ResultOf } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { Act } from '../../parts/form/menu.tsx';
import { Dialog, FormDialog } from '../../parts/form/dialog.tsx';
import { emailsFault, useEmails } from '../../parts/form/recipients.tsx';
import { DataTable, EmailText, type Column } from '../../parts/list/table.tsx';
import { Status, type Tone } from '../../parts/page/card.tsx';
import { CodeBlock } from '../../parts/page/copy.tsx';
import {
  AccessChoiceInput,
  accessFault,
  accessOf,
  RoleChoice,
  type AccessChoice,
  type GivenRole,
} from '../members/access.tsx';

/** Maximum addresses per API request. */
const most = 50;

/** Invites people and shows the result for each address. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const [results, setResults] = useState<readonly InviteResult[] | null>(null);
  return results ? (
    <Results results={results} onClose={onClose} />
  ) : (
    <InviteForm onClose={onClose} onInvited={setResults} />
  );
}

interface FormProps {
  onClose(): void;
  onInvited(results: readonly InviteResult[]): void;
}

function InviteForm({ onClose, onInvited }: FormProps) {
  const { accountAccess } = useMe();
  const { all, input } = useEmails();
  const [role, setRole] = useState<GivenRole>('MEMBER');
  const [access, setAccess] = useState<AccessChoice>({ kind: accountAccess === null ? 'all' : 'some', ids: [] });
  const [faults, setFaults] = useState<{ emails?: string; access?: string }>({});
  const invite = useAct(InviteMembers);
  const submit = async () => {
    const wrong = accessFault(access);
    const fault = faultOf(all);
    setFaults({ ...(fault && { emails: fault }), ...(wrong && { access: wrong }) });
    if (fault || wrong) return;
    const data = await invite.act({ input: { emails: all, role, accountAccess: accessOf(access) } });
    if (data?.inviteMembers) onInvited(data.inviteMembers.results);
  };
  const restore = (draft: { all?: string[]; role?: GivenRole; access?: AccessChoice }) => {
    if (draft.all) input.onChange(draft.all);
    if (draft.role) setRole(draft.role);
    if (draft.access) setAccess(draft.access);
  };
  return (
    <FormDialog
      title="Invite people"
      verb="Invite"
      size="lg"
      of={invite}
      fields={{ form: { all, role, access }, set: restore }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Stack gap="md">
        <TagsInput
          label="Email addresses"
          description="Separate several addresses with commas, spaces or Enter."
          placeholder={input.value.length === 0 ? 'kim@example.com' : ''}
          data-autofocus
          error={faults.emails}
          {...input}
        />
        <RoleChoice value={role} onChange={setRole} />
        <AccessChoiceInput value={access} fault={faults.access ?? null} onChange={setAccess} />
      </Stack>
    </FormDialog>
  );
}

function faultOf(emails: readonly string[]): string | null {
  return emails.length === 0 ? 'Enter at least one address' : emailsFault(emails, most);
}

const outcomes = {
  INVITED: { tone: 'good', label: 'Invited', text: 'An email is being sent.' },
  ALREADY_INVITED: {
    tone: 'quiet',
    label: 'Already invited',
    text: 'The existing invitation is unchanged. Resend it from the list.',
  },
  ALREADY_MEMBER: { tone: 'quiet', label: 'Already a member', text: 'Change the role or the accounts under Members.' },
} as const satisfies Record<InviteResult['status'], { tone: Tone; label: string; text: string }>;

const columns: readonly Column<InviteResult>[] = [
  { title: 'Email', grow: true, cell: ({ email }) => <EmailText email={email} /> },
  {
    title: 'Result',
    cell: ({ status }) => <Status value={status} tone={outcomes[status].tone} label={outcomes[status].label} />,
  },
  {
    key: 'text',
    title: '',
    hideOn: 'phone',
    grow: true,
    cell: ({ status, invite }) => (invite?.link ? 'Pass on the link below.' : outcomes[status].text),
  },
];

function Results({ results, onClose }: { readonly results: readonly InviteResult[]; onClose(): void }) {
  return (
    <Dialog opened onClose={onClose} title="Invitations" size="lg">
      <Stack gap="md">
        <DataTable label="Result for each address" rows={results} columns={columns} keyOf={({ email }) => email} />
        <InviteLinks links={results.map(({ email, invite }) => ({ email, link: invite?.link ?? null }))} />
      </Stack>
      <Group justify="flex-end" mt="md">
        <Act label="Close" primary onClick={onClose} data-autofocus />
      </Group>
    </Dialog>
  );
}

interface LinksProps {
  readonly links: readonly LinkedInvite[];
}

/** Links to pass on, on a server that sends no emails; otherwise nothing. */
function InviteLinks({ links }: LinksProps) {
  const shown = links.flatMap(({ email, link }) => (link === null ? [] : [{ email, link }]));
  if (shown.length === 0) return null;
  return (
    <Stack gap="sm">
      <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
        This server sends no emails.{' '}
        {shown.length === 1
          ? 'Copy the link and pass it on; it is not shown again.'
          : 'Copy the links and pass them on; they are not shown again.'}
      </Alert>
      {shown.map(({ email, link }) => (
        <div key={email}>
          <Text size="sm" fw={550} mb={4}>
            {email}
          </Text>
          <CodeBlock code={link} label={`the link for ${email}`} />
        </div>
      ))}
    </Stack>
  );
}

/** Invitation with its link, which is null if the server sends emails. */
export interface LinkedInvite {
  readonly email: string;
  readonly link: string | null;
}

interface RenewedProps {
  readonly invite: LinkedInvite;
  onClose(): void;
}

/** Shows the link of a resent invitation. */
export function RenewedDialog({ invite, onClose }: RenewedProps) {
  return (
    <Dialog opened onClose={onClose} title="Invitation link" size="lg">
      <InviteLinks links={[invite]} />
      <Group justify="flex-end" mt="md">
        <Act label="Close" primary onClick={onClose} data-autofocus />
      </Group>
    </Dialog>
  );
}

export const InviteList = graphql(operations.invites, [graphql(operations.InviteFields)]);

/** Invites people; only this answer contains the links of a server that sends no emails. */
export const InviteMembers = graphql(`
  mutation InvitePeople($input: InviteMembersInput!) {
    inviteMembers(input: $input) {
      results {
        email
        status
        invite {
          link
        }
      }
    }
  }
`);

/** Resends an invitation with a new link. */
export const ResendInvite = graphql(`
  mutation RenewInvite($id: ID!) {
    resendInvite(id: $id) {
      id
      email
      link
    }
  }
`);

export const RevokeInvite = graphql(operations.revokeInvite);

/** Invitation in the list. */
export type Invite = RecordOf<typeof InviteList>;

/** Result for one address. */
export type InviteResult = NonNullable<ResultOf<typeof InviteMembers>['inviteMembers']>['results'][number];
