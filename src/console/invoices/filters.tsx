import { Text, TextInput } from '@mantine/core';
import { anyOf, anyText, byAccount, type Filter } from '../parts/list/definition.tsx';
import type { UrlState } from '../parts/list/url-state.ts';
import { useIssuerChoices } from './queries.ts';

const aMonth = /^[1-9]\d{3}-(0[1-9]|1[0-2])$/;

/** Filter by a month, such as `2026-10`. */
function month(key: string, label: string, side: string): Filter<string> {
  const read = (state: UrlState) => state.one(key) ?? undefined;
  const Control = ({ state }: { readonly state: UrlState }) => (
    <TextInput
      type="month"
      aria-label={label}
      placeholder="YYYY-MM"
      w={190}
      leftSectionWidth={50}
      leftSection={
        <Text size="sm" c="dimmed" aria-hidden>
          {side}
        </Text>
      }
      value={read(state) ?? ''}
      onChange={(event) => state.set({ [key]: event.currentTarget.value || null })}
    />
  );
  const faults = (state: UrlState) => {
    const value = read(state);
    return value === undefined || aMonth.test(value)
      ? []
      : [{ keys: [key], text: `${label} "${value}" is not a month such as 2026-10` }];
  };
  return { keys: [key], read, Control, faults };
}

/** Invoice list: API paths and filters. */
export const list = {
  csv: ['/invoices', 'invoices'],
  filters: {
    status: anyOf('status', 'Status', ['DIFFERENT', 'MISSING', 'PROVISIONAL', 'MATCHED']),
    accountId: byAccount,
    issuer: anyText('issuer', 'Issuer', () => useIssuerChoices()),
    startMonth: month('from', 'First month', 'From'),
    endMonth: month('to', 'Last month', 'To'),
  },
} as const;
