import { useEffect, useRef } from 'react';
import type { Answer } from '../api/use-answer.ts';

/** Asks again when something that the answer depends on has changed, such as a sync that has ended.
 *  @param sign stands for it; null while it is not known
 *  @param afterMs how much later the answer follows */
export function useAgainWhen<Data>(sign: string | null, { again }: Answer<Data>, afterMs = 0): void {
  const seen = useRef(sign);
  useEffect(() => {
    if (sign === null || sign === seen.current) return undefined;
    const isFirst = seen.current === null;
    seen.current = sign;
    if (isFirst) return undefined;
    if (afterMs === 0) return again();
    const timer = setTimeout(again, afterMs);
    return () => clearTimeout(timer);
  }, [sign, again, afterMs]);
}
