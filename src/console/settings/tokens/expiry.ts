import { addDays, isDay, localDay } from '../../words/days.ts';
import { day } from '../../words/format.ts';

/** Expiry of a token: after a number of days, on a custom day, or never. */
export type Expiry = '30' | '90' | '365' | 'day' | 'never';

/** Expiry choices; those after a number of days show the resulting day. */
export function expiryChoices(now = new Date()): readonly { readonly value: Expiry; readonly label: string }[] {
  const after = (days: number) => day(addDays(localDay(now), days));
  return [
    { value: '30', label: `In 30 days (${after(30)})` },
    { value: '90', label: `In 90 days (${after(90)})` },
    { value: '365', label: `In 1 year (${after(365)})` },
    { value: 'day', label: 'On a specific date' },
    { value: 'never', label: 'Never' },
  ];
}

/** Returns the error in a custom expiry day, or null. */
export function expiryFault(expiry: Expiry, ownDay: string, now = new Date()): string | null {
  if (expiry !== 'day') return null;
  if (!isDay(ownDay)) return 'Choose a day';
  return ownDay <= localDay(now) ? 'Choose a day after today' : null;
}

/** Expiry instant: the end of the day in the user's time zone; null for never. */
export function expiresAt(expiry: Expiry, ownDay: string, now = new Date()): string | null {
  if (expiry === 'never') return null;
  const last = expiry === 'day' ? ownDay : addDays(localDay(now), Number(expiry));
  return new Date(`${last}T23:59:59`).toISOString();
}
