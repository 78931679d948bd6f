/** Round values between two ends for an axis, from the first at or below `min` to the first at or above `max`.
 *  @param most how many at most */
export function ticks(min: number, max: number, most = 5): number[] {
  const span = max - min;
  if (!(span > 0)) return [min, min + 1];
  const rough = span / (most - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(min / step + 1e-9);
  const last = Math.ceil(max / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Which of `count` places get a label when each label needs `need` px of `width`: every n-th, the last always. */
export function labelled(count: number, width: number, need: number): (index: number) => boolean {
  const every = Math.max(1, Math.ceil((count * need) / Math.max(width, 1)));
  return (index) => (count - 1 - index) % every === 0;
}
