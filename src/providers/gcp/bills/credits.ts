import { z } from 'zod';
import { type Amount, amountText, parseAmount } from '../../../kit/money.ts';
import type { TextRow } from '../query.ts';

const where = z.enum(['inside', 'outside']);
const schema = z.object({ billed: where, effective: where });

/** Whether costs of a table have its credits in them already. */
export type CreditsPlace = z.infer<typeof schema>;

/** `cost` of an export of usage is before credits. */
export const outside: CreditsPlace = { billed: 'outside', effective: 'outside' };
export const inside: CreditsPlace = { billed: 'inside', effective: 'inside' };

/** Reads what an earlier listing found; null where it did not know. */
export function readCreditsPlace(memo: unknown): CreditsPlace | null {
  const parsed = schema.safeParse(memo);
  return parsed.success ? parsed.data : null;
}

/** Finds out by the sums of all lines with credits: a cost that has them in it is the contracted cost and the credits.
 *  @returns null where no line has any */
export function creditsPlaceOf(row: TextRow | undefined): CreditsPlace | null {
  const sum = (name: string) => parseAmount(row?.[name] ?? '0');
  const credits = sum('credits');
  if (credits === 0n) return null;
  const contracted = sum('contracted');
  const placeOf = (cost: Amount): CreditsPlace['billed'] =>
    distance(cost, contracted + credits) <= distance(cost, contracted) ? 'inside' : 'outside';
  return { billed: placeOf(sum('billed')), effective: placeOf(sum('effective')) };
}

function distance(a: Amount, b: Amount): Amount {
  return a < b ? b - a : a - b;
}

/** What to tell the reader of the figures; null where nothing is out of the ordinary. */
export function creditsWarning(place: CreditsPlace, row: TextRow | undefined): string | null {
  if (place.billed === 'inside' && place.effective === 'inside') return null;
  const credits = amountText(parseAmount(row?.['credits'] ?? '0'));
  const which = [place.billed === 'outside' && 'BilledCost', place.effective === 'outside' && 'EffectiveCost']
    .filter(Boolean)
    .join(' and ');
  return `The FOCUS table leaves credits (${credits} in all) out of ${which}: they are added here. Compare a month with its invoice`;
}
