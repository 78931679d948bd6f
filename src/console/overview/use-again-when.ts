import { useEffect, useRef } from 'react';
import type { Answer } from '../api/use-answer.ts';

/** Asks again when something that the answer depends on has changed, such as a sync that has ended.
 *  @param sign stands for it; null while it is not known */
export function useAgainWhen<Data>(sign: string | null, { again }: Answer<Data>): void {
  const seen = useRef(sign);
  useEffect(() => {
    if (sign === null || sign === seen.current) return;
    const isFirst = seen.current === null;
    seen.current = sign;
    if (!isFirst) again();
  }, [sign, again]);
}
