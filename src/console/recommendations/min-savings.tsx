import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useMe } from '../api/me.tsx';
import { MoneyInput } from '../parts/money-input.tsx';
import type { UrlState } from '../parts/url-state.ts';

/** Only what saves at least so much; asked a moment after the last digit. */
export function MinSavings({ state }: { readonly state: UrlState }) {
  const { currency } = useMe().organization;
  const asked = numberOf(state.one('minSavings'));
  const [amount, setAmount] = useState(asked);
  useEffect(() => setAmount(asked), [asked]);
  const ask = useDebouncedCallback(
    (next: number | null) => state.set({ minSavings: next === null ? null : String(next) }, { replace: true }),
    400,
  );
  return (
    <MoneyInput
      aria-label="Saves at least, a month"
      placeholder="Saves at least"
      currency={currency}
      max={1_000_000_000}
      hideControls
      w={150}
      value={amount}
      onChange={(next) => {
        setAmount(next);
        ask(next);
      }}
    />
  );
}

function numberOf(text: string | null): number | null {
  const value = Number(text ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
}
