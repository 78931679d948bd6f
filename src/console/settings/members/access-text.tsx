import { Tooltip } from '@mantine/core';
import { counted } from '../../words/format.ts';
import type { Choice } from '../../parts/filters.tsx';
import type { Access } from './access.ts';

interface Props {
  readonly access: Access;
  /** Accounts that the caller may see, by id. */
  readonly accounts: readonly Choice[];
}

/** Which accounts somebody sees: the only one by its name, several counted, their names on hover. */
export function AccessText({ access, accounts }: Props) {
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
