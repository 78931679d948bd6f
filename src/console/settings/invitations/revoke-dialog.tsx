import { useAct } from '../../api/use-act.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { done } from '../../parts/done.ts';
import { RevokeInvite, type Invite } from './queries.ts';

/** Asks before an invitation is taken back. */
export function RevokeDialog({ invite: { id, email }, onClose }: { readonly invite: Invite; onClose(): void }) {
  const revoke = useAct(RevokeInvite);
  const submit = async () => {
    if (!(await revoke.act({ id }))) return;
    done(`The invitation of ${email} is revoked.`);
    onClose();
  };
  return (
    <ConfirmDialog
      title="Revoke the invitation"
      verb="Revoke"
      isOpen
      isBusy={revoke.isBusy}
      refusal={revoke.refusal}
      text={`The link that was sent to ${email} is good no more. The address can be invited anew.`}
      onSubmit={() => void submit()}
      onClose={onClose}
    />
  );
}
