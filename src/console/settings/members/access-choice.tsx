import { MultiSelect, Radio, Stack } from '@mantine/core';
import { useMe } from '../../api/me.tsx';
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
  const accounts = useAccountChoices();
  const offered = kinds.filter(([kind]) => kind !== 'all' || accountAccess === null || mayStayAll);
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
