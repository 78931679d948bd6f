import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useAct } from '../../api/use-act.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { done } from '../../parts/done.ts';
import { words } from '../../words/names.ts';
import { StepUpFields, useStepUp } from '../security/step-up-fields.tsx';
import { Heirs, TransferOwnership } from './queries.ts';

/** Makes another member the Super Admin, with the password again. */
export function TransferDialog({ onClose }: { onClose(): void }) {
  const [memberId, setMemberId] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const transfer = useAct(TransferOwnership);
  const stepUp = useStepUp(false);
  const submit = async () => {
    setFault(memberId ? null : 'Choose a member');
    if (!stepUp.check() || !memberId) return;
    if (!(await transfer.act({ memberId, password: stepUp.password }))) return stepUp.set({ password: '' });
    done('The ownership is transferred. You are an Admin now.');
    onClose();
  };
  return (
    <FormDialog
      title="Transfer ownership"
      verb="Transfer"
      danger
      isOpen
      isBusy={transfer.isBusy}
      refusal={null}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Text size="sm">You become an Admin. Only the new Super Admin can give the ownership back.</Text>
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
  const { data } = useAnswer(Heirs, { search: asked });
  // The chosen one stands in the field: it is not what is searched for.
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
      nothingFoundMessage="No such member"
      onChange={onChange}
    />
  );
}
