import { useState } from 'react';
import type { ChoiceOptions } from './choices.tsx';

/** Delays the choices of a control until it has the focus for the first time: they are most of the requests of a page, and most
 *  visits need none of them.
 *  @param isUsed whether the control has a value, whose label needs the choices at once */
export function useOnceFocused(isUsed: boolean): { readonly options: ChoiceOptions; onFocus(): void } {
  const [wasFocused, setFocused] = useState(false);
  return { options: { pause: !isUsed && !wasFocused }, onFocus: () => setFocused(true) };
}
