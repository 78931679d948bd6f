import { Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { Act } from '../../parts/form/menu.tsx';
import { leave } from '../../api/session.ts';
import { useAct, useAnswer } from '../../api/use-api.ts';
import { done, FormDialog } from '../../parts/form/dialog.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { Card } from '../../parts/page/card.tsx';
import { words } from '../../words/format.ts';
import { StepUpFields, useStepUp } from '../security/step-up-fields.tsx';
import { DeleteOrganization, TransferOwnership, type Organization } from './queries.ts';
import { givenRoles } from '../members/access.tsx';
import { MemberList } from '../members/queries.ts';

/** Irreversible actions that only the Super Admin can take. */
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
  const stepUp = useStepUp(false);
  const submit = async () => {
    setFault(memberId ? null : 'Choose a member');
    if (!stepUp.check() || !memberId) return;
    if (!(await transfer.act({ memberId, password: stepUp.password }))) return stepUp.set({ password: '' });
    done('Ownership transferred. You are now an Admin.');
    onClose();
  };
  return (
    <FormDialog
      title="Transfer ownership"
      verb="Transfer"
      danger
      of={{ isBusy: transfer.isBusy, refusal: null }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">You become an Admin. Only the new Super Admin can transfer the ownership back.</Text>
      <MemberSelect value={memberId} fault={fault} onChange={setMemberId} />
      <StepUpFields of={stepUp} needsCode={false} refusal={transfer.refusal} clear={transfer.clear} />
    </FormDialog>
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
      placeholder="Search by name or address"
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
  const stepUp = useStepUp(false);
  const submit = async () => {
    const isNamed = typed.trim() === name.trim();
    setFault(isNamed ? null : 'This is not the name of the organization');
    if (!stepUp.check() || !isNamed) return;
    if (await remove.act({ password: stepUp.password })) leave(`${name} is deleted.`);
    else stepUp.set({ password: '' });
  };
  return (
    <FormDialog
      title="Delete organization"
      verb="Delete permanently"
      danger
      of={{ isBusy: remove.isBusy, refusal: null }}
      onSubmit={submit}
      onClose={onClose}
    >
      <Text size="sm">
        Members, settings, accounts, credentials, all cost data and the audit log are permanently deleted. Users keep
        their other organizations.
      </Text>
      <TextField label={`Type ${name} to confirm`} autoComplete="off" value={typed} error={fault} onChange={setTyped} />
      <StepUpFields of={stepUp} needsCode={false} refusal={remove.refusal} clear={remove.clear} />
    </FormDialog>
  );
}
