import { Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { Act } from '../../parts/form/menu.tsx';
import { leave } from '../../api/session.ts';
import { useAct, useAnswer } from '../../api/use-api.ts';
import { done } from '../../parts/form/dialog.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { Card } from '../../parts/page/card.tsx';
import { words } from '../../words/format.ts';
import { StepUpDialog, type Confirmed } from '../security/step-up-fields.tsx';
import { DeleteOrganization, TransferOwnership, type Organization } from './queries.ts';
import { givenRoles } from '../members/access.tsx';
import { MemberList } from '../members/queries.ts';

/** Transfer and deletion of the organization, for the Super Admin only. */
export function OwnershipCard({ organization }: { readonly organization: Organization }) {
  const [open, setOpen] = useState<'transfer' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <Card title="Ownership" note="Only the Super Admin sees this.">
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Text size="sm" maw={560}>
            Another member becomes the Super Admin and can access every account. You remain an Admin.
          </Text>
          <Act label="Transfer ownership" onClick={() => setOpen('transfer')} disabled={organization.memberCount < 2} />
        </Group>
        <Group justify="space-between" gap="sm">
          <Text size="sm" maw={560}>
            Deletes the organization with its members, settings, accounts, credentials, all cost data and the audit log.
            This cannot be undone.
          </Text>
          <Act label="Delete organization" primary color="red.8" onClick={() => setOpen('delete')} />
        </Group>
      </Stack>
      {open === 'transfer' && <TransferDialog onClose={close} />}
      {open === 'delete' && <DeleteDialog name={organization.name} onClose={close} />}
    </Card>
  );
}

/** Transfers the Super Admin role to another member; requires the password. */
function TransferDialog({ onClose }: { onClose(): void }) {
  const [memberId, setMemberId] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const transfer = useAct(TransferOwnership);
  const check = () => {
    setFault(memberId ? null : 'Choose a member');
    return memberId !== null;
  };
  const confirm = async ({ password }: Confirmed) => {
    if (!memberId || !(await transfer.act({ memberId, password }))) return;
    done('Ownership transferred. You are now an Admin.');
    onClose();
  };
  return (
    <StepUpDialog
      title="Transfer ownership"
      verb="Transfer"
      danger
      text="You become an Admin. Only the new Super Admin can transfer the ownership back."
      of={transfer}
      check={check}
      onConfirm={confirm}
      onClose={onClose}
    >
      <MemberSelect value={memberId} fault={fault} onChange={setMemberId} />
    </StepUpDialog>
  );
}

interface SelectProps {
  readonly value: string | null;
  readonly fault: string | null;
  onChange(id: string | null): void;
}

function MemberSelect({ value, fault, onChange }: SelectProps) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 300);
  const [asked, setAsked] = useState<string | null>(null);
  const { data } = useAnswer(MemberList, { search: asked, role: [...givenRoles], sortBy: 'NAME_ASC', perPage: 50 });
  // The field shows the selected member, whose name is not a search term.
  const choices = (data?.members?.data ?? []).map(({ id, role, user }) => ({
    value: id,
    label: `${user.name} (${user.email}, ${words(role)})`,
  }));
  const isChosen = choices.some(({ label }) => label === search);
  const wanted = isChosen || search.trim() === '' ? null : search.trim();
  if (wanted !== asked) setAsked(wanted);
  return (
    <Select
      label="New Super Admin"
      placeholder="Search by name or email"
      data={choices}
      value={value}
      error={fault}
      searchable
      filter={({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage="No matching member"
      onChange={onChange}
    />
  );
}

interface Props {
  readonly name: string;
  onClose(): void;
}

/** Deletes the organization; requires typing its name and the password. */
function DeleteDialog({ name, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const remove = useAct(DeleteOrganization);
  const check = () => {
    const isNamed = typed.trim() === name.trim();
    setFault(isNamed ? null : 'This is not the name of the organization');
    return isNamed;
  };
  const confirm = async ({ password }: Confirmed) => {
    if (await remove.act({ password })) leave(`${name} is deleted.`);
  };
  return (
    <StepUpDialog
      title="Delete organization"
      verb="Delete permanently"
      danger
      text="Members, settings, accounts, credentials, all cost data and the audit log are permanently deleted. Users keep their other organizations."
      of={remove}
      check={check}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField label={`Type ${name} to confirm`} autoComplete="off" value={typed} error={fault} onChange={setTyped} />
    </StepUpDialog>
  );
}
