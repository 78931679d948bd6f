import { storedWord } from '../../kit/stored-word.ts';
import { detectors } from './detectors/all.ts';

/** Every type of recommendation, with what its detector finds. */
export const recommendationTypes: Readonly<Record<string, string>> = Object.fromEntries(
  detectors.map(({ type, summary }) => [type, `${summary}.`]),
);

/** The type of a recommendation from its column; `unknown` for one whose detector is of another version. */
export function typeOf(stored: string): string {
  return storedWord(recommendationTypes, stored);
}
