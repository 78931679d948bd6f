/** Returns the width of a character, in points. */
export type Measure = (letter: string) => number;

const ellipsis = '…';
/** Characters after which a line can break. */
const breaksAfter = new Set([' ', '/', '-', ':', '_', '.', ',', ';', '|', '@', '\u2013']);
/** Maximum characters shown of a text. */
const longest = 600;
// Users and providers choose names: invisible characters and direction overrides could make one look like another.
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Normalizes text for setting: one line, composed, without invisible characters. */
export function setting(text: string): string {
  const cut = text.length > longest ? text.slice(0, longest) : text;
  return cut
    .replaceAll(/\s+/g, ' ')
    .replaceAll(invisible, (mark) => (mark === '\u00ad' ? '-' : ''))
    .normalize('NFC')
    .trim();
}

/** Returns the width of a text on one line. */
export function widthOf(text: string, measure: Measure): number {
  let width = 0;
  for (const letter of text) width += measure(letter);
  return width;
}

/** Breaks a text into at most `most` lines no wider than `width`, with an ellipsis for what does not fit. Words that are too
 *  long for a line are broken anywhere. */
export function breakLines(text: string, { width, most }: { width: number; most: number }, measure: Measure): string[] {
  const letters = [...text];
  const lines: string[] = [];
  let start = 0;
  while (start < letters.length && lines.length < most) {
    const end = lineEnd(letters, start, width, measure);
    const isCut = end < letters.length && lines.length === most - 1;
    lines.push(isCut ? elide(letters.slice(start), width, measure) : letters.slice(start, end).join('').trimEnd());
    start = end;
    while (letters[start] === ' ') start += 1;
  }
  return lines.length > 0 ? lines : [''];
}

/** Returns the end of the line that starts at a character: at least one character later. */
function lineEnd(letters: readonly string[], start: number, width: number, measure: Measure): number {
  let used = 0;
  let last = { end: start, used: 0 };
  for (let index = start; index < letters.length; index += 1) {
    const letter = letters[index] ?? '';
    used += measure(letter);
    // A space at the end of a line takes no width.
    if (used > width && letter !== ' ') {
      // Resource names are long words: a line is not left half empty for one.
      const isGood = last.end > start && (letters[last.end - 1] === ' ' || last.used > width / 2);
      return isGood ? last.end : Math.max(index, start + 1);
    }
    if (breaksAfter.has(letter)) last = { end: index + 1, used };
  }
  return letters.length;
}

/** Same as `breakLines`, but an identifier (a text without spaces) is shortened in the middle, because its ends distinguish
 *  it. */
export function breakName(text: string, limits: { width: number; most: number }, measure: Measure): string[] {
  const letters = [...text];
  const fits = breakLines(text, { ...limits, most: limits.most + 1 }, measure);
  if (fits.length <= limits.most || letters.includes(' ')) return breakLines(text, limits, measure);
  const kept = (count: number) => {
    const head = Math.floor(count * 0.4);
    return letters.slice(0, head).join('') + ellipsis + letters.slice(letters.length - (count - head)).join('');
  };
  const isShort = (count: number) =>
    breakLines(kept(count), { ...limits, most: limits.most + 1 }, measure).length <= limits.most;
  let [low, high] = [1, letters.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isShort(middle)) low = middle;
    else high = middle - 1;
  }
  return breakLines(kept(low), limits, measure);
}

function elide(letters: readonly string[], width: number, measure: Measure): string {
  let used = measure(ellipsis);
  let end = 0;
  while (end < letters.length && used + measure(letters[end] ?? '') <= width) used += measure(letters[end++] ?? '');
  return letters.slice(0, end).join('').trimEnd() + ellipsis;
}
