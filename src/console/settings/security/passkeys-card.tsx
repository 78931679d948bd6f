import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Act, Muted, ActMenu } from '../../parts/form/menu.tsx';
import * as operations from '../../../../schema/operations.ts';
import { graphql, type RecordOf } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { useAct, useAnswer } from '../../api/use-api.ts';
import { ConfirmDialog, Dialog, done, FormDialog } from '../../parts/form/dialog.tsx';
import { DataTable, type Column, actsColumn } from '../../parts/list/table.tsx';
import { Card } from '../../parts/page/card.tsx';
import { Empty, Shown } from '../../parts/page/page.tsx';
import { nameFault } from '../../sign-in/faults.ts';
import { canUsePasskeys } from '../../sign-in/passkey.ts';
import { PasskeyForm } from '../../two-factor/passkey-form.tsx';
import { ago, moment } from '../../words/format.ts';
import { TextField } from '../../parts/form/fields.tsx';
import { useFields } from '../../parts/form/form.tsx';

/** All passkeys of the caller; at most 50. */
const Passkeys = graphql(operations.passkeys, [graphql(operations.PasskeyFields)]);

/** Passkey in the list. */
type Passkey = RecordOf<typeof Passkeys>;

const DeletePasskey = graphql(operations.deletePasskey);

const UpdatePasskey = graphql(operations.updatePasskey);

type Open = 'add' | { readonly rename: Passkey } | { readonly remove: Passkey } | null;

/** The caller's passkeys. */
export function PasskeysCard() {
  const answer = useAnswer(Passkeys, { perPage: 100 });
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const added = () => {
    close();
    done('Passkey added.');
  };
  return (
    <Card title="Passkeys" flush actions={<AddButton onClick={() => setOpen('add')} />}>
      <Shown of={answer} height={120}>
        {({ passkeys }) => <List passkeys={passkeys?.data ?? []} onOpen={setOpen} />}
      </Shown>
      <Dialog opened={open === 'add'} onClose={close} title="Add a passkey">
        <PasskeyForm onDone={added} onCancel={close} />
      </Dialog>
      {open && open !== 'add' && 'rename' in open && <RenameDialog passkey={open.rename} onClose={close} />}
      {open && open !== 'add' && 'remove' in open && (
        <DeleteDialog passkey={open.remove} isLast={answer.data?.passkeys?.data.length === 1} onClose={close} />
      )}
    </Card>
  );
}

function AddButton({ onClick }: { onClick(): void }) {
  if (!canUsePasskeys()) return <Muted size="xs">Adding a passkey requires HTTPS</Muted>;
  return <Act label="Add passkey" size="xs" onClick={onClick} />;
}

interface ListProps {
  readonly passkeys: readonly Passkey[];
  onOpen(open: Open): void;
}

function List({ passkeys, onOpen }: ListProps) {
  if (passkeys.length === 0)
    return (
      <Empty
        icon={IconFingerprint}
        title="No passkeys"
        text="Sign in with a fingerprint, face, PIN or security key, without your password. A passkey counts as both factors."
      />
    );
  const columns: readonly Column<Passkey>[] = [
    { title: 'Name', grow: true, cell: ({ name }) => <strong>{name}</strong> },
    { title: 'Storage', hideOn: 'phone', cell: keptIn },
    { title: 'Added', hideOn: 'phone', cell: ({ createdAt }) => moment(createdAt) },
    { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? ago(lastUsedAt) : 'Never') },
    actsColumn((passkey) => (
      <ActMenu
        label={`Actions for ${passkey.name}`}
        items={[
          { label: 'Rename', Icon: IconPencil, onClick: () => onOpen({ rename: passkey }) },
          { label: 'Delete', Icon: IconTrash, danger: true, onClick: () => onOpen({ remove: passkey }) },
        ]}
      />
    )),
  ];
  return <DataTable label="Your passkeys" rows={passkeys} columns={columns} />;
}

function keptIn({ deviceType, backedUp }: Passkey): string {
  if (deviceType === 'SINGLE_DEVICE') return 'On one device';
  return backedUp ? 'Synced' : 'Can be synced';
}

interface Props {
  readonly passkey: Passkey;
  onClose(): void;
}

function RenameDialog({ passkey, onClose }: Props) {
  const { act, isBusy, refusal, clear } = useAct(UpdatePasskey);
  const { form, field, check, rest } = useFields(
    { name: passkey.name },
    ({ name }) => ({ name: nameFault(name, 'a name') }),
    { of: { refusal, clear }, names: { name: ['name', 'The name'] } },
  );
  const submit = async () => {
    if (check() && (await act({ id: passkey.id, input: { name: form.name.trim() } }))) onClose();
  };
  return (
    <FormDialog
      title="Rename the passkey"
      verb="Rename"
      of={{ isBusy, refusal: rest }}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" data-autofocus maxLength={100} {...field('name')} />
    </FormDialog>
  );
}

/** Deletes a passkey.
 *  @param props `isLast`: there is no other passkey */
function DeleteDialog({ passkey, isLast, onClose }: Props & { readonly isLast: boolean }) {
  const { organization, secondFactors } = useMe();
  const isLastFactor = isLast && !secondFactors.includes('TOTP');
  return (
    <ConfirmDialog
      title={`Delete ${passkey.name}?`}
      verb="Delete"
      text={`You can no longer sign in with it. Also delete it on the device or in the password manager. ${
        isLastFactor ? whatFollows(organization) : ''
      }`}
      mutation={DeletePasskey}
      variables={{ id: passkey.id }}
      confirmation={`${passkey.name} is deleted.`}
      onClose={onClose}
    />
  );
}

function whatFollows({ name, requireTwoFactor }: { name: string; requireTwoFactor: boolean }): string {
  return requireTwoFactor
    ? `It is your only second factor, and ${name} requires one: you must set up another before you can continue.`
    : 'It is your only second factor: you will sign in with your password only, and your recovery codes will stop working.';
}
