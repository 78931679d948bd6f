import { MultiSelect, Radio, Stack } from '@mantine/core';
import { useEffect } from 'react';
import { MeQuery, useMe } from '../../api/me.tsx';
import { useAnswer } from '../../api/use-answer.ts';
import { useAccountChoices } from '../../parts/choices.ts';
import type { AccessChoice, AccessKind } from './access.ts';

interface Props {
  readonly value: AccessChoice;
  readonly fault: string | null;
  /** Whether somebody sees every account now, so that leaving it so can be shown to who could not grant it. */
  readonly mayStayAll?: boolean;
  onChange(choice: AccessChoice): void;
}

const kinds: readonly (readonly [AccessKind, string, string])[] = [
  ['all', 'All accounts', 'Those that are connected later, too.'],
  ['some', 'Chosen accounts', 'Figures, budgets and alerts of these alone.'],
  ['none', 'No accounts', 'No costs at all, until accounts are chosen.'],
];

/** All accounts, some, or none; who sees some only can give no more than those. */
export function AccessChoiceInput({ value, fault, mayStayAll = false, onChange }: Props) {
  const { accountAccess } = useMe();
  const accounts = useAccountChoices().filter(({ value: id }) => accountAccess?.includes(id) ?? true);
  const offered = kinds.filter(([kind]) => kind !== 'all' || accountAccess === null || mayStayAll);
  const { again } = useAnswer(MeQuery, {});
  // What they see themselves may have been narrowed since the console was opened.
  useEffect(again, [again]);
  const isOffered = offered.some(([kind]) => kind === value.kind);
  useEffect(() => {
    if (!isOffered) onChange({ ...value, kind: 'some' });
  }, [isOffered, value, onChange]);
  const choose = (chosen: string) => {
    const found = kinds.find(([kind]) => kind === chosen);
    if (found) onChange({ ...value, kind: found[0] });
  };
  return (
    <Stack gap="sm">
      <Radio.Group label="Account access" value={value.kind} onChange={choose}>
        <Stack gap={8} mt={6}>
          {offered.map(([kind, label, description]) => (
            <Radio key={kind} value={kind} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      {value.kind === 'some' && (
        <MultiSelect
          label="Accounts"
          placeholder={value.ids.length === 0 ? 'Choose accounts' : ''}
          data={accounts}
          value={[...value.ids]}
          error={fault}
          searchable
          hidePickedOptions
          clearable
          clearButtonProps={{ 'aria-label': 'Clear accounts' }}
          nothingFoundMessage="No such account"
          onChange={(ids) => onChange({ ...value, ids })}
        />
      )}
    </Stack>
  );
}
