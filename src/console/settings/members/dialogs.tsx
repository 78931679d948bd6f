import { useState } from 'react';
import { useMe } from '../../api/me.tsx';
import { ActDialog, ConfirmDialog } from '../../parts/form/dialog.tsx';
import { moment, words } from '../../words/format.ts';
import { AccessChoiceInput, accessFault, accessOf, choiceOf, givenRoles, RoleChoice } from './access.tsx';
import { RemoveMember, UnlockMember, UpdateMember, type Member } from './queries.ts';

interface Props {
  readonly member: Member;
  onClose(): void;
}

function RoleDialog({ member: { id, role: before, user }, onClose }: Props) {
  const [role, setRole] = useState(givenRoles.find((each) => each === before) ?? 'VIEWER');
  return (
    <ActDialog
      title={`Role of ${user.name}`}
      verb="Change role"
      mutation={UpdateMember}
      variables={() => (role === before ? undefined : { id, input: { role, ifRole: before } })}
      confirmation={`The role of ${user.name} is now ${words(role)}.`}
      onClose={onClose}
    >
      <RoleChoice value={role} onChange={setRole} />
    </ActDialog>
  );
}

function AccessDialog({ member: { id, accountAccess, user }, onClose }: Props) {
  const [choice, setChoice] = useState(() => choiceOf(accountAccess));
  const [fault, setFault] = useState<string | null>(null);
  const variables = () => {
    const found = accessFault(choice);
    setFault(found);
    if (found) return null;
    const access = accessOf(choice);
    // Callers with access to only some accounts cannot grant all, and need not if the member already has it.
    const isSame = JSON.stringify(access) === JSON.stringify(accountAccess);
    return isSame ? undefined : { id, input: { accountAccess: access, ifAccountAccess: accountAccess } };
  };
  return (
    <ActDialog
      title={`Account access of ${user.name}`}
      verb="Save"
      mutation={UpdateMember}
      variables={variables}
      confirmation={`The account access of ${user.name} changes with their next request.`}
      onClose={onClose}
    >
      <AccessChoiceInput value={choice} fault={fault} mayStayAll={accountAccess === null} onChange={setChoice} />
    </ActDialog>
  );
}

function RemoveDialog({ member: { id, user }, onClose }: Props) {
  const me = useMe();
  const isSelf = user.id === me.user.id;
  return (
    <ConfirmDialog
      title={isSelf ? 'Leave organization' : `Remove ${user.name}`}
      verb={isSelf ? 'Leave' : 'Remove'}
      text={
        isSelf
          ? 'Your sessions and API tokens in this organization end immediately. Your private views and dashboards are deleted, and your pending invitations are revoked; everything else you created is transferred to the Super Admin. You need a new invitation to rejoin.'
          : `${user.name} (${user.email}) loses access immediately: their sessions and API tokens stop working. Their private views and dashboards are deleted, and their pending invitations are revoked; everything else they created is transferred to the Super Admin. Their other organizations are not affected.`
      }
      mutation={RemoveMember}
      variables={{ id }}
      confirmation={isSelf ? 'You left the organization.' : `${user.name} is removed.`}
      onClose={onClose}
    />
  );
}

function UnlockDialog({ member: { id, user, lockedUntil }, onClose }: Props) {
  return (
    <ConfirmDialog
      title={`Unlock ${user.name}`}
      verb="Unlock"
      danger={false}
      text={`Too many wrong passwords or codes have locked sign-in${lockedUntil ? ` until ${moment(lockedUntil)}` : ''}. Unlock it only after confirming that ${user.name} made these attempts.`}
      mutation={UnlockMember}
      variables={{ id }}
      confirmation={`${user.name} can sign in again.`}
      onClose={onClose}
    />
  );
}

const dialogs = { role: RoleDialog, access: AccessDialog, unlock: UnlockDialog, remove: RemoveDialog } as const;

/** Open dialog and its member. */
export interface Opened {
  readonly act: keyof typeof dialogs;
  readonly member: Member;
}

/** Renders the open dialog for a member. */
export function MemberDialogs({ opened: { act, member }, onClose }: { readonly opened: Opened; onClose(): void }) {
  const Open = dialogs[act];
  return <Open member={member} onClose={onClose} />;
}
