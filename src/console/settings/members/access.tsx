import { MultiSelect, Radio, Stack, Tooltip } from '@mantine/core';
import { useEffect } from 'react';
import { MeQuery, useMe } from '../../api/me.tsx';
import { useAnswer } from '../../api/use-api.ts';
import { useAccountChoices } from '../../parts/choices/choices.tsx';
import type { Choice } from '../../parts/list/filters.tsx';
import { counted, words } from '../../words/format.ts';

/** IDs of accessible accounts; null means all accounts. */
type Access = readonly string[] | null;

/** Kind of account access in the form. */
type AccessKind = 'all' | 'some' | 'none';

/** Form state of account access. */
export interface AccessChoice {
  readonly kind: AccessKind;
  /** Accounts selected for `some`. */
  readonly ids: readonly string[];
}

/** Converts account access to form state. */
export function choiceOf(access: Access): AccessChoice {
  if (access === null) return { kind: 'all', ids: [] };
  return { kind: access.length === 0 ? 'none' : 'some', ids: access };
}

/** Converts form state to account access. */
export function accessOf({ kind, ids }: AccessChoice): string[] | null {
  if (kind === 'all') return null;
  return kind === 'none' ? [] : [...ids];
}

/** Returns the validation error, or null. */
export function accessFault({ kind, ids }: AccessChoice): string | null {
  return kind === 'some' && ids.length === 0 ? 'Choose at least one account' : null;
}

interface Props {
  readonly value: AccessChoice;
  readonly fault: string | null;
  /** The member has access to all accounts, so keep showing that choice to callers who could not grant it. */
  readonly mayStayAll?: boolean;
  onChange(choice: AccessChoice): void;
}

const kinds: readonly (readonly [AccessKind, string, string])[] = [
  ['all', 'All accounts', 'Includes accounts connected later.'],
  ['some', 'Chosen accounts', 'Costs, budgets and alerts of these accounts only.'],
  ['none', 'No accounts', 'No access to costs until accounts are chosen.'],
];

/** Account access field: all, some or none. Callers with access to only some accounts can grant only those. */
export function AccessChoiceInput({ value, fault, mayStayAll = false, onChange }: Props) {
  const { accountAccess } = useMe();
  const accounts = useAccountChoices().filter(({ value: id }) => accountAccess?.includes(id) ?? true);
  const offered = kinds.filter(([kind]) => kind !== 'all' || accountAccess === null || mayStayAll);
  const { again } = useAnswer(MeQuery, {});
  // The caller's own access may have been reduced since the console was opened.
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
          limit={200}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear accounts' }}
          nothingFoundMessage="No matching account"
          // Below the field, the options would cover the dialog's button.
          comboboxProps={{ position: 'top' }}
          onChange={(ids) => onChange({ ...value, ids })}
        />
      )}
    </Stack>
  );
}

interface AccessTextProps {
  readonly access: Access;
  /** Accounts that the caller can see, by ID. */
  readonly accounts: readonly Choice[];
}

/** Account access as text: a single account by name, several as a count with their names on hover. */
export function AccessText({ access, accounts }: AccessTextProps) {
  if (access === null) return <>All accounts</>;
  if (access.length === 0) return <>No accounts</>;
  const names = access.map((id) => accounts.find(({ value }) => value === id)?.label ?? id.slice(-6));
  const [only] = names;
  if (names.length === 1) return <>{only}</>;
  return (
    <Tooltip label={names.join(', ')} multiline maw={320}>
      <span tabIndex={0}>{counted(names.length, 'account')}</span>
    </Tooltip>
  );
}

interface RoleChoiceProps {
  readonly value: GivenRole;
  onChange(role: GivenRole): void;
}

/** Role choice, with a description of each role. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  const choose = (chosen: string) => {
    const role = givenRoles.find((each) => each === chosen);
    if (role) onChange(role);
  };
  return (
    <Radio.Group label="Role" value={value} onChange={choose}>
      <Stack gap={8} mt={6}>
        {givenRoles.map((role) => (
          <Radio key={role} value={role} label={words(role)} description={roleTexts[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** Assignable roles, most permissions first; Super Admin is assigned only by transferring ownership. */
export const givenRoles = ['ADMIN', 'MEMBER', 'VIEWER'] as const;

/** Assignable role. */
export type GivenRole = (typeof givenRoles)[number];

/** One-line description of each role. */
export const roleTexts: Readonly<Record<GivenRole, string>> = {
  ADMIN: 'Full access except transferring ownership and deleting the organization.',
  MEMBER: 'Read access; can manage budgets and reports, and handle anomalies and recommendations.',
  VIEWER: 'Read access; can save private views and dashboards.',
};
